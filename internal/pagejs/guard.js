// The guard. While an action is under way, trusted input that would reach
// another element than the one it is meant for is swallowed before the page
// sees it. Its listeners stand since this world was born, before any of the page's.

let guard = null; // {element, until, notAfter, seen, passed, by}

const pointerEvents = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'dblclick', 'auxclick', 'contextmenu', 'touchstart', 'touchend'];
const beginnings = new Set(['pointerdown', 'mousedown', 'touchstart', 'keydown', 'beforeinput']);
const keyEvents = ['keydown', 'keypress', 'keyup', 'beforeinput'];

function stand() {
  for (const type of [...pointerEvents, ...keyEvents]) addEventListener(type, judge, { capture: true, passive: false });
}

stand();

// judge lets an event pass if the first one of its action reached, in time, the
// element that it is meant for. What the page does after that first event is its
// own affair. An action that does not begin here has begun in another frame:
// Chromium learns late where a frame was scrolled to. Input that was made after
// the guard's time is somebody else's.
function judge(event) {
  if (!guard || !event.isTrusted || event.timeStamp > guard.until) return;
  if (!guard.seen) {
    const target = targetOf(event);
    guard.seen = true;
    guard.passed = guard.element !== null && Date.now() < guard.notAfter && beginnings.has(event.type) && reaches(guard.element, target);
    if (!guard.passed) guard.by = target;
  }
  if (guard.passed) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

// targetOf returns the element that an event is for, also inside closed shadow roots.
function targetOf(event) {
  const target = event.composedPath()[0];
  if (keyEvents.includes(event.type)) return focused();
  return closedRoots.has(target) ? deepest(event.clientX, event.clientY) : target;
}

// arm guards an element for ms milliseconds, or with none lets nothing through.
// After notAfter, when the call has been answered, nothing gets through either.
function arm(element, ms, notAfter) {
  stand(); // document.open takes all listeners from the window
  guard = { element, until: performance.now() + ms, notAfter, seen: false, passed: false, by: null };
}

// shield swallows, for ms milliseconds, all trusted input to the documents of this origin.
function shield(ms) {
  for (const each of everywhere()) each.lock(ms);
}

// lower ends the guards of all documents of this origin, and says what came to one meanwhile.
function lower() {
  return everywhere().map(each => each.verify()).find(verdict => verdict.seen) ?? { seen: false, passed: false };
}

// everywhere returns the scripts of all the tab's documents that this one can
// reach: those of its origin, as the scripts of a tab share their isolated world.
function everywhere() {
  const windows = [top], scripts = [];
  for (const w of windows) {
    for (let i = 0; i < w.length; i++) windows.push(w[i]);
    try { if (w.chela) scripts.push(w.chela); } catch { /* of another origin */ }
  }
  return scripts;
}

// verify ends the guard and says whether input came, whether it reached its element, and else what it met.
function verify() {
  const g = guard;
  guard = null;
  if (!g) return { seen: false, passed: false };
  return { seen: g.seen, passed: g.passed, by: g.by ? chela.describe(g.by) : '' };
}

// reaches reports whether input at hit acts on element: hit is inside it, or is a label of it.
function reaches(element, hit) {
  return closest(hit, n => n === element || n.control === element) !== null;
}

// deepest returns the element at a point of the viewport, through shadow roots.
function deepest(x, y) {
  let root = document, found = null;
  for (;;) {
    const hit = root.elementFromPoint(x, y);
    if (!hit || hit === found) return found;
    found = hit;
    root = shadowOf(hit);
    if (!root) return found;
  }
}

// focused returns the element that has the focus, through shadow roots.
function focused() {
  let el = document.activeElement;
  for (let root = el && shadowOf(el); root && root.activeElement; root = shadowOf(el)) el = root.activeElement;
  return el;
}

Object.assign(chela, { lock: ms => arm(null, ms, 0), shield, lower, verify });
