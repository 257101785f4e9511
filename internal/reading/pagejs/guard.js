// The guard swallows trusted input that would reach another element than the one it is meant for,
// before the page receives the input.
//
// Go computes a point of an element and sends input to that point. Between the two the page may
// have moved: an ad pushes the text down, a dialog opens. The click would then press whatever is
// there, which may be "Delete". Input of the DevTools protocol has no target, so the target is
// checked here, when the event arrives. A capturing listener on the window sees each event first
// and can stop it. It was added when the world of the script was created, and so before any
// listener of the page.
//
// An action has one guard, in the document of its element. A click may also land in another frame.
// So the other documents of the tab are guarded against all input meanwhile (guardAll). A guard
// ends when Go asks for its verdict, or when its time is over.

// The guard of this document, null if there is none. Its fields are:
//
//	element     what the input is meant for; null: nothing may pass
//	number      the element's number, undefined if it has none
//	until       when the guard ends by itself; input made later does not belong to this action
//	notAfter    when the call has been answered: input that arrives later must not pass
//	click       the action is a press that should become a click
//	hold        a press that makes the page render is held, see hold.js
//	clickOnly   the page has had an earlier press and its release; of the next press it gets only the click
//	inner       the input is meant for a button or link inside the element, as there is no other point
//	drag        the press begins a drag, see drag.js
//	wheel       the action is a turn of the mouse wheel, not buttons and keys
//	says        if not '': nothing may pass unless this is the element's text
//	each        each event that begins input is judged, not only the first: the action sends several
//	seen        an event of the action has arrived
//	partly      a later event that begins input has arrived as well, and the first has passed: see each
//	late        the first event came after notAfter
//	passed      the first event was for the element, and came in time
//	astray      a later press of a double click was for another control; all that follows is swallowed
//	by          the element that the first event, a later press or the release was for, if it was another
//	pressed     what the press hit in the element; null: it has not come, or is for another
//	at          the point of that press, as [x, y]
//	onInner     that press hit a control inside the element
//	parted      the mousedown was for another element: a click on the element can hardly follow
//	reached     the release or the click has reached the element as well
//	effect      what the press alone has done, see watchPress: '', 'changes' or 'all'
//	settle      finds out the effect; null: not to be called
//	rendered    the page changed the document while it handled the press, or the blur that came of it
//	changed     the document has changed since the press; changes by the blur count only in the element
//	framed      the page has had a frame since then
//	added       the nodes that the page has added to the document since the press
//	held        the state of a held press, see hold.js
//	drop        how many files are dropped, see drop.js
//	clicked     the click has arrived
//	closed      for a click: the element said by aria-expanded that it is closed, before the mouse came
//	opened      the mouse alone has opened it, see moveHandled
//	came        elements with controls that the page has added when the mouse came, see watchArrival
//	arrived     ends the watch for these; null: it has ended
//	brought     the page has added something since, or changed the element: its words, or its attributes
//	wake        ends the wait of awaitClick; null: awaitClick does not wait
let guard = null;

const pointerEvents = 'pointerdown mousedown pointerup mouseup click dblclick auxclick contextmenu touchstart touchend'.split(' ');
const wheelEvents = ['wheel'];
const keyEvents = ['keydown', 'keypress', 'keyup', 'beforeinput'];
const dragEvents = ['dragenter', 'dragover', 'drop'];
const beginnings = words('pointerdown mousedown touchstart keydown beforeinput wheel dragenter');
const endings = words('click auxclick contextmenu dblclick');

listen([...pointerEvents, ...keyEvents, ...wheelEvents], judge, { capture: true, passive: false });
listen(['pointermove', 'mousemove'], keepMove, { capture: true });
listen(dragEvents, judgeDrag, { capture: true, passive: false });

