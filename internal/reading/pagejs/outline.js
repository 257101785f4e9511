// Letters that are not only painted in the CSS property color: with outlines and shadows, or with
// the fill and stroke of SVG.

const HAZE = 100; // pixels: a shadow with a larger blur is invisible

// An Outline describes the stroke along the edge of the letters in an element.
class Outline {
  constructor(style, written, color, width) {
    this.written = written;
    this.color = color;
    this.width = width;
    this.style = style;
  }

  // covers reports whether the outline is so wide that it covers all of a letter. At each edge,
  // half of the outline is inside of the letter. So an outline as wide as the stems of the letters
  // covers them.
  get covers() {
    if (this.color === UNKNOWN || this.color === null || this.color[3] <= 1 - FAINT) return false;
    const { style, width } = this;
    if (style.paintOrder.startsWith('stroke')) return false;
    return width >= parseFloat(style.fontSize) / (Number(style.fontWeight) < 600 ? 11 : 6);
  }
}

function htmlOutline(style) {
  const width = parseFloat(style.webkitTextStrokeWidth), written = style.webkitTextStrokeColor;
  return width > 0 ? new Outline(style, written, rgbaOf(written), width) : null;
}

function drawnOutline(el, style) {
  if (style.stroke === 'none') return null;
  const { color, written } = paintOf(el, style.stroke, style.strokeOpacity), width = parseFloat(style.strokeWidth);
  return width > 0 ? new Outline(style, written, color, width) : null;
}

// isCoveredBy reports whether the outline of a text covers the letters, and the outline itself
// cannot be seen.
function isCoveredBy(outline, s, place) {
  return outline !== null && outline.covers && !isSeenAs(s, place, outline);
}

// hasShadow reports whether a text is seen by its shadow.
function hasShadow(s, place) {
  const { textShadow } = place.style;
  return s.shadows.some(shadow => showsShadow(s, place, shadow)) || textShadow !== 'none' && partsOf(textShadow).some(written => showsShadow(s, place, new Shadow(written)));
}

// showsShadow reports whether a shadow shows the letters of a text. A blurred shadow does. Letters of
// the page's color stand out from its haze, even if the blur is three times as large as the font.
function showsShadow(s, place, { written, color, x, y, blur }) {
  if (blur > HAZE || !isLegible(s, place, written, color)) return false;
  const { left, right, top, bottom } = boxOfText(place), moved = { left: left + x, right: right + x, top: top + y, bottom: bottom + y };
  return ['', PARTLY].includes(unseenBox(s, moved));
}

// unseenDrawing returns '' if a text of SVG can be distinguished from what is painted behind it,
// else why not: 'color' or 'transparent'.
function unseenDrawing(s, place) {
  const { el, style } = place, opacity = declares('fill-opacity') ? style.fillOpacity : '1';
  const fill = paintOf(el, style.fill, opacity), outline = drawnOutline(el, style);
  if (!isCoveredBy(outline, s, place) && isSeenAs(s, place, fill) || outline !== null && isSeenAs(s, place, outline) || hasShadow(s, place)) return '';
  if (outline === null && fill.color[3] * s.alpha < FAINT) return fill.color[3] === 0 && fill.written === 'none' ? 'color' : 'transparent';
  return isPaintedOtherwise(s.background.painter, el, outline !== null && outline.covers ? outline.color : fill.color) ? '' : 'color';
}

// isSeenAs reports whether a text in a color differs from what is painted behind it. The parameter
// written is the color's text in the style.
function isSeenAs(s, place, { written, color }) {
  const legible = isLegible(s, place, written, color);
  if (place.el.namespaceURI !== SVG || color === null || color === UNKNOWN || color[3] * s.alpha < FAINT) return legible;
  return remembered(painted.drawings, outermostSVG(place.el), svg => new Drawing(svg)).shows(place, color, written, legible);
}

// paintOf returns the color that a fill or a stroke of SVG gives, UNKNOWN if there are several. It
// also returns the text of the declaration (written).
function paintOf(el, paint, opacity) {
  const color = colorOfPaint(el, paint), alpha = Number(opacity);
  if (alpha === 1 || color === UNKNOWN || color === null) return { color, written: paint };
  return { color: color.with(3, color[3] * alpha), written: paint + '/' + opacity };
}

