// The guard. While an action is under way, trusted input that would reach
// another element than the one it is meant for is swallowed before the page
// sees it. Its listeners stand since this world was born, before any of the page's.

let guard = null; // {element, until, notAfter, click, hold, seen, passed, unanswered, rendered, held, by}

const pointerEvents = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'dblclick', 'auxclick', 'contextmenu', 'touchstart', 'touchend'];
const beginnings = new Set(['pointerdown', 'mousedown', 'touchstart', 'keydown', 'beforeinput']);
const endings = new Set(['click', 'auxclick', 'contextmenu', 'dblclick']);
const keyEvents = ['keydown', 'keypress', 'keyup', 'beforeinput'];

function stand() {
  for (const type of [...pointerEvents, ...keyEvents]) addEventListener(type, judge, { capture: true, passive: false });
  for (const type of ['pointermove', 'mousemove']) addEventListener(type, keepMove, { capture: true });
}

stand();

// judge lets an event pass if the first one of its action reached, in time, the
// element that it is meant for. What the page does after that first event is its
// own affair, except that a click may not stray. An action that does not begin
// here has begun in another frame: Chromium learns late where a frame was scrolled
// to. Input that was made after the guard's time is somebody else's.
function judge(event) {
  if (!guard || !event.isTrusted || event.timeStamp > guard.until) return;
  const target = targetOf(event);
  if (guard.held || event.type === 'pointerup' && isShort(guard, event, target)) return judgeHeld(event, target);
  if (!guard.seen) {
    guard.seen = true;
    guard.pressedAt = event.timeStamp;
    guard.passed = guard.element !== null && performance.now() < guard.notAfter && beginnings.has(event.type) && reaches(guard.element, target);
    if (!guard.passed) guard.by = target;
    else if (guard.click) watchPress(guard, target, event.pointerId);
  }
  if (guard.passed && !strays(event, target)) return;
  swallow(event);
}

function swallow(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

// strays reports whether an event belongs to a click whose press reached the
// element, which then moved away from under the mouse. What is released is let
// go, wherever that is; if it reaches the element, it has not moved.
function strays(event, target) {
  if (!guard.unanswered) return false;
  if (reaches(guard.element, target)) {
    guard.unanswered = beginnings.has(event.type);
    return false;
  }
  return endings.has(event.type) || beginnings.has(event.type);
}

// watchPress has a press wait for its release, unless it has its effect without
// one: what was pressed acts at once, or the page keeps the press or the pointer
// for itself, or changes the document while it hears of the press, or of the
// focus that this moves.
function watchPress(press, target, pointer) {
  if (closest(target, n => n.localName === 'select' || n.localName === 'option' || takesText(n))) return;
  let hears = true, changed = false;
  const observer = new MutationObserver(look);
  observeWith(observer);
  function look(records) { // those of its tasks, which timers of the page may follow
    if (!hears || records.length === 0) return;
    changed = press.rendered = true;
    press.unanswered = false;
  }
  const begins = event => { hears ||= event.isTrusted; };
  const ends = () => { look(observer.takeRecords()); hears = false; };
  addEventListener('mousedown', () => { // the last who hears of it
    ends();
    press.unanswered = !changed && !closest(target, n => n.hasPointerCapture(pointer));
  }, { once: true });
  for (const type of ['blur', 'focus']) addEventListener(type, begins, { capture: true });
  for (const type of ['focusout', 'focusin']) addEventListener(type, ends);
  nextTask().then(() => {
    observer.disconnect();
    for (const type of ['blur', 'focus']) removeEventListener(type, begins, { capture: true });
    for (const type of ['focusout', 'focusin']) removeEventListener(type, ends);
  });
}

// targetOf returns the element that an event is for, also inside closed shadow roots.
function targetOf(event) {
  const target = event.composedPath()[0];
  if (keyEvents.includes(event.type)) return focused();
  return closedRoots.has(target) ? deepest(event.clientX, event.clientY) : target;
}

// arm guards an element for ms milliseconds, or with none lets nothing through.
// After notAfter, when the call has been answered, nothing gets through either.
// With click, it is to get the click too that its press begins; with hold, a
// press that renders is held.
function arm(element, ms, notAfter, { click = false, hold = false } = {}) {
  stand(); // document.open takes all listeners from the window
  guard = { element, until: performance.now() + ms, notAfter, click, hold, seen: false, passed: false, unanswered: false, rendered: false, held: '', by: null };
}

// shield swallows, for ms milliseconds, all trusted input to the documents of this origin.
function shield(ms) {
  for (const each of everywhere()) each.lock(ms);
}

// lower ends the guards of all documents of this origin, but with keepHeld not
// one that holds a press, and says what came to one meanwhile.
function lower(keepHeld) {
  return everywhere().map(each => each.lowerHere(keepHeld)).find(verdict => verdict.seen) ?? { seen: false, passed: false };
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

// verify ends the guard of this document and says what came of it: lowerHere's
// verdict, and the changes so far. While a press is held, it waits until the
// press may be released and answers held.
async function verify() {
  if (guard?.held === 'released' && await endHold(guard)) return { seen: true, passed: true, held: true, changes: {} };
  const verdict = lowerHere();
  return { ...verdict, changes: await changesSoFar() };
}

// lowerHere ends the guard and says whether input came, whether it reached its
// element, and else what it met; slipped: the press reached it, but no click did.
function lowerHere(keepHeld) {
  const g = guard;
  if (keepHeld && g?.held) return { seen: false, passed: false };
  guard = null;
  if (!g) return { seen: false, passed: false };
  return { seen: g.seen, passed: g.passed, slipped: g.unanswered, by: g.by ? describe(g.by) : '' };
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

Object.assign(chela, { lock: ms => arm(null, ms, 0), shield, lower, lowerHere, verify });
