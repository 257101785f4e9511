// Color: whether a text has the color of what is painted behind it.

// unseenByColor is unseenIn, by colors. Those of SVG are left alone: what is behind a text
// there is no element around it.
function unseenByColor(s, place) {
  const { el, style } = place;
  if (el.namespaceURI === SVG) return style.fill === 'none' && style.stroke === 'none' ? 'color' : '';
  const taken = takenColorOf(place);
  if (isLegible(s, taken)) return '';
  const written = textColorOf(s, style);
  if (written !== taken && isLegible(s, written)) return '';
  const color = rgbaOf(written);
  if (color[3] * s.alpha < FAINT) return isOutlined(style) || closest(el, clipsToText) !== null ? '' : 'transparent';
  return isOutlined(style) || isPaintedOtherwise(s.background.painter, el, color) ? '' : 'color';
}

function textColorOf(s, style) {
  return s.may & FILLS ? style.webkitTextFillColor : style.color;
}

// takenColorOf returns the color of the text in a place, or that of the text around it: then the place
// has that one, too, or one that was found to be unlike all backgrounds, and has no bits, see settle.
function takenColorOf(place) {
  const { parent, bits, tag } = place;
  const takes = parent !== null && !(bits & (COLORS | FILLS)) && !COLORED_BY_BROWSERS.has(tag) && !unlisted;
  return place.color ??= takes ? takenColorOf(parent) : textColorOf(place.sight, place.style);
}

const COLORED_BY_BROWSERS = words('a area table mark dialog');

// isLegible reports whether a text of that color differs from what is behind it.
function isLegible(s, written) {
  const color = rgbaOf(written), { background } = s;
  if (color === null) return true;
  if (color[3] * s.alpha < FAINT) return false;
  if (background.legible.has(written)) return true;
  if (!(s.motion === null && isUnlikeAll(written)) && !differs(color, background)) return false;
  background.legible.add(written);
  return true;
}

// differs reports whether a color is unlike what is behind a text. Where that is a picture it is taken to be.
function differs(color, background) {
  const behind = background.color;
  return behind === UNKNOWN || !looksLike(mixed(color, behind), behind) || background.isPicture;
}

// isOutlined reports whether a text is seen by a shadow or an outline.
function isOutlined(style) {
  return style.textShadow !== 'none' || parseFloat(style.webkitTextStrokeWidth) > 0;
}

// clipsToText reports whether what is behind the text of an element is painted in the
// shape of the text alone.
function clipsToText(el) {
  return getComputedStyle(el).backgroundClip.includes('text');
}

const UNKNOWN = []; // a color that is not known

// A Background is that of an element: its own color, painted over the background of the element
// that it is in.
class Background {
  constructor(el, style, up) {
    this.el = el;
    this.style = style;
    this.up = up;
    this.shown = null;
    this.filled = null;
    this.legible = new Set(); // colors of text that were found to differ from it
  }

  // color returns the color that is seen where there is no picture, or UNKNOWN.
  get color() {
    return this.shown ??= this.look();
  }

  get own() {
    return this.filled ??= rgbaOf(this.style.backgroundColor) ?? UNKNOWN;
  }

  // painter returns the element that has that color, null if it is the empty page.
  get painter() {
    return this.own[3] === 0 ? this.up.painter : this.el;
  }

  // isPicture reports whether something else than the color is seen.
  get isPicture() {
    return backgroundOf(this.style) === UNKNOWN || this.own[3] !== 1 && this.up.isPicture;
  }

  look() {
    const { own } = this;
    if (own === UNKNOWN || own[3] === 1) return own;
    const behind = this.up.color;
    return behind === UNKNOWN || own[3] === 0 ? behind : mixed(own, behind);
  }
}

// Below all others is the empty page.
const CANVAS = { get color() { return canvas ??= canvasColor(); }, painter: null, isPicture: false, legible: new Set() };
let canvas = null; // its color, once needed

const NO_BACKGROUND = { color: UNKNOWN, painter: null, isPicture: true, legible: new Set() };

// backgroundOf returns the color that an element is filled with, or UNKNOWN.
function backgroundOf(style) {
  const color = rgbaOf(style.backgroundColor);
  return color === null || style.backgroundImage !== 'none' || color[3] > 0 && style.backgroundClip.includes('text') ? UNKNOWN : color;
}

// canvasColor is the color of the empty page. A frame shows the page around it instead.
function canvasColor() {
  if (window !== top) return UNKNOWN;
  const { colorScheme } = getComputedStyle(document.documentElement);
  const dark = /dark/.test(colorScheme) && (!/light/.test(colorScheme) || matchMedia('(prefers-color-scheme: dark)').matches);
  return dark ? [18, 18, 18, 1] : [255, 255, 255, 1];
}

const colors = new Map(); // as written in computed styles -> its parts

// rgbaOf returns red, green and blue, 0 to 255, and alpha, 0 to 1, of a computed color;
// null if it is none.
function rgbaOf(written) {
  let color = colors.get(written);
  if (color === undefined) {
    const parts = /^rgba?\((.*)\)$/.exec(written)?.[1].split(/[\s,/]+/).map(Number);
    color = parts === undefined ? drawn(written) : [parts[0], parts[1], parts[2], parts[3] ?? 1];
    if (colors.size >= MOST_STYLES) colors.clear();
    colors.set(written, color);
  }
  return color;
}

