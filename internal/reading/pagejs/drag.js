// Dragging: whether the page took a press and a move for the start of a drag and drop of HTML. If
// it did, Go goes on with drag events, otherwise with the mouse.

let dragStart = null;

function noteDrag(event) {
  if (event.isTrusted) dragStart = event;
}

// awaitDrag begins to listen for dragstart.
function awaitDrag() {
  dragStart = null;
  addEventListener('dragstart', noteDrag, { capture: true });
}

// dragging reports whether a drag has begun since then.
function dragging() {
  return dragStart !== null && !dragStart.defaultPrevented;
}

// pastMiddle returns how far past the middle of element n a drag onto it should end, in the
// direction in which the mouse arrives. The mouse covers the distances fromLeft and fromAbove. The
// answer is the way from the middle to a point that is hit.
function pastMiddle(n, fromLeft, fromAbove) {
  const el = element(n), whole = Math.hypot(fromLeft, fromAbove);
  if (!el || whole === 0) return { x: 0, y: 0 };
  const { width, height, left, top } = boxOf(el);
  const past = (way, size) => way / whole * Math.min(size * PAST_MIDDLE, FAR_PAST);
  const by = { x: past(fromLeft, width), y: past(fromAbove, height) };
  const hit = deepest(left + width / 2 + by.x, top + height / 2 + by.y);
  return ignoresMouse(el) || hit !== null && reaches(el, hit) ? by : { x: 0, y: 0 };
}

const PAST_MIDDLE = .2; // of its width or height
const FAR_PAST = 20;    // pixels

// dragFollowed waits, but not beyond by, until the page has followed the mouse: it has had
// frames to render in, and its timers have run. SortableJS, without drags of the browser's
// own, looks every 50 ms where the mouse is.
async function dragFollowed(by) {
  const end = Math.min(by, performance.now() + FOLLOWS);
  for (let frames = 0; performance.now() < by && (frames < 2 || performance.now() < end); frames++) await nextFrame(by);
  await new Promise(resolve => setTimeout(resolve));
}

const FOLLOWS = 70; // milliseconds

Object.assign(chela, { pastMiddle, dragFollowed });
Object.assign(chela, { awaitDrag, dragging });
