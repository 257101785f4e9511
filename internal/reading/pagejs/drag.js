// Dragging: whether the page took a press and a move of the mouse for the start of an HTML drag and
// drop. If it did, Go goes on with drag events, otherwise with the mouse.

let dragStart = null; // the latest dragstart event since the mouse was pressed, null if there is none

function noteDrag(event) {
  if (event.isTrusted) dragStart = event;
}

listen(['dragstart'], noteDrag, { capture: true });

// The drop effect of the dragend event since watchDrag, '' if there is none. Selected text can be
// dragged as well, but no page expects that.
let endedWith = '';

function noteDragEnd(event) {
  if (event.isTrusted && closest(targetOf(event), n => n.draggable) !== null) endedWith = event.dataTransfer.dropEffect;
}

listen(['dragend'], noteDragEnd, { capture: true });

let movedAmid = false; // whether something was moving at the last move of the pressed mouse

function noteMove(event) {
  if (event.isTrusted && event.buttons !== 0) movedAmid = movingHere(MOVES_FOR).length > 0;
}

listen(['pointermove'], noteMove, { capture: true, passive: true });

// Whether Go drags with the pressed mouse, and the mouse has not come to the end of its way. If the
// drag then fails, the mouse is released where it was pressed. A click of this press is swallowed.
// The guard says at the press that it begins a drag. A call after the press would be too late: it may
// not run if the page is busy.
let underWay = false;

function keepClick(event) {
  if (underWay && event.isTrusted && event.detail > 0) swallow(event); // a click by a key has the detail 0
}

listen(['click'], keepClick, { capture: true, passive: false });

// Where the mouse was pressed for a drag, null if it is not pressed. Chromium cancels the pointer when
// it begins a drag of data; such a drag meets what it is over.
let pressedAt = null;

function noteRelease(event) {
  if (event.isTrusted) pressedAt = null;
}

listen(['pointerup', 'pointercancel'], noteRelease, { capture: true, passive: true });

// notePress is called after judge, which has stopped a press that the guard does not let pass.
function notePress(event) {
  if (!event.isTrusted) return;
  dragStart = null;
  underWay = guard !== null && guard.drag && guard.passed;
  pressedAt = underWay ? { x: event.clientX, y: event.clientY } : null;
  if (guard !== null) guard.drag = false; // later presses belong to no drag
}

listen(['pointerdown'], notePress, { capture: true, passive: true });

// deselect drops the selection of the document if an element that is dragged (el) has a part of it. A
// press on selected text would drag the text, and the page would get no moves. In an editor, or where
// nothing listens for moves, the selection may be what is dragged.
function deselect(el) {
  const selection = getSelection();
  if (selection.isCollapsed || el.isContentEditable || !selection.containsNode(el, true)) return;
  if (closest(el, n => (ownListeners(n) ?? NO_HINTS).some(hint => MOUSE_MOVES.has(hint))) !== null) selection.removeAllRanges();
}

// isBelowShield reports whether the element that is hit at the end of a drag (hit) is a shield. Some
// pages put one over everything while the mouse is pressed, so that nothing else gets its moves. Such
// a shield is hit where the mouse was pressed as well. It is removed when the mouse is released.
function isBelowShield(hit) {
  return pressedAt !== null && hit !== null && hit === deepest(pressedAt.x, pressedAt.y);
}

// isBelowLayer reports whether what covers the end of a drag (hit) is a layer of the box that also
// contains what is dragged (from). Calendars have columns of days, and rows of hours over them. Such a
// layer covers the whole box. What is fixed to the viewport, such as a dialog, is no layer.
function isBelowLayer(el, hit, from) {
  if (hit === null || !from) return false;
  const whole = innermostOfBoth(el, hit), layer = closest(hit, n => parentOf(n) === whole);
  if (layer === null || whole === document.body || isWhole(whole) || !isInside(from, whole) || isInside(from, layer)) return false;
  const own = boxOf(whole), over = boxOf(layer);
  const across = Math.min(own.right, over.right) - Math.max(own.left, over.left), down = Math.min(own.bottom, over.bottom) - Math.max(own.top, over.top);
  return across >= own.width * .9 && down >= own.height * .9 && closest(hit, n => getComputedStyle(n).position === 'fixed') === null;
}

// dragging reports whether a drag has begun since the mouse was pressed.
function dragging() {
  return dragStart !== null && !dragStart.defaultPrevented;
}

// pastMiddle returns how far past the middle of element n a drag onto the element should end, as
// {x, y}. The mouse comes from a point that is fromLeft pixels further left and fromAbove pixels
// further up. The drag goes on a little beyond the middle in the same direction, where the mouse
// still hits the element.
function pastMiddle(n, fromLeft, fromAbove) {
  const el = element(n), whole = Math.hypot(fromLeft, fromAbove);
  if (!el || whole === 0) return { x: 0, y: 0 };
  const { width, height, left, top } = boxOf(el);
  const past = (way, size) => way / whole * Math.min(size * PAST_MIDDLE, FAR_PAST);
  const by = { x: past(fromLeft, width), y: past(fromAbove, height) };
  const hit = deepest(left + width / 2 + by.x, top + height / 2 + by.y);
  return ignoresMouse(el) || hit !== null && (reaches(el, hit) || isBelowShield(hit)) ? by : { x: 0, y: 0 };
}

const PAST_MIDDLE = .15; // share of the element's width or height; trees put into an item only what is dropped on its middle third
const FAR_PAST = 20;    // pixels

// dragFollowed waits until the page has followed the mouse: it has had frames to render in, and its
// timers have run. It does not wait longer than until the given time (by). Some libraries use
// timers: SortableJS without HTML drag and drop looks every 50 ms where the mouse is.
//
// It also waits for short transitions, and reports whether there were any. Some lists, such as
// UIkit's, ignore the mouse while an item moves to its new place. A transition that was under way when
// the page got the last move counts, even if it is over now. Go then makes the last moves again. If
// there was none, or if last is true, Go releases the mouse next.
async function dragFollowed(by, last) {
  const end = Math.min(by, performance.now() + FOLLOWS);
  let rest = 0; // when the last transition has ended
  for (let frames = 0; performance.now() < by && (frames < 2 || performance.now() < end); frames++) {
    const ms = latest(movingHere(MOVES_FOR));
    if (ms > 0) rest = Math.max(rest, performance.now() + ms + FRAMES);
    await nextFrame(by);
  }
  await new Promise(resolve => setTimeout(resolve, Math.min(rest, by) - performance.now()));
  underWay = !last && (rest > 0 || movedAmid);
  return underWay;
}

const FOLLOWS = 70;    // milliseconds: more than the 50 of SortableJS
const MOVES_FOR = 500; // milliseconds that the transition of an item takes at most

// hasCanvas reports whether element n has a canvas in it, or below its middle.
function hasCanvas(n) {
  const el = element(n);
  return el !== null && (el.querySelector('canvas') !== null || document.elementsFromPoint(...middle(el)).some(e => e.localName === 'canvas'));
}

Object.assign(chela, { hasCanvas, pastMiddle, dragFollowed, dragging });
