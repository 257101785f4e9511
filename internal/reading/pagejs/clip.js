// Clip: which boxes cut text off, and how far pages and boxes can be scrolled.

// Bounds are the boxes that clip the content of an element. They are found only when needed, since
// most text is known to be visible without them.
class Bounds {
  constructor(up, bits, el, tag, style, display) {
    this.up = up;
    this.bits = bits;
    this.el = el;
    this.tag = tag;
    this.style = style;
    this.display = display;
    this.around = undefined; // the innermost box that clips the element; undefined: not known yet
    this.inner = undefined;  // see clip
    this.stands = null;      // see position
    this.fixed = false;      // whether the element stays in place when the document scrolls
    this.held = undefined;   // see transformed
    this.measured = null;    // see room
  }

  // settle finds the box that clips the element. A box does not clip it if the element is
  // positioned by an ancestor of the box.
  settle() {
    if (this.around !== undefined) return this;
    const up = this.up.settle(), { bits } = this;
    let around = up.clip;
    this.fixed = up.fixed;
    // position: fixed has the bit SHIFTS, see declared.js.
    const position = bits & LEAVES && (bits & SHIFTS || around !== up.absoluteClip) ? this.position : '';
    if (position === 'fixed') {
      around = up.fixedClip;
      this.fixed = around === null;
    } else if (position === 'absolute') {
      around = up.absoluteClip;
    }
    this.around = around;
    return this;
  }

  // clip returns the innermost box that clips the content of the element.
  get clip() {
    if (this.inner === undefined) this.inner = this.bits & CLIPS ? clipOf(this) : this.settle().around;
    return this.inner;
  }

  // room returns the Room of the element. It is made at the first use.
  get room() {
    return this.measured ??= new Room(this.el);
  }

  get position() {
    return this.stands ??= this.bits & STANDS ? this.style.position : 'static';
  }

  // absoluteClip returns the innermost box that clips descendants with position: absolute.
  get absoluteClip() {
    const { clip } = this, around = this.up.absoluteClip;
    return clip !== around && (this.position !== 'static' || this.transformed) ? clip : around;
  }

  // fixedClip returns the innermost box that clips descendants with position: fixed.
  get fixedClip() {
    return this.transformed ? this.clip : this.up.fixedClip;
  }

  // transformed reports whether descendants with position: fixed move with the element.
  get transformed() {
    return this.held ??= (this.bits & HOLDS) !== 0 && holdsFixed(this.style);
  }
}

const UNBOUND = { clip: null, absoluteClip: null, fixedClip: null, fixed: false, settle() { return this; } };
const UNBOUND_FIXED = { ...UNBOUND, fixed: true };

// holdsFixed reports whether descendants with position: fixed move with an element.
function holdsFixed(style) {
  return style.transform !== 'none' || style.filter !== 'none' || style.perspective !== 'none' || style.translate !== 'none'
    || style.scale !== 'none' || style.rotate !== 'none' || /paint|layout|strict|content/.test(style.contain)
    || /transform|filter|perspective/.test(style.willChange) || style.containerType !== 'normal';
}

// clipOf returns the clip for the content of an element: the element's own clip, or else the clip
// around the element. Overflow of the root element applies to the viewport.
function clipOf(bounds) {
  const { bits, el, tag, style, display } = bounds, { around } = bounds.settle();
  if (tag === 'html' || tag === 'body' && getComputedStyle(document.documentElement).overflow === 'visible') return around;
  const { overflow } = style;
  const clips = overflow !== 'visible' || clipsContents && (bits & HOLDS) !== 0 && /paint|strict|content/.test(style.contain);
  if (!clips || tag !== 'svg' && /^(inline|table-(row|header|footer|col).*)$/.test(display)) return around;
  const [x, y = x] = overflow.split(' ');
  return new Clip(bounds, SCROLLS.has(x), SCROLLS.has(y));
}

// A Room caches three facts about an element: its size inside the borders in pixels, whether its
// content overflows, and its box in the viewport. Reading each of these from Chromium takes as long
// as reading the element's styles, so each is read only once.
class Room {
  constructor(el) {
    this.el = el;
    this.box = null; // see rect
    this.ownWidth = this.ownHeight = this.overWidth = this.overHeight = undefined;
  }

  get width() { return this.ownWidth ??= this.el.clientWidth; }

  get height() { return this.ownHeight ??= this.el.clientHeight; }

  get rect() { return this.box ??= this.el.ownerSVGElement ? boxInDrawing(this.el) : this.el.getBoundingClientRect(); }

  get isTiny() { return this.height < TINY || this.width < TINY; }

  get tooWide() { return this.overWidth ??= this.el.scrollWidth > this.width + 1; }

  get tooHigh() { return this.overHeight ??= this.el.scrollHeight > this.height + 1; }
}

