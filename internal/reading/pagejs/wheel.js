// The mouse wheel: which boxes it can scroll at a point, and when it has done so.

// The wheel event that is expected in this document, null if none is. Its fields are:
//
//	boxes      the boxes that can be scrolled there, the innermost first, each with its
//	           position (from) and its end in each direction (ends) before the event
//	contained  the boxes around the innermost one must not be scrolled in its place
//	event      the event, as soon as it has come to this document
//	kept       Chromium was kept from scrolling the boxes around, see contain
//	scrolls    how many scroll events have come since
//	ended      whether a scrollend has come since the last of them
//	stop       ends listening
let wheel = null;

// Elements that have been scrolled to the end since the first wheel event of an act.
let atEnds = new WeakSet();

// If a box can be scrolled by at most this many pixels, its range comes only from rounded line
// heights. The wheel then scrolls the boxes around it.
const NO_RANGE = 4;

// expectWheel prepares for a wheel event at a point of this viewport, and returns
//
//	owner, x, y  the ref number of the iframe that is there, 0 if none, and the point in it
//	boxes        what can be scrolled there, the innermost first, see stateOf
//	page         the same for the document
function expectWheel(x, y, { contained, first }) {
  endWheel();
  if (first) atEnds = new WeakSet();
  if (!contained) wheelElement = 0;
  const hit = deepest(x, y);
  const stop = new AbortController();
  const w = wheel = { boxes: boxesAround(hit).map(asBox), contained, event: null, kept: false, scrolls: 0, ended: false, stop };
  listenForWheel(w);
  const owner = hit !== null && /^i?frame$/.test(hit.localName) ? hit : null;
  return {
    owner: owner ? refOf(owner) : 0, ...owner ? into(owner, x, y) : { x, y },
    boxes: w.boxes.map(stateOf), page: stateOf(asBox(pageBox())),
  };
}

function asBox(el) { return { el, from: positionOf(el), ends: endsOf(el) }; }

// pageBox returns the element that stands for the document's own box. For a document without a root,
// it is one that cannot be scrolled.
function pageBox() { return document.scrollingElement ?? document.documentElement ?? document.createElement('html'); }

// listenForWheel listens at the boxes themselves: scroll events do not leave shadow trees. Scroll
// events of the document's own box are dispatched to the document.
function listenForWheel(w) {
  const { signal } = w.stop;
  const note = () => { w.scrolls++; w.ended = false; };
  const end = () => { w.ended = true; };
  for (const target of [document, ...w.boxes.map(({ el }) => el)]) {
    target.addEventListener('scroll', note, { signal, passive: true });
    target.addEventListener('scrollend', end, { signal, passive: true });
  }
  addEventListener('wheel', event => { if (event.isTrusted) w.event = event; }, { signal, capture: true, passive: true });
  addEventListener('wheel', event => { if (event.isTrusted) contain(w, event); }, { signal, passive: false });
}

// contain keeps Chromium from scrolling the boxes around the innermost one when that is at its end.
// It runs after the listeners of the page, which get the event as usual.
function contain(w, event) {
  if (!w.contained || event.defaultPrevented) return;
  const { deltaX, deltaY } = event;
  const inner = w.boxes.find(box => hasRange(box, deltaX, deltaY));
  if (!inner || canMove(inner.el, deltaX, deltaY)) return;
  event.preventDefault();
  w.kept = true;
}

function hasRange({ el }, deltaX, deltaY) {
  return deltaY !== 0 && el.scrollHeight - el.clientHeight > NO_RANGE || deltaX !== 0 && el.scrollWidth - el.clientWidth > NO_RANGE;
}

let wheelElement = 0; // ref number of the element over which the wheel was last turned
const scrolledOver = new Map(); // ref number -> WeakRef of the box

