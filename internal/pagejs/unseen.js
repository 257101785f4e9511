// Unseen: which text a person cannot see, although it is rendered. Pages hide text so
// from those who look at them and not from those who read their markup: to give orders to
// a model, or words to a screen reader. It is called
//
//   transparent   it, or what it is in, has (nearly) no opacity
//   color         it has the color of what is behind it
//   small         the text or its font is less than 2 pixels large, as of scale(0)
//   clipped       it is outside of what a box around it shows, or cut away by a clip-path
//   off-screen    it is where no scrolling leads
//
// A text of which a part can be seen is seen, and so is one that becomes visible within
// moments by an animation that runs. In doubt, as over a picture, a text is seen. What
// covers a text is not looked for.

const FAINT = 0.05;   // opacity below which nothing is seen
const ALIKE = 1.05;   // contrast, by WCAG, below which two colors look the same
const TINY = 2;       // pixels of a text or font that are seen as a dot at most
const MOMENTS = 2000; // milliseconds in which an animation ends that shows what it animates

let judges = false;       // whether the walk looks for such text
let unseenTexts = null;   // the text nodes that it has found unseen, and elements of which ::before or ::after is; null: none
let sights = new Map();   // element -> its sight, where it has no place
let inMotion = new Map(); // element that is animated, or was and stays so -> whether that will have shown it in moments
let scrolled = null;       // see scrolledPage
let paints = null;        // what may be painted behind a text, once needed

// findHiding begins a walk that judges what is seen.
function findHiding() {
  anyRaised = false;
  for (const root of [document, ...shadowRoots()]) {
    anyRaised ||= root.querySelector('dialog:modal,[popover]:popover-open') !== null || document.fullscreenElement !== null;
    for (const a of root.getAnimations()) {
      const el = a.effect?.target;
      if (el && a.effect.pseudoElement === null) inMotion.set(el, inMotion.get(el) || showsSoon(a));
    }
  }
}

// forgetUnseen frees what a walk has found.
function forgetUnseen() {
  judges = false;
  unseenTexts = null;
  sights = new Map();
  inMotion = new Map();
  scrolled = null;
  paints = null;
}

// showsSoon reports whether a running animation ends in moments, and not by making its
// element transparent.
function showsSoon(a) {
  if (a.playState !== 'running') return false;
  const { endTime, localTime } = a.effect.getComputedTiming();
  if (!(endTime - (localTime ?? 0) <= MOMENTS)) return false;
  const last = a.effect.getKeyframes?.().at(-1)?.opacity;
  return last === undefined || last === 'auto' || !(Number(last) < FAINT);
}

// A Sight is what decides in an element whether the text in it is seen. Most elements
// have that of the element around them.
class Sight {
  constructor(up) {
    this.gone = up.gone;         // why no text in it is seen
    this.soon = up.soon;         // whether an animation shows it in moments
    this.alpha = up.alpha;       // opacity, with that of all around it
    this.blends = up.blends;     // whether its text may have the color of what is behind it
    this.filled = up.filled;     // whether that color may be -webkit-text-fill-color
    this.background = up.background; // the innermost background; null: that of the empty page
    this.legible = '';           // a color of text that was found to differ from it
    this.shrunk = up.shrunk;     // whether the font may be small
    this.shifted = up.shifted;   // whether it may be moved to where it is not seen
    this.indented = up.indented; // the same, of the text in its box
    this.clip = up.clip;         // the innermost box that clips what is in it
    this.absoluteClip = up.absoluteClip; // the same, of what has position: absolute
    this.fixedClip = up.fixedClip;       // and of what has position: fixed
    this.fixed = up.fixed;               // whether it does not scroll with the document
  }
}

const OPEN = new Sight({
  gone: '', soon: false, alpha: 1, blends: false, filled: false, background: null, shrunk: false, shifted: false, indented: false,
  clip: null, absoluteClip: null, fixedClip: null, fixed: false,
});

// raisedIn returns the sight around an element that is painted above the page: it has the
// text styles of what it is in, and nothing else.
function raisedIn({ blends, filled, shrunk }) {
  return new Sight({ ...OPEN, blends, filled, shrunk, background: NO_BACKGROUND, fixed: true });
}

