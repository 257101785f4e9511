// Readiness: whether an element can be acted on, and where.

const alignments = ['center', 'start', 'end', 'nearest'];

// ready waits until element n can be acted on, but not beyond o.by, and returns
// the point to act at in this frame's viewport, or what was still missing:
//
//   gone | hidden | disabled | moving | covered (by) | outside
//
// o.enabled: it must be enabled. o.guard: milliseconds to guard it for from now on;
// o.click: until it has got a click.
// o.attempt: how often a point was of no use, so that another scroll position is tried.
async function ready(n, o) {
  for (let attempt = o.attempt; ; attempt++) {
    const el = element(n);
    if (!el) return { missing: 'gone' };
    const found = await examine(el, o, attempt);
    if (!found.missing) {
      if (o.guard) arm(el, o.guard, o.by, o.click);
      return { ...found, frame: el.localName === 'iframe' || el.localName === 'frame' };
    }
    if (performance.now() >= o.by) return found;
    await nextFrame();
  }
}

// examine says once whether an element can be acted on, and where.
async function examine(el, o, attempt) {
  if (!isShown(el)) return { missing: 'hidden' };
  if (o.enabled && isInert(el)) return { missing: 'disabled' };
  const scrolls = attempt > 0 || !clickable(el);
  if (scrolls) reveal(el, alignments[Math.max(0, attempt - 1) % alignments.length]);
  if ((scrolls || animated(el)) && !await settled(el, o.by)) return { missing: 'moving' };
  return clickable(el) || obstacle(el);
}

// isInert reports whether an element is disabled, by itself or by what it is in.
function isInert(el) {
  if (el.matches(':disabled') || el.control?.matches(':disabled')) return true;
  if (closest(el, n => n.inert)) return true;
  const said = closest(el, n => n.hasAttribute('aria-disabled'));
  return said !== null && said.getAttribute('aria-disabled') === 'true';
}

// clickable returns a point in view at which input reaches the element, or null.
function clickable(el) {
  for (const target of [el, ...labelsFor(el)]) {
    for (const { x, y } of points(target)) {
      if (inView(x, y) && reaches(el, deepest(x, y))) return { x, y };
    }
  }
  return null;
}

// obstacle says why no point of the element can be reached.
function obstacle(el) {
  for (const { x, y } of points(el)) {
    if (!inView(x, y)) continue;
    const hit = deepest(x, y);
    return { missing: 'covered', by: hit ? chela.describe(hit) : 'nothing' };
  }
  return { missing: 'outside' };
}

const parts = [.5, .275, .725, .05, .95];

// points yields where to try an element: the middle of each of its boxes, then
// a grid over the largest.
function* points(el) {
  const rects = rectsOf(el);
  for (const r of rects) yield { x: r.left + r.width / 2, y: r.top + r.height / 2 };
  for (const r of rects.slice(0, 4)) {
    for (const fy of parts) for (const fx of parts) yield { x: r.left + r.width * fx, y: r.top + r.height * fy };
  }
}

function reveal(el, block) {
  const stands = el.localName === 'area' ? imageOf(el) : el.checkVisibility() ? el : labelsFor(el)[0];
  const box = stands ?? el; // without a box there is nothing to scroll to
  box.scrollIntoView({ block, inline: block === 'nearest' ? 'nearest' : 'center', behavior: 'instant' });
}

// settled waits until an element that may be moving stays where it is for two
// frames; it gives up when it has moved for a second, since the caller looks again.
async function settled(el, by) {
  const end = Math.min(by, performance.now() + 1000);
  let moved = false;
  for (let last = place(el); performance.now() < end;) {
    const painted = await nextFrame();
    const now = place(el);
    if (now === last && (painted || !animated(el))) return true; // an animation moves with the frames alone
    [last, moved] = [now, true];
  }
  return !moved;
}

function place(el) {
  const r = el.getBoundingClientRect();
  return `${r.x},${r.y},${r.width},${r.height}`;
}

// animated reports whether a running animation may move the element.
function animated(el) {
  return closest(el, n => n.getAnimations().some(a => a.playState === 'running')) !== null;
}

// nextFrame waits for the next frame; where none is painted, for a moment. It
// answers whether there was one.
function nextFrame() {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, 100, false);
    requestAnimationFrame(() => { clearTimeout(timer); resolve(true); });
  });
}

// show waits until element n can be seen, but not beyond by, scrolls it into
// view and waits until it stands.
async function show(n, by) {
  let el;
  for (;;) {
    el = element(n);
    if (!el) return { missing: 'gone' };
    if (isShown(el)) break;
    if (performance.now() >= by) return { missing: 'hidden' };
    await nextFrame();
  }
  const r = el.getBoundingClientRect();
  if (!inView(r.left, r.top) || !inView(r.right - 1, r.bottom - 1) || !clickable(el)) {
    reveal(el, 'center');
    await settled(el, by);
  }
  return {};
}

Object.assign(chela, { ready, show });
