// Rest: when documents that have taken input do nothing more.

// later waits until a document of this origin changes later than the input, at
// most for most milliseconds.
function awaitLater(most) {
  return new Promise(resolve => {
    const limit = setTimeout(resolve, most);
    for (const each of everywhere()) each.laterHere(() => { clearTimeout(limit); resolve(); });
  });
}

// rest waits until no document of this origin has changed for idle milliseconds,
// and no transition runs in it, at most for most. It says when the first change
// came, later than the input, 0 if none did.
function rest(idle, most) {
  const until = performance.now() + most;
  const at = Math.min(...everywhere().map(each => each.laterAt()).filter(at => at > 0));
  for (const each of everywhere()) each.forgetLaterHere();
  return new Promise(resolve => {
    let first = Number.isFinite(at) ? at : 0;
    const observer = new MutationObserver(() => {
      first ||= Date.now();
      clearTimeout(calm);
      calm = setTimeout(look, idle);
    });
    let calm = setTimeout(look, idle);
    const limit = setTimeout(end, most);
    for (const each of everywhere()) each.observeWith(observer);
    function look() {
      const ms = Math.max(...everywhere().map(each => each.transitionsHere(until - performance.now())));
      if (ms > 0) calm = setTimeout(look, ms + 50); // and the frames in which its end is heard of
      else end();
    }
    function end() {
      observer.disconnect();
      clearTimeout(calm);
      clearTimeout(limit);
      resolve({ at: first, files: 0, input: 0 });
    }
  });
}

// Properties whose transitions change how a page looks and never what it says:
// nothing is shown, hidden or moved by them.
const PAINT = /color|shadow|^background|^border-.*radius|^outline|^text-decoration|^fill|^stroke|^filter|^backdrop/;

// transitionsHere returns for how many milliseconds the transitions and
// animations of this document go on: those that end within most.
function transitionsHere(most) {
  let ms = 0;
  for (const root of [document, ...shadowRoots()]) {
    for (const animation of root.getAnimations()) {
      const rest = remaining(animation);
      if (rest <= most) ms = Math.max(ms, rest);
    }
  }
  return ms;
}

// remaining returns for how many milliseconds an animation runs; 0 when it
// stands still, follows no clock, or only paints.
function remaining(animation) {
  if (animation.playState !== 'running' || animation.timeline !== document.timeline) return 0;
  if (PAINT.test(animation.transitionProperty ?? '')) return 0;
  const { endTime, localTime } = animation.effect?.getComputedTiming() ?? {};
  return localTime == null ? 0 : (endTime - localTime) / Math.abs(animation.playbackRate);
}

Object.assign(chela, { later: awaitLater, rest, transitionsHere });