// drawn is rgbaOf for colors of other spaces than sRGB, such as oklch(…).
function drawn(written) {
  if (!CSS.supports('color', written)) return null;
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  canvas.fillStyle = written;
  canvas.fillRect(0, 0, 1, 1);
  const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
  return [r, g, b, a / 255];
}

// mixed returns the color that is seen where one is painted over another.
function mixed(over, under) {
  const alpha = over[3];
  if (alpha === 1) return over;
  return [0, 1, 2].map(i => over[i] * alpha + under[i] * (1 - alpha)).concat(1);
}

// looksLike reports whether nobody can distinguish two colors. Most differ much, and need
// no contrast.
function looksLike(a, b) {
  if (Math.abs(a[0] - b[0]) + Math.abs(a[1] - b[1]) + Math.abs(a[2] - b[2]) > 60) return false;
  const one = luminance(a) + 0.05, other = luminance(b) + 0.05;
  return Math.max(one, other) / Math.min(one, other) < ALIKE;
}

function luminance(color) {
  const [r, g, b] = color.map(c => c <= 10 ? c / 3294.6 : ((c / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

// isPaintedOtherwise reports whether another color may be behind a text that has the color
// of what it is in: of a picture or a box that it was moved over, or that was moved under
// it, or because what it is in is painted elsewhere, as a box of no height is.
function isPaintedOtherwise(painter, el, color) {
  const box = el.getBoundingClientRect();
  if (painter !== null && !isWhole(painter) && !covers(remembered(painted.boxes, painter, boundsOf), box)) return true;
  for (let e = el; e !== null && e !== painter; e = parentOf(e)) if (remembered(painted.around, e, paintsAround)) return true;
  return paintsUnlike(color).at(box).some(p => meets(p.box, box) && !p.el.contains(el) && !el.contains(p.el));
}

// paintsUnlike returns what is painted on the page in other colors than one.
function paintsUnlike(color) {
  const differs = p => p.color === UNKNOWN || !looksLike(color, p.color);
  return remembered(painted.unlike, color.join(), () => new Paints(allPaints().filter(differs)));
}

// Paints are what is painted, found by where it is: a page can have thousands of texts in
// a color that is behind them, and of boxes.
class Paints {
  constructor(all) {
    this.tall = [];        // what is in many strips
    this.strips = new Map(); // by their number, from above
    for (const paint of all) {
      const first = stripOf(paint.box.top), last = stripOf(paint.box.bottom);
      if (last - first > 20) this.tall.push(paint);
      else for (let i = first; i <= last; i++) this.strip(i).push(paint);
    }
  }

  strip(i) {
    if (!this.strips.has(i)) this.strips.set(i, []);
    return this.strips.get(i);
  }

  // at returns what may be where a box is.
  at(box) {
    const found = [...this.tall];
    for (let i = stripOf(box.top), last = Math.min(stripOf(box.bottom), i + 1000); i <= last; i++) found.push(...this.strips.get(i) ?? []);
    return found;
  }
}

const boundsOf = el => el.getBoundingClientRect();

const stripOf = y => Math.floor(y / 64);

function covers(a, b) { return a.left <= b.left + 1 && a.right >= b.right - 1 && a.top <= b.top + 1 && a.bottom >= b.bottom - 1; }

function meets(a, b) { return a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top; }

// paintsAround reports whether an element mixes colors, or paints by ::before or ::after.
function paintsAround(el) {
  const paints = ({ content, backgroundImage, backgroundColor }) => content !== 'none' && content !== 'normal'
    && (content.includes('url') || backgroundImage !== 'none' || rgbaOf(backgroundColor)?.[3] !== 0);
  if (getComputedStyle(el).mixBlendMode !== 'normal') return true;
  return mayAdorn(el) && (paints(getComputedStyle(el, '::before')) || paints(getComputedStyle(el, '::after')));
}

// What was found of that during a walk.
const painted = { all: null, boxes: new Map(), around: new Map(), unlike: new Map() };

function forgetPaints() {
  painted.all = null;
  for (const map of [painted.boxes, painted.around, painted.unlike]) map.clear();
}

// What is painted without a background of its own.
const PICTURES = 'img,video,canvas,svg,iframe,embed,object,input,button,select,textarea,meter,progress,hr';

// allPaints returns what is painted on the page, and where. It is asked for by the first
// text that looks unseen, which most pages do not have.
function allPaints() {
  if (painted.all !== null) return painted.all;
  const paints = painted.all = [];
  for (const root of [document, ...shadowRoots()]) {
    for (const el of root.querySelectorAll('*')) {
      const bits = hidingOf(el, el.localName), picture = (bits & ADORNS) !== 0 || el.matches(PICTURES);
      if (!(bits & BACKGROUNDS) && !picture || isWhole(el) || !shown(el)) continue;
      const color = picture ? UNKNOWN : backgroundOf(getComputedStyle(el)), box = el.getBoundingClientRect();
      if (color[3] !== 0 && box.width > 0 && box.height > 0) paints.push({ el, box, color });
    }
  }
  return paints;
}