// judge lets an event pass if the first event of its action was for the guarded element, and came
// in time. After that first event the page may do what it likes, such as open a menu under the
// mouse. The rest of the action passes, but not a click on another element than the press: see
// strays. Text must not follow if the page moves the focus meanwhile: see each.
//
// If the first event that arrives cannot begin an action, such as a mouseup, the action has begun
// in another frame. Chromium's browser process learns late where a frame was scrolled to, and may
// choose another frame for the press than for the release. Such an event is swallowed.
function judge(event) {
  if (!guard || !event.isTrusted || event.timeStamp > guard.until || guard.wheel !== (event.type === 'wheel')) return;
  const target = targetOf(event);
  if (event.type === 'click') noteClick();
  if (!beginnings.has(event.type)) guard.settle?.();
  if (guard.held || event.type === 'pointerup' && isShort(guard, event, target)) return judgeHeld(event, target);
  if (!guard.seen || guard.each && guard.passed && beginnings.has(event.type)) judgeBeginning(event, target);
  else if (event.type === 'pointerdown' && pressesAnother(target)) Object.assign(guard, { astray: true, by: target });
  if (!guard.passed || guard.astray) return swallow(event);
  noteReached(event, target);
  if (strays(event, target)) return swallow(event);
  if (!guard.clickOnly) return;
  if (endings.has(event.type)) guard.clickOnly = false;
  else hide(event);
}

// noteClick records that a click has arrived. A wait for it ends when all its listeners have run.
function noteClick() {
  guard.clicked = true;
  if (guard.wake) nextTask().then(guard.wake);
}

function judgeBeginning(event, target) {
  guard.partly = guard.seen;
  if (guard.partly && guard.element !== null) guard.element = inPlaceOf(guard.element); // a page may replace a field at each key
  guard.seen = true;
  guard.passed = guard.element !== null && beginnings.has(event.type)
    && (guard.click || guard.drag ? isMeant : guard.wheel ? wheels : reaches)(guard.element, target);
  if (guard.says && squash(guard.element?.textContent ?? '') !== guard.says) guard.passed = false;
  guard.late = performance.now() >= guard.notAfter; // isMeant may have read the document
  if (guard.late) guard.passed = false;
  if (!guard.passed) guard.by = target;
  else if (guard.clickOnly) guard.pressed = target;
  else if (guard.click) watchPress(guard, target, event);
}

// isMeant reports whether a press is for the guarded element. It is not if the element shows another item
// by now, or if the press hits a button that has appeared inside the element.
function isMeant(el, target) { return isForElement(el, target) && isSameItem(); }

// isForElement reports whether an event is for the element. Buttons and links inside the element do not
// count, unless the input is meant for one. Pages show them when the mouse or a press comes.
function isForElement(el, target) {
  return reaches(el, target) && (guard.inner || !isForInner(el, target));
}

// isSameItem reports whether the element still has the number that it had. Some pages keep the elements of
// a list and show other items in them: see reuse.js.
function isSameItem() { return guard.number === undefined || element(guard.number) === guard.element; }