// wheelTarget returns the element over which the wheel is turned for element n: n itself, in most
// cases. If an earlier scroll has moved n out of sight, it is the box that was scrolled: bringing n
// back first would undo the scroll. Virtual lists remove rows that are out of sight. In that case
// only the box is left, and the answer says that it is another element.
function wheelTarget(n) {
  wheelElement = n;
  const el = element(n), box = scrolledOver.get(n)?.deref();
  if (!box || !box.isConnected || el !== null && (!isShown(el) || inSight(el))) return el;
  return box === pageBox() ? document.documentElement : box;
}

// wheels reports whether a turn of the wheel over hit, another element, scrolls the same box as
// over el. It does if hit is in el, or around el in the same box that scrolls. If a row of a
// virtual list has no cells, the mouse hits the table around the rows.
function wheels(el, hit) {
  if (reaches(el, hit)) return true;
  return isInside(el, hit) && boxesAround(hit)[0] === boxesAround(el)[0];
}

// wheelPoint returns a point in view at which the wheel scrolls the same box as over el, or null.
// If el is larger than the box that scrolls it, the part in the box is enough. Bringing its middle
// into view first would scroll the box.
function wheelPoint(el) {
  const at = clickable(el, wheels);
  if (at !== null) return at;
  const [box] = boxesAround(el), view = box === undefined || box === pageBox() ? new DOMRect(0, 0, innerWidth, innerHeight) : box.getBoundingClientRect();
  const { left, top, right, bottom } = el.getBoundingClientRect();
  const x = (Math.max(left, view.left) + Math.min(right, view.right)) / 2, y = (Math.max(top, view.top) + Math.min(bottom, view.bottom)) / 2;
  return inView(x, y) && wheels(el, deepest(x, y)) ? { x, y } : null;
}

// wheelOver waits until the effect of the wheel event is over, at most until the deadline (o.by).
// The effect is over when boxes have been scrolled and the page's handlers have had a frame. A
// scrollend shows that snapping is also over. The answer says whether the event came here (seen),
// and whether the page prevents scrolling (prevented). For the boxes in the answer see stateOf.
//
// If o.expected is true, a box in this document can be scrolled. Chromium scrolls some frames after
// the event, and later if Chromium is busy. If nothing can be scrolled, two frames are enough.
async function wheelOver(o) {
  const w = wheel;
  if (!w) return { seen: false, prevented: false, boxes: [], page: stateOf(asBox(pageBox())) };
  const prevented = w.event !== null && w.event.defaultPrevented;
  const reaction = new Reaction(BEGINS_WITHIN, o.by);
  for (let still = 0, seen = w.scrolls; still < 2 && performance.now() < o.by;) {
    await reaction.frame();
    still = w.scrolls === seen ? still + 1 : 0;
    seen = w.scrolls;
    const toCome = seen === 0 ? o.expected && !prevented && !reaction.isOver() : !w.ended;
    if (toCome && w.boxes.every(({ el }) => el.isConnected)) still = 0;
  }
  const out = { seen: w.event !== null, prevented: prevented && !w.kept, boxes: w.boxes.map(stateOf), page: stateOf(asBox(pageBox())) };
  const moved = w.boxes.find(box => stateOf(box).moved);
  if (wheelElement && moved) scrolledOver.set(wheelElement, new WeakRef(moved.el));
  for (const { el } of w.boxes.filter(box => stateOf(box).arrived)) atEnds.add(el);
  endWheel();
  return out;
}

// BEGINS_WITHIN is the time within which a box that is expected to be scrolled begins to scroll. A
// box that does not is never scrolled by the wheel, although its style does not show that.
const BEGINS_WITHIN = 1000; // milliseconds

function endWheel() {
  wheel?.stop.abort();
  wheel = null;
}

// stateOf returns where a box is scrolled to and how large it is, in pixels. It also returns
//
//	moved    whether it is scrolled to another position than before the wheel event
//	room     the directions in which it can still be scrolled
//	arrived  whether it was scrolled to the end that it had before the event
//	again    whether it was scrolled to an end earlier in this act
function stateOf({ el, from, ends }) {
  const { left, top } = positionOf(el);
  const moved = Math.abs(left - from.left) >= 1 || Math.abs(top - from.top) >= 1;
  return {
    left: Math.round(left), top: Math.round(top), moved,
    scrollWidth: el.scrollWidth, scrollHeight: el.scrollHeight, clientWidth: el.clientWidth, clientHeight: el.clientHeight,
    room: { up: canMove(el, 0, -1), down: canMove(el, 0, 1), left: canMove(el, -1, 0), right: canMove(el, 1, 0) },
    arrived: moved && (top > from.top ? top > ends.bottom - 1 : top < from.top ? top < ends.top + 1 : true),
    again: atEnds.has(el),
  };
}

