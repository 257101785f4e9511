// Background: what the ancestors of a text paint behind it.

const UNKNOWN = []; // an unknown color, such as that of a picture
const CLEAR = [0, 0, 0, 0];
const EDGE = 8; // pixels: a strip of this width along the edge of a box counts as having no text on it

// A Background holds the layers that one element (el) paints behind its text. It also holds the
// Background of the parent element (up), which shows where these layers are transparent.
class Background {
  constructor({ el, style, visible = style.visibility === 'visible' }, up, mayBeLayered) {
    this.el = el;
    this.style = style;
    this.visible = visible;
    this.up = up;
    this.mayBeLayered = mayBeLayered;
    this.isLayered = undefined; // see layered
    this.below = undefined;   // see layers
    this.above = undefined;   // see overlays
    this.shown = null;        // see color
    this.legible = new Set(); // colors of text that were found to differ from this background
  }

  // color returns the visible color, or UNKNOWN if it differs from place to place.
  get color() {
    return this.shown ??= this.seenAt(null);
  }

  // layered reports whether several layers may be painted over each other. The visible color is
  // then a mixture that no style sheet declares, so comparing text with the declared colors
  // (isUnlikeAll) is not enough.
  get layered() {
    return this.isLayered ??= this.mayBeLayered && this.hasLayers || this.up.layered && !this.isOpaque;
  }

  get hasLayers() {
    return this.overlays.length > 0 || declares('backdrop-filter') && this.style.backdropFilter !== 'none';
  }

  // layers lists what the element paints behind its text, the uppermost layer first.
  get layers() {
    return this.below ??= layersOf(this);
  }

  // overlays lists the images and inset shadows, which are painted above the background color. They
  // are looked at first: Chromium serializes these styles several times as fast as the color, and
  // most elements have none.
  get overlays() {
    return this.above ??= this.mayBeLayered ? overlaysOf(this) : [];
  }

  // depends reports whether the color differs from place to place within the element.
  get depends() {
    return this.layers.some(layer => layer.place !== EVERYWHERE) || !this.isOpaque && this.up.depends;
  }

  get isOpaque() {
    return this.layers.some(({ color, place }) => place === EVERYWHERE && (color === UNKNOWN || color[3] === 1));
  }

  // painter returns the element that paints the color behind the text, null for the empty page.
  get painter() {
    return this.layers.length === 0 ? this.up.painter : this.el;
  }

  // seenAt returns the color that is seen behind a box, UNKNOWN if there are several. If another
  // Background is given as outside, only the layers that are painted above it count.
  seenAt(box, outside = null) {
    if (this === outside) return CLEAR;
    const seen = [];
    for (const { color, place } of this.layers) {
      const where = place(box);
      if (where === NOWHERE) continue;
      if (where === PARTLY || color === UNKNOWN) return UNKNOWN;
      seen.push(color);
      if (color[3] === 1) return paintedOver(seen, CLEAR);
    }
    const behind = this.up.seenAt(box, outside);
    return behind === UNKNOWN ? UNKNOWN : paintedOver(seen, this.filtered(behind));
  }

  filtered(behind) {
    const filter = declares('backdrop-filter') ? this.style.backdropFilter : 'none';
    return filter === 'none' ? behind : drawnOver(behind, CLEAR, 'normal', colorFilters(filter));
  }
}

// paintedOver returns the color that is seen if colors are painted over the color below. The first
// of them is the uppermost.
function paintedOver(colors, below) {
  return colors.reduceRight((under, color) => mixed(color, under), below);
}

// The place of a layer is a function. It says how much of a box lies on the layer: ALL, NOWHERE or
// PARTLY.
const ALL = 'all', NOWHERE = 'nowhere';
const EVERYWHERE = () => ALL;
const SEVERAL = [{ color: UNKNOWN, place: EVERYWHERE }]; // the layers of an element that paints several colors: one layer of unknown color

// The empty page, below all other backgrounds.
const CANVAS = {
  get color() { return canvas ??= canvasColor(); },
  seenAt(box, outside) { return outside === CANVAS ? CLEAR : this.color; },
  painter: null, layered: false, depends: false, legible: new Set(),
};
let canvas = null; // the color of the empty page; null: not needed so far