function swallow(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

// hide keeps an event before a click from the page. If pointerdown were prevented, Chromium would
// dispatch no mouse events, and so no click.
function hide(event) {
  if (event.type !== 'pointerdown') event.preventDefault();
  event.stopImmediatePropagation();
}

// pressesAnother reports whether a later press of a double click would press another control than
// the element, or another item that the element shows since. The page may have put the control
// there. What else the page shows over the element gets the press, such as a field in which a cell is
// edited. If the page has removed the element, and no reading knows it, nobody can tell whether the
// control has replaced it.
function pressesAnother(target) {
  if (!guard.click || !guard.passed || isUnanswered()) return false;
  if (guard.element.isConnected && !isSameItem()) return closest(target, takesText) === null;
  const control = closest(target, isPressed);
  if (control === null) return false;
  const el = inPlaceOf(guard.element);
  return el === null ? isKnown(numbers.get(guard.element)) : !isInside(el, control) && !reaches(el, target);
}

// isUnanswered reports whether a press has reached the element, and nothing has come of it yet.
function isUnanswered() { return guard.pressed !== null && guard.effect === '' && !guard.reached; }

// noteReached notes what the rest of a press, or its click, is for: the element, or another one. If the
// page makes the element again at pointerdown, Chromium dispatches the mousedown elsewhere. The
// pointerup may then be for the element again, but a click does not follow.
function noteReached(event, target) {
  if (guard.pressed === null || guard.reached) return;
  const other = !isForPressed(target);
  if (event.type === 'mousedown') guard.parted ||= other;
  else if (beginnings.has(event.type)) return;
  else if (!other && (!guard.parted || endings.has(event.type))) guard.reached = true;
  if (other && guard.hold) guard.by ??= target;
}

// strays reports whether an event must not pass although the press reached the element: the element
// moved away from under the mouse before the click. Chromium dispatches that click to what is there
// now, or to the nearest common ancestor. Releases outside the element pass, since a page waits for
// them after a press. As soon as a release reaches the element, the element has not moved, and all
// that follows passes.
function strays(event, target) {
  if (guard.pressed === null || guard.reached || isForPressed(target)) return false;
  return (guard.effect === '' || guard.held === 'over') && (endings.has(event.type) || beginnings.has(event.type));
}

// isForPressed reports whether an event is for what the press was for. What the press has hit is still
// the element's, however the press has changed it. A control in the element that was not there at the
// press is not.
function isForPressed(target) {
  if (target === guard.pressed) return true;
  return isForElement(guard.element, target) && (guard.onInner || innerControl(guard.element, target) === null);
}

// watchPress finds out the effect of a press. Without an effect, a click must follow and reach the
// same element. The effect is
//
//	all      No click need follow. A select, an option or a text field is pressed, or the page captures
//	         the pointer. Or the press changes the state of the element, as a list box that opens does.
//	changes  The page changes the document while it handles the press, or the element's focus. What was
//	         pressed may have moved, and nobody can tell whether the page still expects a click.
//
// What changes while another element loses the focus is no effect of the press. A form that checks the
// field that was left is an example: its message moves the button away. But the field may also end the
// editing, and make another button of this one. So changes in the element count as changed.
//
// Changes are counted from the press until the mousedown listener on the window, which is the last
// listener of the press. They are counted again during the focus events, which come after that. If the
// page keeps the mousedown from that listener, the release calls press.settle in its place.
//
// Changes at other times come from timers of the page. They may have done what the press was for: a press
// that lasts opens a menu. They all count as changed, see lostClick.
function watchPress(press, target, { pointerId, clientX, clientY }) {
  press.pressed = target;
  press.at = [clientX, clientY];
  press.onInner = innerControl(press.element, target) !== null;
  if (closest(target, n => n.localName === 'select' || n.localName === 'option' || takesText(n))) {
    press.effect = 'all';
    return;
  }
  let handling = 'press'; // the event that is handled: 'press', 'blur' or 'focus'; '' while none is
  const observer = new MutationObserver(note);
  observeWith(observer);
  function note(records) {
    if (guard !== press) observer.disconnect();
    for (const r of records) r.addedNodes.forEach(node => press.added.add(node));
    press.changed ||= records.some(r => handling !== 'blur' || isInside(r.target, press.element) || isInside(r.target, target));
    if (handling === '' || records.length === 0) return;
    if (!press.rendered) requestAnimationFrame(() => setTimeout(() => { press.framed = true; }, 1));
    press.rendered = true;
    if (handling === 'blur') return;
    press.effect ||= 'changes';
    if (records.some(r => PRESSED_STATES.has(r.attributeName) && isInside(target, r.target))) press.effect = 'all';
  }
  const begin = event => { if (event.isTrusted) handling ||= event.type; };
  const end = () => { note(observer.takeRecords()); handling = ''; };
  const endFocus = () => { if (handling !== 'press') end(); }; // a handler of the press may move the focus itself
  press.settle = () => {
    press.settle = null;
    end();
    if (closest(target, n => n.hasPointerCapture(pointerId))) press.effect = 'all';
  };
  addEventListener('mousedown', () => press.settle?.(), { once: true });
  for (const type of ['blur', 'focus']) addEventListener(type, begin, { capture: true });
  for (const type of ['focusout', 'focusin']) addEventListener(type, endFocus);
  nextTask().then(() => {
    for (const type of ['blur', 'focus']) removeEventListener(type, begin, { capture: true });
    for (const type of ['focusout', 'focusin']) removeEventListener(type, endFocus);
  });
}

const PRESSED_STATES = words('aria-expanded aria-pressed aria-checked aria-selected open');

// targetOf returns the element that an event is for, also inside closed shadow roots: composedPath
// does not show what is in those.
function targetOf(event) {
  const target = event.composedPath()[0];
  if (keyEvents.includes(event.type)) return focused();
  return closedRoots.has(target) ? deepest(event.clientX, event.clientY) : target;
}

// guardElement guards an element for ms milliseconds from now on. If the element is null, nothing
// passes. The other parameters become fields of the guard.
function guardElement(element, ms, notAfter, { click = false, closed = false, hold = false, clickOnly = false, inner = false, drag = false, wheel = false, drop = 0, says = '', each = false } = {}) {
  keepListening(); // run has done so, but for this document only, and before the element was awaited
  guard?.wake?.();
  guard = {
    element, number: numbers.get(element), until: performance.now() + ms, notAfter, click, hold, clickOnly, inner, drag, wheel, drop, says, each,
    seen: false, partly: false, passed: false, astray: false, by: null, pressed: null, at: null, onInner: false, parted: false, reached: false, effect: '', settle: null, rendered: false, changed: false, framed: false, added: new WeakSet(), held: '', clicked: false, wake: null,
    closed: closed || click && isCollapsed(element), opened: false, came: [], arrived: null, brought: false,
  };
}

// guardHere lets no trusted input pass in this document for ms milliseconds. If the parameter wheel
// is true, it stops only events of the wheel, otherwise only those of buttons and keys.
function guardHere(ms, wheel) { guardElement(null, ms, 0, { wheel }); }

// guardAll calls guardHere in all documents of this origin.
function guardAll(ms, wheel) {
  for (const each of everywhere()) each.guardHere(ms, wheel);
}

// guardBesides lets no keys and buttons pass in the other documents of this origin for ms
// milliseconds.
function guardBesides(ms) {
  for (const each of everywhere()) if (each !== chela) each.guardHere(ms, false);
}

// unguardAll ends the guards of all documents of this origin. If keepHeld is true, a guard that
// holds a press goes on. It returns the verdict of the guard that input came to.
function unguardAll(keepHeld) {
  return everywhere().map(each => each.unguardHere(keepHeld)).find(verdict => verdict.seen) ?? { seen: false, passed: false };
}

// unguardHere ends the guard of this document and returns its verdict: whether input came (seen),
// came too late (late), and was for the element (passed). With partly, that is about a later key, and the
// page got the first. If something else got the input, or the release of the press, by describes that.
// If a click may not have done what it should, missing is a result of lostClick, or reclosed. With
// reclosed, the mouse has opened the element, and the click has closed it again.
function unguardHere(keepHeld) {
  const g = guard;
  if (keepHeld && g?.held) return { seen: false, passed: false };
  if (!g) return { seen: false, passed: false };
  const missing = lostClick() || (hasReclosed(g) ? 'reclosed' : '');
  guard = null;
  g.wake?.();
  return {
    seen: g.seen, partly: g.partly, late: g.late, passed: g.passed, missing,
    ...g.by ? inTheWay(g.by) : { by: '' },
  };
}

// moveHandled waits until the page has handled the move of the mouse before a click. It notes whether
// that has opened the element, so that a click may close it again.
async function moveHandled() {
  const mine = guard;
  await laterTasks();
  if (mine?.closed) mine.opened = !isCollapsed(mine.element);
  mine?.arrived?.();
}

// watchArrival notes what the page adds to the document when the mouse comes, before a click. Many menus
// say only by that that they open. It also notes whether the page adds anything later, or changes the
// element. An attribute that the mouse has changed may only be changed back, so it does not count.
function watchArrival(mine) {
  const holdsControl = node => node.nodeType === ELEMENT && (node.matches(CONTROLS) || node.querySelector(CONTROLS) !== null);
  let added = [];
  const byMouse = new Set(); // the names of the attributes that changed when the mouse came
  const observer = new MutationObserver(note);
  for (const root of [document, ...shadowRoots()]) observer.observe(root, { subtree: true, childList: true });
  observer.observe(mine.element, { subtree: true, childList: true, characterData: true, attributes: true });
  function note(records) {
    if (guard !== mine) observer.disconnect();
    for (const { type, addedNodes, attributeName } of records) {
      added.push(...addedNodes);
      if (mine.arrived !== null) byMouse.add(attributeName);
      else mine.brought ||= added.length > 0 || type === 'characterData' || type === 'attributes' && !byMouse.has(attributeName);
    }
  }
  mine.arrived = () => {
    note(observer.takeRecords());
    mine.came = added.filter(node => node.isConnected && holdsControl(node));
    [added, mine.arrived] = [[], null];
  };
}

// hasReclosed reports whether a click has closed again what the mouse alone had opened. If the click has
// also brought or changed something, or removed its element, it has done what it was for. So has a click on
// a field, such as a checkbox.
function hasReclosed({ element, opened, came, brought }) {
  if (opened && isCollapsed(element)) return true;
  return came.length > 0 && !brought && !isField(element) && element.isConnected && came.every(node => !node.isConnected);
}

function isCollapsed(el) { return el !== null && attributeOf(el, 'aria-expanded') === 'false'; }

// lostClick says whether a click is missing: a press reached the element, and neither the release nor
// a click did. The results are:
//
//	slipped    the element is unchanged and has moved away from the mouse: the click can be completed
//	unclicked  nobody can tell whether the press was enough, and a click could do a thing twice
//	''         all is well: a click came, or the press has done all that it could
//
// A list that closes when an entry is pressed has done all, but not a press that replaces a button. And a
// press that is held has no release yet.
function lostClick() {
  const { element, pressed, reached, effect, changed, held } = guard;
  if (pressed === null || reached || effect === 'all') return '';
  const el = inPlaceOf(element), there = el !== null && isShown(el);
  if (there && el === element && !changed && held !== 'again' && !isCovered()) return 'slipped';
  return there || effect === '' || held === 'again' || hasBroughtAnother() ? 'unclicked' : '';
}

// hasBroughtAnother reports whether the press of a button or link has put a new one at that point. It may
// be the same button with other words, as "Save (1 error)". A button that listens for presses and not for
// clicks needed no click.
function hasBroughtAnother() {
  if (guard.at === null || !isPressed(guard.element)) return false;
  const own = ownListeners(guard.element) ?? NO_HINTS;
  if (own.some(hint => PRESSES.has(hint)) && !own.includes('onclick')) return false;
  const control = closest(deepest(...guard.at), isPressed);
  return control !== null && closest(control, n => guard.added.has(n)) !== null && !isInert(control);
}

// isCovered reports whether what was pressed is still at that point, and something else is hit there. An
// example is a popover that the press has opened. To open it changes nothing in the document.
function isCovered() {
  if (guard.at === null) return false;
  const { left, top, right, bottom } = guard.pressed.getBoundingClientRect(), [x, y] = guard.at;
  return left <= x && x < right && top <= y && y < bottom && !isForPressed(deepest(x, y));
}

// everywhere returns the page scripts of all documents of the tab that this script can reach,
// itself included. These are the documents of its origin, since the scripts of a tab share their
// isolated world. So one message from Go is enough for all of them. In a window without a page
// script, the name chela may stand for a frame or an element.
function everywhere() {
  const windows = [top], scripts = [];
  for (const w of windows) {
    for (let i = 0; i < w.length; i++) windows.push(w[i]);
    try { if (typeof w.chela?.guardHere === 'function') scripts.push(w.chela); } catch { /* of another origin */ }
  }
  return scripts;
}

// takeVerdict ends the guards of all documents of this origin. It returns the verdict of this
// document, with the changes of all documents so far. If the input came to another of these
// documents, the verdict has by, which describes the element that got the input. While a press is
// held, takeVerdict waits until the press may be released, and returns held instead: Go must send
// the same click again.
async function takeVerdict() {
  if (guard?.held === 'released' && await endHold(guard)) return { seen: true, passed: true, held: true, changes: {} };
  const verdict = unguardHere(), other = unguardAll(true);
  return { ...verdict, by: verdict.by || other.by || '', byRef: verdict.byRef, changes: await changesSoFar() };
}

// awaitClick returns takeVerdict. Go calls it when the page has handled the press of a click. If the
// click itself has not arrived yet, awaitClick waits for it. If no click comes, Go calls endClick,
// which ends the wait.
async function awaitClick() {
  const mine = guard;
  if (mine && !mine.clicked) await new Promise(resolve => { mine.wake = resolve; });
  return guard === mine ? takeVerdict() : { seen: false, passed: false, changes: {} };
}

function endClick() { guard?.wake?.(); }

// wake ends the guards of all documents of this origin. Go calls it to wait until the document can
// handle input: see Page.awake in busy.go. If o.painted is true, wake also waits until the document
// was painted.
async function wake(o) {
  unguardAll(false);
  if (o.painted) await firstPainted(o.by);
  await pressesHandled();
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

Object.assign(chela, { guardAll, guardHere, unguardAll, unguardHere, takeVerdict, awaitClick, endClick, moveHandled, wake });
