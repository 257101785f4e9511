// Tint: how filters and blend modes change the colors in an element.

// A Filter holds the effects of a value of the CSS property filter: on colors, blur and shadows.
class Filter {
  constructor(written) {
    this.colors = colorFilters(written);
    this.isKnown = !written.includes('url(');
    this.blur = Math.hypot(...[...written.matchAll(/blur\(([\d.e+-]+)px\)/g)].map(([, length]) => parseFloat(length)));
    this.shadows = [...written.matchAll(/drop-shadow\(((?:[^()]|\([^()]*\))*)\)/g)].map(([, shadow]) => new Shadow(shadow));
  }
}

const filters = new Map(); // filter as computed styles write it -> Filter
const filterOf = written => remembered(filters, written, () => new Filter(written));

// A Tint describes how the filter and the blend mode of an element change the colors in it. The
// elements around it may have tints of their own (up).
class Tint {
  constructor(el, mode, filter, outside, up) {
    this.el = el;
    this.mode = mode;
    this.filter = filter.colors;
    this.isKnown = filter.isKnown;
    this.outside = outside;   // the background that the element is painted on
    this.up = up;
    this.legible = new Set(); // colors of text that were already found to differ from outside
    this.blendedWith = undefined; // see backdrop
  }

  // shown returns what a color in the element becomes by the filter and the blend mode, before it
  // is painted on what is outside. If onPage is true, the empty page counts as a backdrop.
  shown(color, onPage) {
    const { mode, filter } = this, backdrop = onPage || !this.isOnPage ? this.backdrop : CLEAR;
    if (backdrop === UNKNOWN || !this.isKnown) return UNKNOWN;
    const filtered = filter === '' ? color : drawnOver(color, CLEAR, 'normal', filter);
    return backdrop === CLEAR || filtered[3] === 0 ? filtered : drawnOver(filtered, backdrop, mode, '');
  }

  // isOnPage reports whether the element is painted on the empty page. Chromium blends with the
  // empty page in some cases only.
  get isOnPage() {
    return this.outside.painter === null && this.outside !== NO_BACKGROUND;
  }

  // backdrop returns the color that the element is blended with. It is CLEAR if what is behind the
  // element is painted in another layer.
  get backdrop() {
    return this.blendedWith ??= this.findBackdrop();
  }

  findBackdrop() {
    const { outside } = this, { painter } = outside;
    if (this.mode === 'normal') return CLEAR;
    for (let e = parentOf(this.el); e !== null && e !== painter; e = parentOf(e)) if (isLayer(e)) return CLEAR;
    return outside.color;
  }
}

// colorFilters returns the functions of a filter that change colors, separated by spaces.
function colorFilters(filter) {
  return filter.match(/(brightness|contrast|grayscale|hue-rotate|invert|saturate|sepia)\([^()]*\)/g)?.join(' ') ?? '';
}

// isLayer reports whether an element is a layer. Content of a layer is not blended with anything
// outside of the layer.
function isLayer(el) {
  const style = getComputedStyle(el), none = property => (style[property] ?? 'none') === 'none';
  return Number(style.opacity) < 1 || style.isolation === 'isolate' || style.mixBlendMode !== 'normal' || /fixed|sticky/.test(style.position)
    || style.zIndex !== 'auto' && (style.position !== 'static' || /flex|grid/.test(getComputedStyle(parentOf(el) ?? el).display))
    || holdsFixed(style) || !none('clipPath') || !none('maskImage') || !none('backdropFilter') || /opacity/.test(style.willChange);
}

const BLACK = [0, 0, 0, 1], WHITE = [255, 255, 255, 1];

// differsInTint reports the same as differs, for a text in elements with a Tint. The parameter under
// is the color directly behind the text, above the background.
function differsInTint(s, color, box, under = CLEAR) {
  return differsOnPage(s, color, box, under, true) || differsOnPage(s, color, box, under, false);
}

function differsOnPage(s, color, box, under, onPage) {
  let text = color, around = under, from = s.background;
  for (let { tint } = s; tint !== null; tint = tint.up) {
    const behind = from.seenAt(box, tint.outside);
    if (behind === UNKNOWN) return true;
    [text, around] = [tint.shown(mixed(text, behind), onPage), tint.shown(mixed(around, behind), onPage)];
    if (text === UNKNOWN || around === UNKNOWN) return true;
    from = tint.outside;
  }
  const behind = from.seenAt(box);
  return behind === UNKNOWN || !looksLike(mixed(text, behind), mixed(around, behind));
}

const drawnColors = new Map();

// drawnOver returns the color that is seen where one color (over) is painted on another (under),
// with a blend mode and a filter. Chromium itself computes it, on a canvas, since only few colors
// are asked for.
function drawnOver(over, under, mode, filter) {
  const how = mode === 'normal' ? 'source-over' : mode === 'plus-lighter' ? 'lighter' : mode;
  return remembered(drawnColors, [over, under, how, filter].join('|'), () => drawnWith([{ color: cssColor(under) }, { color: cssColor(over), how, filter }]));
}

function cssColor([r, g, b, alpha]) { return `rgb(${r} ${g} ${b} / ${alpha})`; }

// drawnWith paints colors over each other on a canvas, in this order, and returns the color that is
// seen.
function drawnWith(all) {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  for (const { color, how = 'source-over', filter = '' } of all) {
    canvas.globalCompositeOperation = how;
    canvas.filter = filter === '' ? 'none' : filter;
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
  }
  const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
  return [r, g, b, a / 255];
}