// boxInDrawing returns the box of an <svg> element. An inner <svg> element cuts off content outside
// of its box, but getBoundingClientRect returns the box around all its content. So the box is
// computed from its attributes.
function boxInDrawing(el) {
  const around = el.localName === 'svg' ? parentOf(el).getScreenCTM?.() : null;
  if (!around) return el.getBoundingClientRect();
  const [x, y, width, height] = [el.x, el.y, el.width, el.height].map(length => length.baseVal.value), { a, d, e, f } = around;
  return new DOMRect(a * x + e, d * y + f, a * width, d * height);
}

// A Clip is a box that shows only a part of its content. It is measured when it is first needed.
class Clip {
  constructor({ el, style, room, around }, scrollsX, scrollsY) {
    this.el = el;
    this.style = style;
    this.room = room;
    this.scrollsX = scrollsX;
    this.scrollsY = scrollsY;
    this.up = around;
    this.places = null;
    this.tooHigh = null;
    this.tooLarge = null;
  }

  // mayCut reports whether the box may cut off text that is directly in it and begins at its left
  // edge.
  get mayCut() {
    return this.tooHigh ??= this.room.isTiny || !this.scrollsY && this.room.tooHigh;
  }

  // cuts reports whether this box, or one around it, may cut off an element that no style moves.
  get cuts() {
    return this.tooLarge ??= this.mayCut || !this.scrollsX && this.room.tooWide
      || this.up !== null && this.up.cuts;
  }

  // measure returns where the box is in the viewport, and how far a person can scroll in it.
  measure() {
    return this.places ??= this.look();
  }

  look() {
    const { el, style, scrollsX, scrollsY } = this, { left, right, top, bottom } = this.room.rect;
    if (!scrollsX && !scrollsY) return { left, right, top, bottom, firstX: -Infinity, firstY: -Infinity, leftmost: left, topmost: top };
    const [x, y] = contentStart(el, left, top, style), firstX = scrollsX ? x : -Infinity, firstY = scrollsY ? y : -Infinity;
    return { left, right, top, bottom, firstX, firstY, leftmost: scrollsX ? firstX : left, topmost: scrollsY ? firstY : top };
  }
}

// contentStart returns where in the viewport the content of a box begins, as [x, y]. The box is at
// left and top. No scrolling reaches what lies before that. The result is [-Infinity, -Infinity] if
// the content may extend to the left or upwards.
function contentStart(el, left, top, style) {
  const { scrollLeft, scrollTop } = el;
  const backwards = style.direction === 'rtl' || style.writingMode !== 'horizontal-tb' || style.flexDirection.endsWith('reverse')
    || scrollLeft < 0 || scrollTop < 0;
  return backwards ? [-Infinity, -Infinity] : [left - scrollLeft, top - scrollTop];
}

const SCROLLS = words('auto scroll overlay');

const PARTLY = 'partly';

// unseenBox returns why the content of a rectangle of the viewport is not seen. It returns '' if
// all of it is seen, and PARTLY if a part is. Content in a box that scrolls counts as seen if a
// person can scroll it into that box.
function unseenBox(s, { left, right, top, bottom }, innermost = s.clip) {
  if (right - left < TINY || bottom - top < TINY) return 'small';
  let partly = false;
  for (let clip = innermost; clip !== null; clip = clip.up) {
    const c = clip.measure(), { scrollsX, scrollsY } = clip;
    if (right <= c.firstX || bottom <= c.firstY) return 'off-screen';
    partly ||= left < c.leftmost || top < c.topmost || !scrollsX && right > c.right || !scrollsY && bottom > c.bottom;
    if (scrollsX) [left, right] = [c.left, c.right];
    else [left, right] = [Math.max(left, c.left), Math.min(right, c.right)];
    if (scrollsY) [top, bottom] = [c.top, c.bottom];
    else [top, bottom] = [Math.max(top, c.top), Math.min(bottom, c.bottom)];
    if (right - left < TINY || bottom - top < TINY) return 'clipped';
  }
  const inWindow = s.bounds.settle().fixed && s.bounds.fixedClip === null;
  const page = inWindow ? { left: 0, top: 0, right: innerWidth, bottom: innerHeight } : scrolledPage();
  if (right <= page.left || bottom <= page.top || left >= page.right || top >= page.bottom) return 'off-screen';
  return partly || left < page.left || top < page.top || right > page.right || bottom > page.bottom ? PARTLY : '';
}

// scrolledPage returns how far a person can scroll the page, as a rectangle of the viewport. The
// rectangle has no lower end: some pages implement scrolling themselves, and show content further
// down by moving it.
function scrolledPage() {
  return scrolled ??= findScrolledPage();
}

function findScrolledPage() {
  const root = document.documentElement, body = document.body ?? root;
  const rootStyle = getComputedStyle(root), style = rootStyle.overflow === 'visible' ? getComputedStyle(body) : rootStyle;
  const backwards = rootStyle.direction === 'rtl' || getComputedStyle(body).direction === 'rtl'
    || rootStyle.writingMode !== 'horizontal-tb';
  const stuck = style.overflowX === 'hidden' || style.overflowX === 'clip';
  return {
    left: backwards && !stuck ? -Infinity : -scrollX, top: -scrollY,
    right: stuck ? root.clientWidth - scrollX : Infinity, bottom: Infinity,
  };
}