const plainBackground = color => ({ color, seenAt: () => color, painter: null, layered: false, depends: false, legible: new Set() });
const NO_BACKGROUND = plainBackground(UNKNOWN);

// canvasColor returns the color of the empty page. In a frame it returns UNKNOWN, because the page
// around the frame shows through.
function canvasColor() {
  if (window !== top) return UNKNOWN;
  const root = document.documentElement, colorScheme = root === null ? 'normal' : getComputedStyle(root).colorScheme;
  const scheme = colorScheme === 'normal' ? schemeOfPage() : colorScheme;
  const dark = /dark/.test(scheme) && (!/light/.test(scheme) || matchMedia('(prefers-color-scheme: dark)').matches);
  return dark ? [18, 18, 18, 1] : [255, 255, 255, 1];
}

// schemeOfPage returns the color scheme that a <meta> element gives to the page, '' if none does.
// The computed styles do not have it.
function schemeOfPage() {
  return [...document.querySelectorAll('meta[name="color-scheme" i]')].map(({ content }) => content).find(scheme => CSS.supports('color-scheme', scheme)) ?? '';
}

// fillOf returns the color that an element is filled with, UNKNOWN if there are several.
function fillOf(el, style) {
  return new Background({ el, style }, plainBackground(CLEAR), true).color;
}

// layersOf lists the layers that an element paints behind its text, such as background images and
// inset shadows. In SVG only the outermost element has a background.
function layersOf(background) {
  const { style, overlays } = background, layers = overlays.concat(fillsOf(style));
  if (layers.length === 0 || isUnpainted(background)) return [];
  if (!declares('background-clip') || !style.backgroundClip.includes('text')) return layers;
  const shadows = layers.filter(layer => layer.isShadow);
  return shadows.length === layers.length || style.backgroundClip === 'text' ? shadows : shadows.concat(SEVERAL);
}

// overlaysOf lists the image of the border, the inset shadows and the background images of an
// element.
function overlaysOf({ el, style }) {
  const border = declares('border-image') && style.borderImageSlice.includes('fill') && style.borderStyle !== 'none' ? gradientColor(style.borderImageSource) : CLEAR;
  const shadows = declares('box-shadow') ? shadowLayers(el, style.boxShadow) : [], images = imagesOf(el, style);
  return [...border[3] === 0 ? [] : [{ color: border, place: EVERYWHERE }], ...shadows, ...images];
}

// isUnderBackground reports whether a background covers an element with a negative z-index. Such an
// element is painted before the backgrounds of its ancestors, up to the next stacking context.
function isUnderBackground(el, background) {
  let behind = background;
  for (let e = parentOf(el); e !== null && !isWhole(e) && !isLayer(e); e = parentOf(e)) {
    if (behind.el !== e) continue;
    const covered = behind.layers.some(({ color, place }) => place === EVERYWHERE && color[3] === 1);
    if (covered && covers(boundsOf(e), boundsOf(el))) return true;
    behind = behind.up;
  }
  return false;
}

// isUnpainted reports whether an element paints no background.
function isUnpainted({ el, visible }) {
  return !visible && !isWhole(el) || el.namespaceURI === SVG && el.ownerSVGElement !== null;
}

// fillsOf lists the background color of an element as a layer, and nothing if it is transparent.
function fillsOf({ backgroundColor }) {
  const color = rgbaOf(backgroundColor) ?? UNKNOWN;
  return color[3] === 0 ? [] : [{ color, place: EVERYWHERE }];
}

// imagesOf lists the background images of an element that are painted where text may be.
function imagesOf(el, style) {
  if (style.backgroundImage === 'none') return [];
  const images = remembered(imageLists, style.backgroundImage, partsOf), sizes = partsOf(style.backgroundSize), repeats = partsOf(style.backgroundRepeat);
  const blends = declares('background-blend-mode') && /[^normal, ]/.test(style.backgroundBlendMode), layers = [];
  let positions = null; // positions of images that do not fill the element
  for (let i = 0; i < images.length; i++) {
    const color = blends ? UNKNOWN : remembered(gradients, images[i], gradientColor), repeat = repeats[i % repeats.length].trim();
    const size = sizes[i % sizes.length].trim();
    if (color[3] === 0) continue;
    if (size === 'auto' && repeat === 'repeat') {
      layers.push({ color, place: EVERYWHERE });
      continue;
    }
    positions ??= partsOf(style.backgroundAttachment.includes('fixed') ? '0% 0%' : style.backgroundPosition);
    const place = imagePlace(el, size, positions[i % positions.length], repeat);
    if (place !== null) layers.push({ color, place });
  }
  return layers;
}