// sightOf returns the sight of a place.
function sightOf(place) {
  if (place.sight !== null) return place.sight;
  const { el, tag, style, parent } = place, flows = parent !== null && parent.display === 'block' && place.display === 'block';
  return place.sight = within(parent === null ? sightAround(el) : sightOf(parent), el, tag, style, flows);
}

// sightAround returns the sight of what an element is in, where a walk begins.
function sightAround(el) {
  const parent = parentOf(el);
  if (parent === null) return OPEN;
  if (!sights.has(parent)) sights.set(parent, within(sightAround(parent), parent, parent.localName, getComputedStyle(parent), false));
  return sights.get(parent);
}

// within returns the sight of an element in another's. A block in a block flows: it is as
// wide as that and as high as what is in it, unless it has a size of its own.
function within(up, el, tag, style, flows) {
  const bits = hidingOf(el, tag);
  if (bits === 0) return up;
  if (bits & RAISES) up = raisedIn(up);
  const s = new Sight(up);
  if (inMotion.get(el)) s.soon = true;
  if (bits & (COLORS | DARKENS)) s.blends = true;
  if (bits & FILLS) s.filled = true;
  if (bits & SHRINKS) s.shrunk = true;
  if (bits & (FADES | SHAPES | CLIPS | HOLDS) && style.display === 'contents') return s; // it has no box that the rest could be about
  if (bits & FADES) s.alpha *= opacityOf(style);
  if (bits & SHAPES && isCutAway(el, style)) s.gone ||= 'clipped';
  if (bits & BACKGROUNDS) s.background = new Background(el, style, s.background);
  if (bits & (SHIFTS | INDENTS)) s.shifted = true;
  if (bits & INDENTS) s.indented = true;
  if (bits & (CLIPS | STANDS | HOLDS)) confine(s, up, bits, el, tag, style, flows);
  return s;
}

function opacityOf({ opacity, filter }) {
  const filtered = /opacity\(([\d.]+)\)/.exec(filter);
  return Number(opacity) * (filtered === null ? 1 : Number(filtered[1]));
}

// confine finds the boxes that clip what is in an element. A box does not clip what is
// positioned by an element around it.
function confine(s, up, bits, el, tag, style, flows) {
  const position = bits & STANDS ? style.position : 'static';
  const transformed = (bits & HOLDS) !== 0 && holdsFixed(style);
  if (position === 'fixed') {
    s.clip = up.fixedClip;
    s.fixed = up.fixedClip === null;
  } else if (position === 'absolute') {
    s.clip = up.absoluteClip;
  }
  const fits = flows && !(bits & SIZES) && (position === 'static' || position === 'relative');
  if (bits & CLIPS) s.clip = clipOf(s.clip, bits, el, tag, style, fits);
  if (position !== 'static' || transformed) s.absoluteClip = s.clip;
  if (transformed) s.fixedClip = s.clip;
}

// holdsFixed reports whether what has position: fixed moves with an element.
function holdsFixed(style) {
  return style.transform !== 'none' || style.filter !== 'none' || style.perspective !== 'none' || style.translate !== 'none'
    || style.scale !== 'none' || style.rotate !== 'none' || /paint|layout|strict|content/.test(style.contain)
    || /transform|filter|perspective/.test(style.willChange) || style.containerType !== 'normal';
}

// clipOf returns the clip of what is in an element, which is that around it unless the
// element has one. What is declared of the whole page is about the viewport.
function clipOf(around, bits, el, tag, style, fits) {
  if (tag === 'html' || tag === 'body' && getComputedStyle(document.documentElement).overflow === 'visible') return around;
  const { overflow } = style;
  const contained = (bits & HOLDS) !== 0 && /paint|strict|content/.test(style.contain);
  if (overflow === 'visible' && !contained || /^(inline|table-(row|header|footer|col).*)$/.test(style.display)) return around;
  const [x, y = x] = overflow.split(' ');
  return new Clip(el, style, SCROLLS.has(x), SCROLLS.has(y), around, fits);
}

// A Clip is a box that shows only a part of what is in it. It is measured when that is
// first needed.
class Clip {
  constructor(el, style, scrollsX, scrollsY, up, fits) {
    this.el = el;
    this.style = style;
    this.scrollsX = scrollsX;
    this.scrollsY = scrollsY;
    this.up = up;
    this.places = null;
    this.tooHigh = fits ? false : null;
    this.tooLarge = null;
  }