function colorOfPaint(el, paint) {
  if (paint === 'none') return CLEAR;
  if (paint.startsWith('context-')) return el.closest('marker') === null && !isUsed(el) ? CLEAR : UNKNOWN;
  const server = /^url\("?[^"#]*#([^")]+)"?\)\s*(.*)$/.exec(paint);
  if (server === null) return rgbaOf(paint) ?? UNKNOWN;
  const found = el.getRootNode().querySelector('#' + CSS.escape(server[1]));
  return found === null ? colorOfPaint(el, server[2] || 'none') : colorOfServer(found);
}

// colorOfServer returns the color of a gradient of SVG that has a single color. For other gradients
// it returns UNKNOWN, and for an empty pattern or gradient CLEAR.
function colorOfServer(server) {
  if (PAINT_SERVERS.has(server.localName) && server.childElementCount === 0 && !server.hasAttribute('href')) return CLEAR;
  const stops = [...server.querySelectorAll('stop')].map(stop => {
    const { stopColor, stopOpacity } = getComputedStyle(stop), color = rgbaOf(stopColor);
    return color === null ? UNKNOWN : color.with(3, color[3] * Number(stopOpacity));
  });
  return stops.length > 0 && stops.every(stop => stop[3] === stops[0][3] && looksLike(stop, stops[0])) ? stops[0] : UNKNOWN;
}

const PAINT_SERVERS = words('pattern linearGradient radialGradient');

function outermostSVG(el) {
  let svg = el.ownerSVGElement ?? el;
  while (svg.ownerSVGElement) svg = svg.ownerSVGElement;
  return svg;
}

// isDrawnInSight reports whether a text of SVG is certainly seen where it is. That is so if the
// text is not tiny, and all that is drawn in its <svg> element is seen. Chromium measures a whole
// drawing as fast as one text.
function isDrawnInSight(s, place) {
  if (s.may & INDENTS || !isDrawing(place.el, place.tag)) return false;
  const scale = scaleInSight(place) * (s.turn === null ? 1 : s.turn.least);
  return scale > 0 && scale * (isLarge(place) ? LARGE : fontSizeOf(place.style)) >= TINY;
}

// scaleInSight returns the scale of the drawing that a place is in, 0 if a part of the drawing may be
// unseen. The scale of a drawing in a rotated or scaled element is not known.
function scaleInSight(place) {
  const { tag, parent } = place, isInner = tag !== 'svg' && parent !== null && isDrawing(parent.el, parent.tag);
  return place.scale ??= isInner ? scaleInSight(parent) : drawnScale(place);
}

function drawnScale({ el, sight }) {
  const matrix = sight.turn === null ? el.getScreenCTM() : null;
  if (matrix === null) return 0;
  const { x, y, width, height } = el.getBBox(), { a, d, e, f } = matrix;
  const box = { left: a * x + e, right: a * (x + width) + e, top: d * y + f, bottom: d * (y + height) + f };
  return unseenBox(sight, box) === '' ? Math.min(a, d) : 0;
}

const DRAWN_SHAPES = 'rect,path,polygon,polyline,circle,ellipse,line,use,image,foreignObject';

// A Drawing is an outermost <svg> element, with the shapes in it.
class Drawing {
  constructor(svg) {
    this.shapes = Array.from(svg.querySelectorAll(DRAWN_SHAPES), el => new Shape(el));
    this.fills = [...new Set(this.shapes.map(({ fill }) => fill))].filter(isPaint);
    this.alike = new Map(); // a color of text -> the fills that look like it
  }

  // shows reports whether a text in a color is seen. If a shape is drawn behind it, the text is
  // seen unless the uppermost such shape has the same color. Otherwise it is seen if it is legible
  // on the background outside of the drawing.
  shows(place, color, written, legible) {
    const alike = remembered(this.alike, written, () => new Set(this.fills.filter(fill => looksLike(fill, color))));
    if (legible && alike.size === 0) return true;
    const box = rectOf(place);
    for (let i = this.firstAfter(place.el) - 1; i >= 0; i--) {
      const shape = this.shapes[i];
      if (!shape.isDrawn || !meets(shape.box, box) || isFaded(shape.el)) continue;
      return !alike.has(shape.fill) || shape.fill[3] * shape.opacity < 1 || !isDrawnAt(shape.el, box);
    }
    return legible;
  }

  // firstAfter returns the index of the first shape that is drawn after a text, and so over it.
  firstAfter(text) {
    let from = 0, to = this.shapes.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      if (text.compareDocumentPosition(this.shapes[middle].el) & PRECEDES) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

const PRECEDES = 2; // Node.DOCUMENT_POSITION_PRECEDING

// A Shape is an element of SVG that is drawn. Its fill is the color inside of it, UNKNOWN if there
// are several. Most shapes are never asked for more, so the rest is computed when first needed.
class Shape {
  constructor(el) {
    this.el = el;
    this.styles = this.alpha = this.drawn = this.place = undefined;
    this.fill = el.localName === 'line' ? CLEAR : MANY_FILLS.has(el.localName) ? UNKNOWN : colorOfPaint(el, this.style.fill); // a line has no inside
  }

  get style() { return this.styles ??= getComputedStyle(this.el); }

  get opacity() { return this.alpha ??= Number(this.style.fillOpacity); }

  get isDrawn() { return this.drawn ??= this.fill[3] * this.opacity !== 0 || this.style.stroke !== 'none'; }

  get box() { return this.place ??= this.el.getBoundingClientRect(); }
}

const MANY_FILLS = words('use image foreignObject');

const isPaint = color => color !== UNKNOWN && color[3] !== 0;

// isDrawnAt reports whether a shape covers a box. It tests the corners and the middle of the box.
function isDrawnAt(shape, { left, right, top, bottom }) {
  const matrix = shape.getScreenCTM?.()?.inverse();
  if (!matrix || !shape.isPointInFill) return false;
  const points = [[left, top], [right, top], [left, bottom], [right, bottom], [(left + right) / 2, (top + bottom) / 2]];
  return points.every(([x, y]) => shape.isPointInFill(new DOMPoint(x, y).matrixTransform(matrix)));
}