function positionOf(el) { return { left: el.scrollLeft, top: el.scrollTop }; }

// endsOf returns the positions between which a box can be scrolled. They are negative if the
// content of the box begins at the right or at the bottom.
function endsOf(el) {
  const width = el.scrollWidth - el.clientWidth, height = el.scrollHeight - el.clientHeight;
  const { direction, writingMode, display, flexDirection } = getComputedStyle(el);
  const flex = display.endsWith('flex') ? flexDirection : '';
  const fromRight = (direction === 'rtl') !== (flex === 'row-reverse') || /-rl$/.test(writingMode);
  const fromBottom = flex === 'column-reverse';
  return {
    left: fromRight ? -width : 0, right: fromRight ? 0 : width,
    top: fromBottom ? -height : 0, bottom: fromBottom ? 0 : height,
  };
}

// canMove reports whether a box can be scrolled further in the direction of deltaX or deltaY.
function canMove(el, deltaX, deltaY) {
  const { left, top } = positionOf(el), ends = endsOf(el);
  return deltaY > 0 && top < ends.bottom - 1 || deltaY < 0 && top > ends.top + 1
    || deltaX > 0 && left < ends.right - 1 || deltaX < 0 && left > ends.left + 1;
}

// boxesAround returns the boxes that the wheel can scroll over an element, the innermost first.
// They are found by going from containing block to containing block, up to a box whose
// overscroll-behavior ends the chain. The last is the box of the document.
function boxesAround(hit) {
  const boxes = [];
  const page = pageBox();
  for (let el = hit; el && el !== document.documentElement; el = containing(el)) {
    if (el === page || !takesWheel(el)) continue;
    boxes.push(el);
    if (getComputedStyle(el).overscrollBehaviorY !== 'auto') return boxes;
  }
  if (pageTakesWheel(page)) boxes.push(page);
  return boxes;
}

// containing returns the element of the containing block of an element, or null. If the content of
// that block is scrolled, the element moves with it.
function containing(el) {
  const { position } = getComputedStyle(el);
  const parent = parentOf(el);
  if (position !== 'absolute' && position !== 'fixed') return parent;
  return closest(parent, n => {
    const { position: its, transform, filter, contain, willChange } = getComputedStyle(n);
    return position === 'absolute' && its !== 'static' || transform !== 'none' || filter !== 'none'
      || /paint|layout|strict|content/.test(contain) || willChange.includes('transform');
  });
}

// takesWheel reports whether the wheel can scroll an element in some direction. An element with
// overflow: hidden is scrolled by scripts only.
function takesWheel(el) {
  const { overflowX, overflowY } = getComputedStyle(el);
  const scrolls = overflow => overflow === 'auto' || overflow === 'scroll';
  return scrolls(overflowY) && el.scrollHeight > el.clientHeight || scrolls(overflowX) && el.scrollWidth > el.clientWidth;
}

// pageTakesWheel reports whether the wheel can scroll the document. The viewport has the overflow
// of the root element, or else of the body.
function pageTakesWheel(page) {
  if (document.documentElement === null) return false;
  const root = getComputedStyle(document.documentElement);
  const { overflowX, overflowY } = root.overflow === 'visible' && document.body ? getComputedStyle(document.body) : root;
  const scrolls = overflow => overflow !== 'hidden' && overflow !== 'clip';
  return scrolls(overflowY) && page.scrollHeight > page.clientHeight || scrolls(overflowX) && page.scrollWidth > page.clientWidth;
}

Object.assign(chela, { expectWheel, wheelOver });