  // mayCut reports whether it may cut away the text directly in it, which begins at its left.
  get mayCut() {
    return this.tooHigh ??= !this.scrollsY && this.el.scrollHeight > this.el.clientHeight + 1 || this.el.clientWidth < TINY;
  }

  // cuts reports whether it, or one around it, may cut away an element that is not moved.
  get cuts() {
    return this.tooLarge ??= this.mayCut || !this.scrollsX && this.el.scrollWidth > this.el.clientWidth + 1
      || this.up !== null && this.up.cuts;
  }

  // measure returns where the box is, and to where a person can scroll in it.
  measure() {
    return this.places ??= this.look();
  }

  look() {
    const { el, style, scrollsX, scrollsY } = this, { left, right, top, bottom } = el.getBoundingClientRect();
    if (!scrollsX && !scrollsY) return { left, right, top, bottom, firstX: -Infinity, firstY: -Infinity, leftmost: left, topmost: top };
    const backwards = style.direction === 'rtl' || style.writingMode !== 'horizontal-tb' || style.flexDirection.endsWith('reverse')
      || el.scrollLeft < 0 || el.scrollTop < 0;
    const firstX = scrollsX && !backwards ? left - el.scrollLeft : -Infinity;
    const firstY = scrollsY && !backwards ? top - el.scrollTop : -Infinity;
    return { left, right, top, bottom, firstX, firstY, leftmost: scrollsX ? firstX : left, topmost: scrollsY ? firstY : top };
  }
}

const SCROLLS = words('auto scroll overlay');

// unseenIn returns why a text in a place is not seen, '' if it is. node is the text; null
// is all that is in the place.
function unseenIn(place, node) {
  const s = sightOf(place);
  return s === OPEN ? '' : unseenAtAll(s, place) || unseenByPlace(s, place.el, node);
}

// unseenFrame is unseenIn for what an iframe shows.
function unseenFrame(place) {
  const s = sightOf(place);
  if (s === OPEN || s.soon) return '';
  const why = s.gone || (s.alpha < FAINT ? 'transparent' : unseenBox(s, place.el.getBoundingClientRect()));
  return why === PARTLY ? '' : why;
}

// unseenAtAll is unseenIn, by what is the same for all the text directly in a place.
function unseenAtAll(s, { el, style }) {
  if (s.soon) return '';
  if (s.gone !== '') return s.gone;
  if (s.alpha < FAINT) return 'transparent';
  if (s.shrunk && parseFloat(style.fontSize) < TINY) return 'small';
  return unseenByColor(s, el, style);
}

// unseenByPlace is unseenIn, by where the text is. To ask for the rectangles of text is
// more expensive than for that of its element, which is enough where all of it is seen
// and the text is not moved out of it.
function unseenByPlace(s, el, node) {
  if (s.soon || !s.shifted && s.clip === null) return '';
  const own = s.clip !== null && s.clip.el === el, inBox = !s.indented && !(own && s.clip.mayCut);
  if (inBox && !s.shifted && !(own ? s.clip.up?.cuts : s.clip.cuts)) return '';
  if (inBox && unseenBox(s, el.getBoundingClientRect()) === '') return '';
  const range = document.createRange();
  if (node === null) range.selectNodeContents(el);
  else range.selectNode(node);
  let why = '';
  for (const box of range.getClientRects()) {
    why = unseenBox(s, box);
    if (why === '' || why === PARTLY) return '';
  }
  return why;
}

const PARTLY = 'partly';

// unseenBox returns why what is in a rectangle of the viewport is not seen, '' if all of
// it is, else PARTLY. In a box that scrolls a person can scroll to it, as far as the box
// does, and sees it then where the box is.
function unseenBox(s, { left, right, top, bottom }) {
  if (right - left < TINY || bottom - top < TINY) return 'small';
  let partly = false;
  for (let clip = s.clip; clip !== null; clip = clip.up) {
    const c = clip.measure(), { scrollsX, scrollsY } = clip;
    if (right <= c.firstX || bottom <= c.firstY) return 'off-screen';
    partly ||= left < c.leftmost || top < c.topmost || !scrollsX && right > c.right || !scrollsY && bottom > c.bottom;
    if (scrollsX) [left, right] = [c.left, c.right];
    else [left, right] = [Math.max(left, c.left), Math.min(right, c.right)];
    if (scrollsY) [top, bottom] = [c.top, c.bottom];
    else [top, bottom] = [Math.max(top, c.top), Math.min(bottom, c.bottom)];
    if (right - left < TINY || bottom - top < TINY) return 'clipped';
  }
  const page = s.fixed && s.fixedClip === null ? { left: 0, top: 0, right: innerWidth, bottom: innerHeight } : scrolledPage();
  if (right <= page.left || bottom <= page.top || left >= page.right || top >= page.bottom) return 'off-screen';
  return partly || left < page.left || top < page.top || right > page.right || bottom > page.bottom ? PARTLY : '';
}

