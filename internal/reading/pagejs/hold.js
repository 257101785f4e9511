// Holding a press: if a press makes the page render, the release has to wait. Frameworks attach the
// handlers of what they have rendered after a frame. A person never releases within a millisecond,
// but an automated click does.
//
// Press and release are sent together, since asking the page in between would make every click
// slower by a round trip. So the release has arrived when it turns out that the page has rendered.
// The guard then swallows the release and its click, takeVerdict waits for a frame and answers
// held. Go sends the same click once more, and the guard swallows the press of this second one. To
// the page it is one click: a press, a frame, a release.

const SHORT_PRESS = 30; // milliseconds that a held press lasts at most

// isShort reports whether a release comes too soon after a press that made the page render: the page
// has had no frame in between. The times of the events do not show that, as a busy page handles both
// at once. If the page has captured the pointer, it must get the release, as that ends the capture.
function isShort(guard, event, target) {
  if (!guard.hold || !guard.passed || !guard.rendered || guard.framed) return false;
  return !closest(target, n => n.hasPointerCapture(event.pointerId));
}

// judgeHeld handles a press that was too short for the page. The mouse is then pressed a second
// time, and longer. The page shall see one long press: so the first release with its click is
// swallowed, and then the second press. The values of guard.held are:
//
//	released  the first release has come: it and its click are swallowed
//	again     a frame has passed since: the second press is swallowed
//	over      the second press has come: its release reaches the page
function judgeHeld(event, target) {
  guard.held ||= 'released';
  if (guard.held === 'over') {
    noteReached(event, target);
    // The page may have moved the element away from under the mouse. Then no other element gets a
    // click there: with a longer press, none would have got it.
    if (strays(event, target)) swallow(event);
    return;
  }
  hide(event);
  if (guard.held === 'again' && event.type === 'mousedown') guard.held = 'over';
}

// keepMove hides mouse moves from the page while a press is held. In these events no button is
// pressed, but the page must see one long press.
function keepMove(event) {
  if (guard?.held && guard.held !== 'over' && event.isTrusted) event.stopImmediatePropagation();
}

// laterTasks waits until the page has run the tasks that it put off in the frame before, or in an event.
function laterTasks() { return new Promise(resolve => setTimeout(resolve, 1)); }

// endHold waits until the page has had a frame, and has run the tasks that it put off until after
// that frame. It reports whether this guard is still the document's. The other documents of this
// origin are guarded again: the page may have moved one of them to where the second click comes.
async function endHold(held) {
  await nextFrame(performance.now() + SHORT_PRESS);
  await laterTasks();
  held.held = 'again';
  if (guard !== held) return false;
  guardBesides(held.until - performance.now());
  return true;
}
