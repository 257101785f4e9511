// Holding a press. Where a press makes the page render, its release has to wait:
// frameworks put the handlers of what they have rendered in place after a frame,
// and no finger or mouse releases within a millisecond, as an automated click does.
//
// Press and release are sent together, since asking between them would make every
// click slower by a round trip. So the release is here when it turns out that the
// page has rendered. The guard then keeps the release and its click from the
// page, verify waits for a frame and answers held, and Go sends the same click
// once more, of which the guard keeps the press from the page. To the page it is
// one click: a press, a frame, a release.

const SHORT_PRESS = 30; // milliseconds; a press that lasts as long needs not be held

// isShort reports whether a release comes too soon after a press that rendered.
// A page that captured the pointer has lost it with the release: it gets that.
function isShort(guard, event, target) {
  return guard.hold && guard.passed && guard.rendered && event.timeStamp - guard.pressedAt < SHORT_PRESS && !closest(target, n => n.hasPointerCapture(event.pointerId));
}

// judgeHeld keeps from the page the first release with its click, then the second press.
//
//   released: the first release has come, and nothing of it goes through
//   again:    a frame has passed, and the second press comes
//   over:     the second press has come, and its release goes through
function judgeHeld(event, target) {
  guard.held ||= beginHold();
  if (guard.held === 'over') {
    // The mouse is where the element was. A click that another element would
    // get by now is none that a longer press would have caused there.
    if (endings.has(event.type) && !reaches(guard.element, target)) swallow(event);
    return;
  }
  if (event.type === 'pointerdown') event.stopImmediatePropagation(); // prevented, it would take the mouse events with it
  else swallow(event);
  if (guard.held === 'again' && event.type === 'mousedown') guard.held = 'over';
}

function beginHold() {
  guard.unanswered = false; // to render was the page's answer
  return 'released';
}

// keepMove keeps moves from the page that say that no button is pressed.
function keepMove(event) {
  if (guard?.held && guard.held !== 'over' && event.isTrusted) event.stopImmediatePropagation();
}

// endHold waits until the page has had a frame, and the tasks that it had put
// off until after that. It reports whether the guard still stands.
async function endHold(held) {
  await nextFrame(performance.now() + SHORT_PRESS);
  await new Promise(resolve => setTimeout(resolve, 1));
  held.held = 'again';
  held.until = performance.now() + 2000;
  return guard === held;
}