// unseenPseudo returns why the text of ::before or ::after of a place is not seen. There
// are no rectangles of such text, so that it counts as being where its element is.
function unseenPseudo(place, which) {
  const s = new Sight(sightOf(place)), style = getComputedStyle(place.el, which);
  if (s.soon) return '';
  s.alpha *= opacityOf(style);
  if (isCutAway(place.el, style)) return 'clipped';
  if (style.position === 'absolute' && Math.min(parseFloat(style.left), parseFloat(style.top)) < -FAR) return 'off-screen';
  s.shrunk = true;
  s.blends = s.filled = true;
  s.background = new Background(place.el, style, s.background);
  const why = unseenAtAll(s, { el: place.el, style });
  if (why !== '' || !s.shifted && s.clip === null) return why;
  const where = unseenBox(s, place.el.getBoundingClientRect());
  return where === PARTLY ? '' : where;
}

const FAR = 500; // pixels to the left or above, which no decoration of an element is

// scrolledPage returns to where a person can scroll the page, as a rectangle of the
// viewport. Downwards it has no end: scripts that scroll a page themselves show
// what is there by moving it.
function scrolledPage() {
  if (scrolled !== null) return scrolled;
  const root = document.documentElement, body = document.body ?? root;
  const rootStyle = getComputedStyle(root), style = rootStyle.overflow === 'visible' ? getComputedStyle(body) : rootStyle;
  const backwards = rootStyle.direction === 'rtl' || getComputedStyle(body).direction === 'rtl'
    || rootStyle.writingMode !== 'horizontal-tb';
  const stuck = style.overflowX === 'hidden' || style.overflowX === 'clip';
  return scrolled = {
    left: backwards && !stuck ? -Infinity : -scrollX, top: -scrollY,
    right: stuck ? root.clientWidth - scrollX : Infinity, bottom: Infinity,
  };
}

// isCutAway reports whether clip or clip-path leave nothing of an element.
function isCutAway(el, { clip, clipPath, position }) {
  const sides = /^rect\((.*)\)$/.exec(clip);
  if (sides !== null && (position === 'absolute' || position === 'fixed')) {
    const [top, right, bottom, left] = sides[1].split(/,?\s+/).map(parseFloat);
    if (right - left < TINY || bottom - top < TINY) return true;
  }
  const shape = /^(inset|circle|ellipse|polygon)\((.*)\)/.exec(clipPath);
  return shape !== null && isEmptyShape(el, shape[1], shape[2]);
}

function isEmptyShape(el, kind, parts) {
  const { width, height } = el.getBoundingClientRect();
  const length = (part, whole) => part.endsWith('%') ? parseFloat(part) / 100 * whole : parseFloat(part);
  if (kind === 'circle') return length(parts, Math.min(width, height)) < TINY / 2;
  if (kind === 'ellipse') return length(parts, width) < TINY / 2 || length(parts.split(' ')[1] ?? parts, height) < TINY / 2;
  if (kind === 'inset') {
    const [top, right = top, bottom = top, left = right] = parts.split(' round ')[0].split(' ');
    return width - length(left, width) - length(right, width) < TINY || height - length(top, height) - length(bottom, height) < TINY;
  }
  const points = parts.replace(/^(nonzero|evenodd),\s*/, '').split(/,\s*/).map(point => point.split(' '));
  const xs = points.map(([x]) => length(x, width)), ys = points.map(([, y]) => length(y ?? '0', height));
  return Math.max(...xs) - Math.min(...xs) < TINY || Math.max(...ys) - Math.min(...ys) < TINY;
}