const imageLists = new Map(); // a value of background-image -> its parts
const gradients = new Map(); // a gradient, as written in computed styles -> its color

// partsOf splits a list at the separators, one character each, outside of parentheses and quotes.
function partsOf(list, separator = ',') {
  if (!list.includes(separator)) return [list];
  const parts = [];
  let depth = 0, from = 0, quoted = false;
  for (let i = 0; i < list.length; i++) {
    const char = list[i];
    if (char === '"' && list[i - 1] !== '\\') quoted = !quoted;
    else if (quoted) continue;
    else if (char === '(') depth++;
    else if (char === ')') depth--;
    else if (char === separator && depth === 0) {
      parts.push(list.slice(from, i).trim());
      from = i + 1;
    }
  }
  return [...parts, list.slice(from).trim()];
}

const COLORS_IN = /\b(?:rgba?|color|oklab|oklch|lab|lch)\([^()]*\)/g;

// gradientColor returns the color of a gradient with a single color, CLEAR if it is transparent.
// For other gradients and for pictures it returns UNKNOWN.
function gradientColor(image) {
  if (image.trim() === 'none') return CLEAR;
  const stops = image.includes('gradient(') ? shownStops(image).match(COLORS_IN)?.map(rgbaOf) : undefined;
  if (stops === undefined || stops.includes(null)) return UNKNOWN;
  if (stops.every(stop => stop[3] < FAINT)) return CLEAR;
  const [first] = stops;
  return stops.every(stop => Math.abs(stop[3] - first[3]) < FAINT && looksLike(stop, first)) ? first : UNKNOWN;
}

// shownStops returns a linear gradient without the stops that are hidden, because other stops at
// the edges leave no room for them.
function shownStops(image) {
  const linear = /^linear-gradient\((.*)\)$/.exec(image.trim());
  if (linear === null) return image;
  const stops = partsOf(linear[1]), at = stops.map(stop => /[\s)](-?[\d.]+)(%|px)$/.exec(stop));
  const first = at.findLastIndex(place => place !== null && Number(place[1]) <= 0);
  const last = at.findIndex(place => place !== null && place[2] === '%' && Number(place[1]) >= 100);
  return stops.slice(Math.max(0, first), last < 0 ? undefined : last + 1).join();
}

// isMaskedAway reports whether masks leave nothing of an element.
function isMaskedAway(el, style) {
  const { maskImage, maskSize, maskPosition, maskRepeat, webkitMaskBoxImageSource: aroundBox } = style;
  if (aroundBox !== 'none' && gradientColor(aroundBox) === CLEAR) return true;
  if (maskImage === 'none') return false;
  const sizes = partsOf(maskSize), positions = partsOf(maskPosition), repeats = partsOf(maskRepeat), clips = partsOf(style.maskClip);
  return partsOf(maskImage).every((image, i) => image === 'none' || gradientColor(image) === CLEAR
    || clips[i % clips.length] === 'content-box' && isOutside(el, style.transform !== 'none', contentBox(el, style))
    || imagePlace(el, sizes[i % sizes.length], positions[i % positions.length], repeats[i % repeats.length]) === null);
}

// contentBox returns the box of an element without its borders and paddings.
function contentBox(el, style) {
  const { left, right, top, bottom } = el.getBoundingClientRect(), rim = side => parseFloat(style['padding' + side]) + parseFloat(style[`border${side}Width`]);
  return { left: left + rim('Left'), right: right - rim('Right'), top: top + rim('Top'), bottom: bottom - rim('Bottom') };
}

