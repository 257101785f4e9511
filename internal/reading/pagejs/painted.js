// Painted: whether something is painted behind a text by elements that do not contain it.

// isPaintedOtherwise reports whether a text in the color of its own background may have another
// color behind it. The text may lie over a picture or a box that is not around it. Or the element
// that paints the background does not cover the text, as a box of no height does not. What is
// painted over the text changes both alike, and shows nothing.
function isPaintedOtherwise(painter, el, color) {
  const box = getComputedStyle(el).display === 'contents' ? boxOfText({ el }) : el.getBoundingClientRect();
  if (painter !== null && !isWhole(painter) && !covers(remembered(painted.boxes, painter, boundsOf), box)) return true;
  for (let e = el; e !== null && e !== painter; e = parentOf(e)) if (remembered(painted.around, e, paintsAround)) return true;
  return paintsUnlike(color).at(box).some(p => meets(p.box, box) && !p.el.contains(el) && !el.contains(p.el) && !isFaded(p.el) && !isPaintedOver(p.el, el));
}

// isPaintedOver reports whether an element (upper) is certainly painted over the text of another
// (el). Chromium first paints what has a negative z-index. Then come boxes and texts without a place in
// the stack, see Stack. Then comes what has a place, by z-index and by its order in the document. The
// top layer comes last, such as dialogs.
//
// After MOST_COMPARED comparisons in a walk, nothing counts as certain. A page could have thousands
// of texts below thousands of boxes.
function isPaintedOver(upper, el) {
  if (painted.compared++ >= MOST_COMPARED) return false;
  const around = new Set();
  for (let e = el; e !== null; e = parentOf(e)) around.add(e);
  let common = upper;
  while (common !== null && !around.has(common)) common = parentOf(common);
  const over = new Stack(upper, common), under = new Stack(el, common);
  if (over.outermost === null || over.lowest < 0 || under.isOnTop) return false;
  if (over.isOnTop || under.outermost === null || over.level > under.highest) return true;
  return over.level === under.highest && under.outermost.compareDocumentPosition(over.outermost) === Node.DOCUMENT_POSITION_FOLLOWING;
}

const MOST_COMPARED = 5000;

// A Stack describes an element and those around it which have a place in the stack: positioned
// elements and layers. It ends before an element (outer) that also holds what it is compared with.
class Stack {
  constructor(el, outer) {
    this.outermost = null; // the outermost of them
    this.level = 0;        // its z-index
    this.lowest = this.highest = 0; // the lowest and highest z-index
    this.isOnTop = false;  // one of them is in the top layer
    for (let e = el; e !== outer; e = parentOf(e)) {
      const style = getComputedStyle(e);
      if (style.position === 'static' && !isLayer(e)) continue;
      this.outermost = e;
      this.level = Number(style.zIndex) || 0;
      this.lowest = Math.min(this.lowest, this.level);
      this.highest = Math.max(this.highest, this.level);
      this.isOnTop ||= isRaised(e, e.localName);
    }
  }
}

// isFaded reports whether nothing is seen of an element, because it is transparent.
function isFaded(el) {
  return remembered(painted.alphas, el, alphaOf) < FAINT;
}

function alphaOf(el) {
  const parent = parentOf(el), around = parent === null ? 1 : remembered(painted.alphas, parent, alphaOf);
  return around * Number(getComputedStyle(el).opacity);
}

// paintsUnlike returns what is painted on the page and looks different from a given color on it.
function paintsUnlike(color) {
  const differs = p => p.color === UNKNOWN || !looksLike(color, mixed(p.color, color));
  return remembered(painted.unlike, color.join(), () => new Paints(allPaints().filter(differs)));
}

// Paints is an index of painted boxes by their position. A page can have thousands of boxes, and
// thousands of texts in the color of their background.
class Paints {
  constructor(all) {
    this.tall = [];        // paints that are in many strips
    this.strips = new Map(); // number of a strip, counted from above -> the paints in it
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

  // at returns the paints that may overlap a box.
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

// paintsAround reports whether ::before or ::after of an element paints a picture or a background.
function paintsAround(el) {
  const paints = ({ content, backgroundImage, backgroundColor }) => content !== 'none' && content !== 'normal'
    && (content.includes('url') || backgroundImage !== 'none' || rgbaOf(backgroundColor)?.[3] !== 0);
  return mayAdorn(el) && (paints(getComputedStyle(el, '::before')) || paints(getComputedStyle(el, '::after')));
}

// What a walk has found out about the painted boxes.
const painted = { all: null, boxes: new Map(), around: new Map(), unlike: new Map(), drawings: new Map(), alphas: new Map(), compared: 0 };

function forgetPaints() {
  painted.all = null;
  painted.compared = 0;
  for (const map of [painted.boxes, painted.around, painted.unlike, painted.drawings, painted.alphas]) map.clear();
}

// Elements that paint something without having a background.
const PICTURES = 'img,video,canvas,svg,iframe,embed,object,input,button,select,textarea,meter,progress,hr';

// allPaints returns what is painted on the page, and where. It is computed for the first text that
// looks unseen; most pages have no such text.
function allPaints() {
  if (painted.all !== null) return painted.all;
  const paints = painted.all = [];
  for (const root of [document, ...shadowRoots()]) {
    for (const el of root.querySelectorAll('*')) {
      const bits = hidingOf(el, el.localName), picture = (bits & ADORNS) !== 0 || el.matches(PICTURES);
      if (!(bits & BACKGROUNDS) && !picture || isWhole(el) || !shown(el)) continue;
      const color = picture ? UNKNOWN : fillOf(el, getComputedStyle(el)), box = el.getBoundingClientRect();
      if (color[3] !== 0 && box.width > 0 && box.height > 0) paints.push({ el, box, color });
    }
  }
  return paints;
}
