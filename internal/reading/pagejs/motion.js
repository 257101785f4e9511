// Motion: whether an element stays where it is.

// settled waits until an element that may be moving stays where it is. An animated element must
// stay for three frames. One that turns back may be at the same place just before and just after
// the turn. After a second of movement settled returns false, and the caller examines the element
// again. An element that was not painted in this second counts as settled, since a minimized window
// paints nothing. The answer is null if nothing is known at the deadline (by). While the element
// moves, wait.found says so: see beginWait.
async function settled(el, by, wait = {}) {
  const end = Math.min(by, performance.now() + 1000);
  let moved = false;
  if (animated(el)) wait.found = { missing: 'moving' }; // only frames can show that the element does not move, and perhaps none comes before the deadline
  for (let last = place(el), at = animationTime(), rests = 0; performance.now() < end;) {
    const painted = await nextFrame(by);
    const now = place(el), time = animationTime(), moves = now !== last || moving(el);
    const later = painted && time - at >= FRAME; // whether a frame has come since the last look: animations move only from frame to frame
    rests = moves ? 0 : rests + later;
    if (!moves && (rests === 2 || !animated(el))) {
      wait.found = {};
      return true;
    }
    if (moves) wait.found = { missing: 'moving' };
    [last, moved] = [now, moved || moves];
    if (moves || later || !painted) at = time;
  }
  if (moved) return false;
  return performance.now() < by ? true : null;
}

// The shortest time between two frames, in milliseconds, on a screen with 240 Hz.
const FRAME = 4;

// animationTime returns the time of the animations, in milliseconds. Soon after a frame, Chromium
// sets it to the time that it expects for the next frame. A position that is read after that is the
// one in the next frame. So a second position must be read one frame later, to see whether the
// element moves.
function animationTime() {
  return document.timeline.currentTime ?? 0;
}

function place(el) {
  const r = boxOf(el);
  return `${r.x},${r.y},${r.width},${r.height}`;
}

// Properties whose transition moves the element and its contents. Properties in LAYOUT also move
// elements beside it.
const TRANSFORMS = /^(transform|translate|rotate|scale|offset)/;
const LAYOUT = new RegExp('^(margin|padding|border-.*-width|(min-|max-)?(width|height|inline-size|block-size)|inset|top|right|bottom|left'
  + '|flex|order|grid|row-gap|column-gap|font|line-height|letter-spacing|word-spacing|zoom|display)');

function movesBox({ transitionProperty }) {
  return TRANSFORMS.test(transitionProperty) || LAYOUT.test(transitionProperty);
}

// animated reports whether a running animation may move the element. That is an animation of the
// element or of an ancestor, or a transition of another element's size or margin.
function animated(el) {
  return closest(el, n => n.getAnimations().some(runs)) !== null || document.getAnimations().some(a => pushes(a));
}

// isEndless reports whether an animation without an end may move the element: a ticker, or a button that
// pulses.
function isEndless(el) {
  return closest(el, n => n.getAnimations().some(a => runs(a) && a.effect?.getComputedTiming().iterations === Infinity)) !== null;
}

// moving reports whether an element is in motion although it may not have moved between two frames.
// An animation that has begun stands still until its first frame is painted: its time counts from
// there. A transition that starts slowly, or by steps, stands still for longer.
function moving(el) {
  const moves = a => runs(a) && (begins(a) || a instanceof CSSTransition && movesBox(a));
  return closest(el, n => n.getAnimations().some(moves)) !== null || document.getAnimations().some(a => begins(a) && pushes(a));
}

// begins reports whether an animation has been painted in two frames at most.
function begins(a) { return a.pending || sinceDelay(a) < 34; }

// pushes reports whether an animation moves elements beside the animated one.
function pushes(a) {
  return a instanceof CSSTransition && runs(a) && LAYOUT.test(a.transitionProperty);
}

// runs reports whether an animation runs and its delay is over.
function runs(a) {
  if (a.playState !== 'running') return false;
  return sinceDelay(a) >= 0;
}

// sinceDelay returns for how many milliseconds an animation has run since its delay was over. It is
// negative during the delay.
function sinceDelay(a) {
  const { delay, localTime } = a.effect?.getComputedTiming() ?? { delay: 0 };
  return (localTime ?? 0) - delay;
}