// imagePlace returns where a background image is painted, null if it is not painted where text may
// be.
function imagePlace(el, size, position, repeat) {
  const box = el.getBoundingClientRect(), [width, height = 'auto'] = termsOf(size);
  const [x, y] = termsOf(position), [across, down = across] = repeatsOf(repeat);
  const columns = extentOf(box.left, box.width, width, x, across), rows = extentOf(box.top, box.height, height, y, down);
  if (columns === null || rows === null) return null;
  const [left, right] = columns, [top, bottom] = rows, area = { left, right, top, bottom };
  if (covers(area, box)) return EVERYWHERE;
  return at => at === null ? PARTLY : !meets(area, at) ? NOWHERE : covers(area, at) ? ALL : PARTLY;
}

function repeatsOf(repeat) {
  return repeat === 'repeat-x' ? ['repeat', 'no-repeat'] : repeat === 'repeat-y' ? ['no-repeat', 'repeat'] : repeat.split(' ');
}

// extentOf returns the start and end of a background image in one direction, in pixels. It returns
// null if the image is thinner than half a pixel.
function extentOf(start, room, size, position, repeat) {
  const long = lengthIn(size, room), end = start + room;
  if (long < 0.5) return null;
  if (repeat !== 'no-repeat' || Number.isNaN(long)) return [start, end];
  const at = lengthIn(position, room - long);
  const [from, to] = [Math.max(start, start + at), Math.min(end, start + at + long)]; // NaN if the position cannot be computed: then the image counts as covering nothing
  return to - from <= Math.min(EDGE, room / 2) ? null : [from, to];
}

// lengthIn converts a computed length to pixels. Its percentages refer to the parameter whole.
// For a length that depends on more than that lengthIn returns NaN.
function lengthIn(length, whole) {
  if (/^-?[\d.e+-]+(px|%)$/.test(length)) return length.endsWith('%') ? parseFloat(length) / 100 * whole : parseFloat(length);
  if (!/^(calc|min|max|clamp)\(/.test(length)) return NaN;
  try {
    return CSSNumericValue.parse(length.replace(/-?[\d.]+(e[+-]?\d+)?%/g, share => parseFloat(share) / 100 * whole + 'px')).to('px').value;
  } catch {
    return NaN;
  }
}

// termsOf splits a value at the spaces outside of parentheses.
const termsOf = value => partsOf(value, ' ').filter(term => term !== '');

// A Shadow is the shadow of a text, of a box or of a filter, as getComputedStyle returns it.
class Shadow {
  constructor(written) {
    this.written = written.match(/[a-z]+\([^()]*\)/)?.[0] ?? '';
    this.color = rgbaOf(this.written) ?? UNKNOWN;
    [this.x, this.y, this.blur, this.spread = 0] = written.replace(this.written, '').match(/-?[\d.e+-]+px/g)?.map(parseFloat) ?? [0, 0, 0, 0];
  }
}

// shadowLayers lists the inset shadows of an element's box, which are painted behind its text.
function shadowLayers(el, boxShadow) {
  const layers = [];
  for (const shadow of remembered(innerShadows, boxShadow, innerShadowsOf)) {
    const place = shadowPlace(el, shadow);
    if (place !== null) layers.push({ color: shadow.color, place, isShadow: true });
  }
  return layers;
}

const innerShadows = new Map(); // a value of box-shadow -> its inset shadows

function innerShadowsOf(boxShadow) {
  const inner = partsOf(boxShadow).filter(written => written.includes('inset')).map(written => new Shadow(written));
  return inner.filter(({ color }) => color[3] !== 0);
}

// shadowPlace returns where an inset shadow is painted: around a hole in the middle of the box. It
// returns null if the shadow is only a line at the edge.
function shadowPlace(el, { x, y, blur, spread }) {
  const widest = Math.max(spread + Math.abs(x), spread + Math.abs(y)) + blur;
  if (widest <= EDGE) return null;
  if (spread - Math.max(Math.abs(x), Math.abs(y)) - blur > LARGEST_BOX) return EVERYWHERE;
  const box = el.getBoundingClientRect();
  const hole = by => ({ left: box.left + spread + x + by, right: box.right - spread + x - by, top: box.top + spread + y + by, bottom: box.bottom - spread + y - by });
  const open = hole(blur / 2), shut = hole(-blur / 2);
  if (!meets(shut, box)) return EVERYWHERE;
  return at => at !== null && !meets(shut, at) ? ALL : at !== null && covers(open, at) ? NOWHERE : PARTLY;
}

const LARGEST_BOX = 4000; // pixels: text in larger boxes is not checked
