// Quiet: waiting until documents that have received input no longer change.

// awaitLater waits until a document of this origin changes later than the user input of the act, see
// change.js. It waits for a limited time, in milliseconds (most). The parameter input is when the
// user input came, by Date.now. It is 0 if no document has reported that yet.
function awaitLater(most, input) {
  return new Promise(resolve => {
    const limit = setTimeout(resolve, most);
    for (const each of everywhere()) each.laterHere(() => { clearTimeout(limit); resolve(); }, input);
  });
}

// awaitQuiet waits until no document of this origin has changed or was scrolled for some time (idle). Which
// scrolls count is said by listenForScrolls. Nor may a document have a running transition. The wait ends after
// a limited time (most) in any case; both are in milliseconds.
// It returns the time of the first change since the beginning of the act, by Date.now, or 0 if
// there was none.
//
// Scripts may be forbidden, for example by Content-Security-Policy: sandbox. Then Chromium calls no
// timer and no observer, not even those of this script, and the promise would never be settled. So
// another document of this origin waits. If scripts are forbidden in all documents, these change
// only by what they load.
function awaitQuiet(idle, most) {
  if (!runsScriptsHere()) {
    const other = everywhere().find(each => each.runsScriptsHere());
    return other ? other.awaitQuiet(idle, most) : { at: 0, files: 0, input: 0 };
  }
  const until = performance.now() + most;
  for (const each of everywhere()) {
    each.forgetLaterHere();
    if (!each.changedHere()) each.beginWatch(); // a document that came after the act is not watched yet
  }
  return new Promise(resolve => {
    const moved = new Set(); // animations that were running at a look, and whose end the page has not been told
    let waitedForEnds = false; // the wait for these events has begun, which happens once
    const observer = new MutationObserver(() => again(idle));
    let timer = setTimeout(endUnlessMoving, idle);
    const limit = setTimeout(end, most);
    const scrolls = new AbortController();
    for (const each of everywhere()) {
      each.observeWith(observer);
      each.listenForScrolls(() => again(idle), scrolls.signal);
    }
    function again(ms) {
      clearTimeout(timer);
      timer = setTimeout(endUnlessMoving, ms);
    }
    function endUnlessMoving() {
      const moving = everywhere().flatMap(each => each.movingHere(until - performance.now()));
      for (const each of moving) awaitEnd(each.animation);
      if (moving.length > 0) again(latest(moving) + FRAMES);
      else if (!waitedForEnds && endIsUntold()) {
        waitedForEnds = true;
        again(END_TOLD);
      } else end();
    }
    function awaitEnd(animation) {
      if (moved.has(animation)) return;
      moved.add(animation);
      const told = () => {
        moved.delete(animation);
        if (waitedForEnds && !endIsUntold()) again(FRAMES);
      };
      for (const type of ['finish', 'cancel']) animation.addEventListener(type, told, { once: true });
    }
    function endIsUntold() { return [...moved].some(animation => animation.playState === 'finished'); }
    function end() {
      observer.disconnect();
      scrolls.abort();
      clearTimeout(timer);
      clearTimeout(limit);
      waitedForEnds = false; // events that come now start no timer
      resolve({ at: firstChange(), files: 0, input: 0 });
    }
  });
}

// scrollRuns has what was scrolled in this document, outside of shadow trees. The values are the times of
// its first and last scroll event since it last stood still, as {began, last}.
const scrollRuns = new WeakMap();
listen(['scroll'], ({ target }) => {
  const last = performance.now(), run = scrollRuns.get(target);
  scrollRuns.set(target, { began: run && last - run.last < STOOD_STILL ? run.began : last, last });
}, { capture: true, passive: true });

const STOOD_STILL = 250; // milliseconds: longer than the time between two frames, even on a loaded machine
const SMOOTH_SCROLL = 1000; // milliseconds: a smooth scroll takes less

// listenForScrolls calls noted whenever something in this document was scrolled, until the signal. While
// a smooth scroll is under way, that is once a frame. What the page has kept scrolling for longer than a
// smooth scroll takes does not count: a carousel, for example, never rests. Scroll events do not leave
// shadow trees.
function listenForScrolls(noted, signal) {
  const since = performance.now() - SMOOTH_SCROLL;
  const note = ({ target }) => { if (!(scrollRuns.get(target)?.began < since)) noted(); };
  for (const root of [document, ...shadowRoots()]) root.addEventListener('scroll', note, { signal, capture: true, passive: true });
}

// runsScriptsHere reports whether scripts may run in this document.
function runsScriptsHere() { return matchMedia('(scripting: enabled)').matches; }

// FRAMES is how long to wait beyond the computed end of an animation: the events of its end reach the
// page a few frames later.
const FRAMES = 50; // milliseconds

// END_TOLD is how long to wait for these events if they have not come after FRAMES. The page gets
// them in a frame. On a loaded machine, and during a view transition, frames come late. A frame
// that is out of view may get none.
const END_TOLD = 1000; // milliseconds

// Properties whose transitions change how a page looks and not what it says: nothing is shown,
// hidden or moved by them.
const PAINT = /color|shadow|^background|^border-.*radius|^outline|^text-decoration|^fill|^stroke|^filter|^backdrop/;

// movingHere lists the transitions and animations of this document that run, and for how many
// milliseconds they go on (left). It leaves out those that go on for longer than a limit (most): they
// may be endless, such as spinners.
function movingHere(most) {
  const all = [document, ...shadowRoots()].flatMap(root => root.getAnimations());
  return all.map(animation => ({ animation, left: remaining(animation) })).filter(({ left }) => left > 0 && left <= most);
}

// latest returns for how many milliseconds the last of some animations goes on, 0 if there are none.
function latest(moving) { return Math.max(0, ...moving.map(({ left }) => left)); }

// remaining returns for how many milliseconds an animation runs; 0 when it is paused, does not
// follow the clock, or only paints.
function remaining(animation) {
  if (animation.playState !== 'running' || animation.timeline !== document.timeline) return 0;
  if (PAINT.test(animation.transitionProperty ?? '')) return 0;
  const { endTime, localTime } = animation.effect?.getComputedTiming() ?? {};
  return localTime == null ? 0 : (endTime - localTime) / Math.abs(animation.playbackRate);
}

// mayFill reports whether a script may bring the first content of this document, in which a reading
// found nothing. A document that is a picture, such as the drawing of a game, is complete.
function mayFill() {
  return document.scripts.length > 0 && runsScriptsHere() && document.querySelector('canvas,video,img,object,embed') === null;
}

Object.assign(chela, { awaitLater, awaitQuiet, listenForScrolls, movingHere, runsScriptsHere, mayFill });