// showsNoContent reports whether an element shows nothing of what is in it. That is so for a column
// of a table, and for an element that shows an image in place of its content.
function showsNoContent({ display, content }) {
  return display.startsWith('table-column') || INSTEAD.test(content);
}

// isCutAway reports whether clip, clip-path or masks hide the whole element. The parameter turned
// says that an ancestor is rotated or scaled.
function isCutAway(el, style, turned = false) {
  const sides = /^rect\((.*)\)$/.exec(style.clip);
  const clips = sides !== null && /absolute|fixed/.test(style.position);
  if (declares('mask-image') && isMaskedAway(el, style)) return true;
  const shape = /^(inset|circle|ellipse|polygon)\((.*)\)/.exec(style.clipPath);
  if (!clips && shape === null) return false;
  const box = el.getBoundingClientRect(), isTurned = turned || style.transform !== 'none';
  return clips && isOutside(el, isTurned, boxOfClip(box, sides[1])) || shape !== null && isOutside(el, isTurned, boxOfShape(box, shape[1], shape[2]),
    part => shape[1] !== 'polygon' || isInPolygon(box, shape[2], part));
}

// boxOfClip returns the box that the four sides in a value of clip leave of an element's box.
function boxOfClip({ left, top, width, height }, sides) {
  const [above, right, below, before] = sides.split(/,?\s+/).map((side, i) => side === 'auto' ? [0, width, height, 0][i] : parseFloat(side));
  return { left: left + before, top: top + above, right: left + right, bottom: top + below };
}

// isOutside reports whether a clip-path hides all that is in an element. The parameter box is around
// the shape, and holds reports whether the shape itself meets a part of that box. If the element is
// rotated, its box is not known.
function isOutside(el, turned, box, holds = () => true) {
  if (box.right - box.left < TINY || box.bottom - box.top < TINY) return true;
  const text = turned ? null : el.localName === 'iframe' ? el.getBoundingClientRect() : boxOfText({ el });
  if (text === null || text.width <= 0) return false;
  const left = Math.max(box.left, text.left), top = Math.max(box.top, text.top);
  return !(meets(box, text) && holds({ left, top, width: Math.min(box.right, text.right) - left, height: Math.min(box.bottom, text.bottom) - top }));
}

// isInPolygon reports whether a polygon, whose lines may cross, meets a part of an element's box. It
// looks at points in a grid. A polygon with a length that cannot be computed counts as around it.
function isInPolygon({ left, top, width, height }, parts, part) {
  const [, rule = 'nonzero', points] = /^(?:(nonzero|evenodd),)?(.*)$/.exec(parts), path = new Path2D();
  for (const [x, y] of partsOf(points).map(termsOf)) {
    const at = [left + lengthIn(x, width), top + lengthIn(y, height)];
    if (at.includes(NaN)) return true;
    path.lineTo(...at);
  }
  const board = new OffscreenCanvas(1, 1).getContext('2d');
  for (let row = 0.5; row < GRID_ROWS; row++) {
    for (let column = 0.5; column < GRID_COLUMNS; column++) {
      if (board.isPointInPath(path, part.left + part.width * column / GRID_COLUMNS, part.top + part.height * row / GRID_ROWS, rule)) return true;
    }
  }
  return false;
}

const GRID_ROWS = 20, GRID_COLUMNS = 50;

// boxOfShape returns the box of a clip-path shape. A length that cannot be computed counts as
// infinite.
function boxOfShape({ left, top, width, height }, kind, parts) {
  const length = (part, whole, other) => {
    const pixels = part === undefined ? NaN : Number(part) === 0 ? 0 : lengthIn(part, whole);
    return Number.isNaN(pixels) ? other : pixels;
  };
  const within = (x1, y1, x2, y2) => ({ left: left + x1, top: top + y1, right: left + x2, bottom: top + y2 });
  if (kind === 'inset') {
    const [above, right = above, below = above, before = right] = termsOf(parts.split(' round ')[0]);
    return within(length(before, width, 0), length(above, height, 0), width - length(right, width, 0), height - length(below, height, 0));
  }
  if (kind === 'polygon') {
    const points = partsOf(parts.replace(/^(nonzero|evenodd),\s*/, '')).map(termsOf);
    const xs = points.map(([x]) => length(x, width, 0)), ys = points.map(([, y]) => length(y, height, 0));
    return within(Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys));
  }
  const [radii, at = '50% 50%'] = parts.split(/\s*\bat /), [rx, ry = rx] = termsOf(radii), [cx, cy] = termsOf(at);
  const round = Math.hypot(width, height) / Math.SQRT2; // percentages of a circle's radius refer to this length
  const across = length(rx, kind === 'circle' ? round : width, width), down = length(ry, kind === 'circle' ? round : height, height);
  const x = length(cx, width, width / 2), y = length(cy, height, height / 2);
  return within(x - across, y - down, x + across, y + down);
}
