// Readiness: whether an element can be acted on, and where.

const alignments = ['center', 'start', 'end', 'nearest'];

// ready waits until element n can be acted on, at most until the deadline (o.by). It returns the
// point to act at in this frame's viewport, or what was still missing at that time (see
// missing.go). That is gone, hidden, disabled, moving, covered, unclickable or outside. Waiting
// changes nothing about choice, beyond, offpage, clipped and delegated, so it returns these earlier.
// It returns the last three as soon as the element rests, see reach.js. The options are:
//
//	enabled      whether the element must be enabled
//	says         if set, the text that the element must have; with another text it counts as gone
//	guard        for how many milliseconds all documents of this origin are guarded, and
//	             then the element, see guard.js
//	click, closed, hold, clickOnly, drag, drop  fields of that guard
//	dragged      whether something is dragged onto the element
//	from         the number of what is dragged, 0 if that is in another document
//	hover        whether the mouse will stay over the element
//	met          whether the mouse was moved onto the element, as the last answer was endless
//	wheel        whether the input is the mouse wheel; then the element is wheelTarget(n)
//	position     where in the element to act, see spotOf; without a position, any point will do
//	attempt      how many points were of no use before: each time another way
//	             of scrolling is tried

async function ready(n, o) {
  if (o.guard) guardAll(o.guard, o.wheel);
  const wait = beginWait(n);
  if (o.guard) await selectionHandled(o.by);
  spot = null;
  try {
    return await becomesReady(n, o, wait);
  } finally {
    spot = null;
  }
}

async function becomesReady(n, o, wait) {
  const scrolls = { done: o.attempt % alignments.length, forced: o.attempt > 0, place: '' }, rest = new Rest();
  const began = performance.now();
  for (;;) {
    const el = o.wheel ? wheelTarget(n) : element(n);
    if (!el || o.says && squash(el.textContent) !== o.says) return { missing: 'gone' };
    if (dropDownOf(el)) return { missing: 'choice', which: squash(el.label) };
    if (o.position && isShown(el)) {
      spot = { el, ...o.position };
      if (!holdsSpot(el)) return { missing: 'beyond', which: sizeOf(el) };
    }
    const found = await examine(el, o, scrolls, wait);
    if (wait.over) throw TOO_LATE;
    if (!found.missing && !o.wheel && element(n) !== el) continue; // reused or replaced while the element came to rest
    if (!found.missing) {
      wait.found = {};
      if (o.guard && o.drag) deselect(el);
      if (o.guard) guardElement(el, o.guard, o.by, { ...o, inner: isForInner(el, deepest(found.x, found.y)) });
      const interest = o.hover && invokerOf(el) !== null, follows = o.click && followsMouse(el);
      if (follows && o.guard) watchArrival(guard);
      const leave = o.hover ? wayOut(el, found) : null;
      return { ...found, interest, leave, follows, closed: isCollapsed(el), frame: el.localName === 'iframe' || el.localName === 'frame', instead: element(n) === null ? refOf(el) : 0, ownWords: o.click ? ownWords(el) : null };
    }
    if (found.endless) return found;
    const final = beyondWaiting(el, found, rest);
    if (final !== null) return final;
    if (o.click && found.missing === 'disabled' && performance.now() > began + ENABLES) leaveField(el);
    if (!await waitFor(wait, found, o.by)) return found.missing === 'hidden' ? { ...found, hover: hoverFor(el) } : found;
    if (found.internal) return { ...found, ...askAgain(found.internal) };
  }
}

// ENABLES is how long pages may take to enable a control by themselves after a text was typed. Many ask
// their server about the text.
const ENABLES = 1000; // milliseconds

let untold = null; // the field whose text was changed by input, and has had no change event since
listen(['input'], event => { if (event.isTrusted) untold = event.composedPath()[0]; }, { capture: true, passive: true });
listen(['change'], () => { untold = null; }, { capture: true, passive: true });

// leaveField takes the focus from a field for text, as a press of the mouse on a disabled element, el, does.
// The page may only then take what was typed, and enable the element. As by a press, the focus goes to
// what takes it around the element: editors and popovers close if it leaves them. A list of the field would
// close, and el with it. Lists keep the focus in the field when they are pressed.
function leaveField(el) {
  const field = focused();
  if (field === null || field !== untold || !takesText(field) || field.isContentEditable) return;
  const isOption = n => CHOICE_ROLES.has(attributeOf(n, 'role')) && !isInside(field, n);
  if (closest(el, isOption) !== null || placesOf(field).some(place => isInside(el, place))) return;
  untold = null;
  closest(el, el => (el.tabIndex >= 0 || el.hasAttribute('tabindex')) && !el.matches(':disabled'))?.focus({ preventScroll: true });
  if (focused() === field) field.blur();
}

// examine looks once at an element. It returns where the element can be acted on, or what is
// missing.
async function examine(el, o, scrolls, wait) {
  if (!isShown(el) && !widgetOf(el)) return { missing: 'hidden', which: isRendered(el) ? sizeOf(el) : '' };
  if (o.enabled && isInert(el)) return whyInert(el);
  const internal = o.enabled ? disabledItself(el) : null;
  if (internal !== null) return { missing: 'disabled', internal };
  const at = pointOf(el, o), moves = animated(el), clipped = at === null ? clippedBy(el) : null;
  if (clipped !== null) return clipped;
  const scrolled = (at !== null || !isOffPage(el, FAR_OFF)) && scroll(el, scrolls, at !== null);
  if (!scrolled && !moves) return at || obstacle(el);
  if (o.met && isEndless(el) && (o.click || el.matches(HOVERED))) return pointOf(el, o) || obstacle(el); // the guard finds out whether a click hits it
  const still = await settled(el, o.by, wait);
  if (still === false) {
    const to = !o.met && (o.click || o.hover) && performance.now() < o.by && isEndless(el) ? pointOf(el, o) : null;
    return { missing: 'moving', ...to, endless: to !== null };
  }
  if (scrolled) scrolls.place = place(el);
  const found = pointOf(el, o) || obstacle(el);
  return still === null && !found.missing && animated(el) ? { missing: 'moving' } : found;
}

// pointOf returns where an element can be acted on, null if nowhere. While an item is dragged, some
// pages look for themselves where the mouse is. Sortable lists make all their items ignore the mouse.
// Other pages put a shield over everything, or have several layers.
function pointOf(el, o) {
  const at = o.wheel ? wheelPoint(el) : o.click && pointOfWords(el) || o.drag && pointOfThumb(el) || clickable(el);
  if (at !== null || !o.dragged) return at;
  const seen = inSight(el);
  if (seen === null) return null;
  const hit = deepest(seen.x, seen.y);
  return ignoresMouse(el) || isBelowShield(hit) || isBelowLayer(el, hit, element(o.from)) ? seen : null;
}

// scroll scrolls to an element that a click would not reach, if scrolling may help. It reports
// whether it scrolled. It tries each alignment once. Only when the element has been moved out of
// sight does it try all of them again. Some lists ignore the mouse for a moment after each scroll.
// If we always scrolled again, their items could never be clicked.
//
//	scrolls.done    how many alignments were tried
//	scrolls.forced  the next one is tried in any case: the last point was of no use
//	scrolls.place   where the element was after the last one
function scroll(el, scrolls, reached) {
  if (!scrolls.forced) {
    if (reached) return false;
    const seen = inSight(el);
    if (!seen && place(el) !== scrolls.place) scrolls.done = 0;
    if (scrolls.done === alignments.length || seen && !scrollUncovers(el, deepest(seen.x, seen.y))) return false;
  }
  scrolls.forced = false;
  reveal(el, alignments[scrolls.done++]);
  return true;
}

// scrollUncovers reports whether scrolling may uncover an element that is in view but covered. That
// is so if the covering element is fixed to the viewport, or is outside of a box that scrolls the
// covered one.
function scrollUncovers(el, hit) {
  if (!hit || ignoresMouse(el) || isInside(el, hit)) return false;
  const sticks = closest(hit, n => /fixed|sticky/.test(getComputedStyle(n).position));
  if (sticks) return !isInside(el, sticks);
  return closest(el, n => scrollable(n) && !isInside(hit, n)) !== null;
}

function ignoresMouse(el) { return getComputedStyle(el).pointerEvents === 'none'; }

// pageIgnoresMouse reports whether the page has taken the mouse from all of its body. Some libraries
// do that while a popup is open. The popup itself gets the mouse.
function pageIgnoresMouse() { return document.body !== null && ignoresMouse(document.body); }

// isInert reports whether an element is disabled, by itself or by what it is in.
function isInert(el) {
  if (el.matches(':disabled') || el.control?.matches(':disabled')) return true;
  if (isBehind(el)) return true;
  const said = closest(el, n => n.hasAttribute('aria-disabled'));
  return said !== null && said.getAttribute('aria-disabled') === 'true';
}

// isBehind reports whether an element is in a part of the page that has the attribute inert.
function isBehind(el) { return closest(el, n => n.hasAttribute('inert')) !== null; }

// whyInert returns why an element takes no input, if isInert is true of it, as {missing, …}. Pages make
// all inert that is behind an open dialog or list: then it names what is open. A slide of a carousel is
// inert as well, but what is beside it is not.
function whyInert(el) {
  if (!isBehind(el)) return { missing: 'disabled' };
  const all = parentOf(closest(el, n => n.hasAttribute('inert')));
  const isAlone = open => isInside(open, all) && [...all.children].every(n => n.inert || isInside(open, n) || !isShown(n));
  const open = openInFront(n => n.matches(MODAL) || isAlone(n));
  return { missing: 'inert', ...open ? inTheWay(open) : { by: '' } };
}

// openInFront returns the last dialog, list or the like that is open and for which a function
// returns true, undefined if there is none.
function openInFront(isMeant) {
  return [...document.querySelectorAll(IN_FRONT)].findLast(n => isShown(n) && !isBehind(n) && isMeant(n));
}

const IN_FRONT = 'dialog[open], [role=dialog], [role=alertdialog], [role=listbox], [role=menu], :popover-open';
const MODAL = 'dialog:modal, [aria-modal=true]';

// barredFrom returns why an element takes no input, as {missing, …}, null if it takes input. It is
// disabled, or a modal dialog takes the input. Chromium lets scripts change such an element. A click
// needs no look at dialogs, since it would meet the dialog.
function barredFrom(el) {
  if (isInert(el)) return whyInert(el);
  const dialog = topModal();
  return dialog === null || isInside(el, dialog) ? null : { missing: 'covered', ...inTheWay(dialog, el) };
}

// disabledItself returns the custom element that has disabled itself through ElementInternals, as
// far as that is known. It is el or an ancestor of el, or null if there is none.
function disabledItself(el) {
  if (!anySemantics) return null;
  return closest(el, n => !n.hasAttribute('aria-disabled') && attributeOf(n, 'aria-disabled') === 'true');
}

// clickable returns a point in view at which input reaches the element, or null. The parameter
// reach is a function that decides this: it gets the element, and the element that is hit at the
// point. A point on a button or link inside the element is returned only if there is no other.
function clickable(el, reach = reaches) {
  const others = new Set(); // elements that were hit and are not what is looked for: most points hit the same
  let onInner = null;
  for (const target of targets(el)) {
    for (const { x, y } of points(target)) {
      if (!inView(x, y)) continue;
      const hit = deepest(x, y);
      if (others.has(hit)) continue;
      others.add(hit);
      if (!reach(el, hit)) continue;
      if (!isForInner(el, hit)) return { x, y };
      onInner ??= { x, y };
    }
  }
  return onInner;
}

// pointOfWords returns a point on the first words in an element, null if a click elsewhere is as good.
// The middle of a wide header or list item may be an empty box. If the element itself listens for no
// presses, what listens around it may look for the element that has the words. If the element has
// words of its own, it is that element itself.
function pointOfWords(el) {
  const [x, y] = middle(el);
  const link = linkOf(el);
  if (spot?.el === el || el.matches(TAKES_CLICKS) && link === null || isField(el) || listensForPresses(el) || !inView(x, y) || deepest(x, y) !== el) return null;
  const isText = node => node.nodeType === TEXT && /\S/.test(node.data);
  if ([...el.childNodes].some(isText)) return null;
  const texts = document.createTreeWalker(el, NodeFilter.SHOW_TEXT), range = document.createRange();
  while (texts.nextNode()) {
    const text = texts.currentNode;
    if (!isText(text)) continue;
    range.selectNodeContents(text);
    const { left, top, width, height } = range.getBoundingClientRect(), at = { x: left + width / 2, y: top + height / 2 };
    if (width === 0 || !inView(at.x, at.y)) continue;
    const hit = deepest(at.x, at.y);
    return reaches(el, hit) && !isForInner(el, hit) && [el, link].includes(closest(hit, n => n === el || listensForPresses(n))) ? at : null;
  }
  return null;
}

// pointOfThumb returns the middle of the thumb of a horizontal range input, null if there is none or the
// mouse does not reach it. A drag that begins elsewhere first moves the thumb there.
function pointOfThumb(el) {
  const share = spot?.el === el ? null : shareOf(el);
  if (share === null) return null;
  const { paddingLeft, paddingRight } = getComputedStyle(el), padding = parseFloat(paddingLeft);
  const room = el.clientWidth - padding - parseFloat(paddingRight) - THUMB, { left, width } = boxOf(el), scale = width / el.offsetWidth;
  const x = left + scale * (el.clientLeft + padding + THUMB / 2 + room * share), y = middle(el)[1];
  return inView(x, y) && reaches(el, deepest(x, y)) ? { x, y } : null;
}

// shareOf returns how far from its left end a horizontal range input stands, as a share of the way. For any
// other element it returns null.
function shareOf(el) {
  const { writingMode, direction } = getComputedStyle(el);
  if (el.localName !== 'input' || el.type !== 'range' || writingMode !== 'horizontal-tb') return null;
  const [min, max] = [Number(el.min), Number(el.max || 100)], share = max > min ? (el.valueAsNumber - min) / (max - min) : 0;
  return direction === 'rtl' ? 1 - share : share;
}

const THUMB = 16; // pixels: the width of a thumb that the page does not style

// linkOf returns the link in a menu item or tab that has all its words, null if there is none. A person
// clicks those, and nothing else in the item opens the link. Any other item may be chosen or expanded
// beside its link.
function linkOf(el) {
  const [link, more] = el.matches('[role=menuitem], [role=tab]') ? el.querySelectorAll(INNER_CONTROLS) : [];
  return more === undefined && link?.localName === 'a' && squash(link.textContent) === squash(el.textContent) ? link : null;
}

// targets returns the elements on which a click acts on el: el itself, its labels, and the widget
// that is shown in its place (box). A person would choose them in this order. A label apart from the
// widget comes last, since some widgets do not expect its clicks. So does an element that is too
// small to be seen: it may be at the edge of what is shown for it.
function targets(el) {
  if (spot?.el === el) return [el];
  const box = widgetOf(el), labels = labelsFor(el);
  const isApart = label => box !== null && !isInside(label, box) && !isInside(box, label);
  const shown = [...labels.filter(label => !isApart(label)), ...box === null ? [] : [box], ...labels.filter(isApart)];
  return isTiny(el) ? [...shown, el] : [el, ...shown];
}

// obstacle returns why no point of the element can be reached, as {missing, …}. What is seen for an
// element without a size counts as the element: its label or its widget.
function obstacle(el) {
  if (isBehind(el)) return whyInert(el);
  const popup = pageIgnoresMouse() && ignoresMouse(el) ? openInFront(n => !ignoresMouse(n)) : undefined;
  if (popup !== undefined) return { missing: 'inert', ...inTheWay(popup) };
  const seen = targets(el).find(target => inSight(target) !== null) ?? el;
  const at = inSight(seen) ?? [...points(el)].find(({ x, y }) => inView(x, y));
  if (!at) return { missing: 'outside' };
  const hit = deepest(at.x, at.y);
  if (hit === null && !ignoresMouse(el)) return { missing: 'outside' }; // as in a viewport that is one pixel wide
  return { missing: ignoresMouse(el) ? 'unclickable' : 'covered', around: hit !== null && isInside(el, hit), ...inTheWay(hit, el) };
}

// inTheWay describes the element that is hit in place of another one, with a ref by which it can be
// acted on. If it is part of a control that has a ref already, the ref is the control's. The label of
// another control stands for that control, but a menu or the like in the label does not.
function inTheWay(hit, el = null) {
  if (!hit) return { by: 'nothing' };
  const isApart = n => n.matches(TAKES_CLICKS) || /absolute|fixed/.test(getComputedStyle(n).position);
  const labelled = closest(hit, n => n.localName === 'label' || isApart(n))?.control ?? null;
  if (labelled !== null && labelled !== el) return { by: describe(labelled), byRef: refOf(labelled), around: false };
  const known = closest(hit, n => numbers.has(n) && !isWhole(n));
  const around = known !== null && el !== null && isInside(el, known) && known !== hit;
  return { by: describe(hit), byRef: isWhole(hit) ? 0 : refOf(around ? hit : known ?? hit) };
}

const MOST_LINES = 50; // children of a drawing that are looked at
const parts = [.5, .275, .725, .05, .95]; // fractions of the width and height of a box

// points yields points at which to try an element: the middle of each of its boxes, then a grid
// over the largest boxes. Of a drawing, points on its first lines follow: a line may miss all the others.
function* points(el) {
  if (spot?.el === el) return yield spotOf(el);
  const rects = ownRects(el);
  for (const r of rects) yield { x: r.left + r.width / 2, y: r.top + r.height / 2 };
  for (const r of rects.slice(0, 4)) yield* gridOf(r);
  if (!(el instanceof SVGGraphicsElement)) return;
  const isLine = e => e instanceof SVGGeometryElement && isRendered(e) && e.getTotalLength() > 0;
  for (const line of [el, ...Array.prototype.slice.call(el.children, 0, MOST_LINES)].values().filter(isLine).take(4)) {
    for (const f of parts) yield line.getPointAtLength(line.getTotalLength() * f).matrixTransform(line.getScreenCTM() ?? undefined);
  }
}

function* gridOf({ left, top, width, height }) {
  for (const fy of parts) for (const fx of parts) yield { x: left + width * fx, y: top + height * fy };
}

// nextFrame waits for the next animation frame, for LONGEST_FRAME at most, and at most until the
// deadline (by). An iframe that is out of view, for example, is not painted. The result says whether
// there was an animation frame.
function nextFrame(by = Infinity) {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, Math.max(0, Math.min(LONGEST_FRAME, by - performance.now())), false);
    requestAnimationFrame(() => { clearTimeout(timer); resolve(true); });
  });
}

const LONGEST_FRAME = 100; // milliseconds

// firstPainted waits until this document has been painted, at most until the deadline (by). Before
// the first paint, Chromium drops key presses, unless it was started with the flag
// --allow-pre-commit-input. Chromium may delay the first paint for half a second, so that more is
// painted at once. A document that shows nothing is never painted.
async function firstPainted(by) {
  const came = performance.getEntriesByType('navigation')[0]?.responseStart ?? 0, end = Math.min(by, came + HELD_BACK);
  while (performance.now() < end && performance.getEntriesByType('paint').length === 0) await nextFrame(end);
}

const HELD_BACK = 2000; // milliseconds after the document's response, within which firstPainted expects the first paint

// show waits until element n can be seen, at most until the deadline (by). Then it scrolls the
// element into view and waits until it no longer moves.
async function show(n, by) {
  const wait = beginWait(n);
  let el;
  for (;;) {
    el = element(n);
    if (!el) return { missing: 'gone' };
    el = dropDownOf(el) || el;
    if (isShown(el)) break;
    if (!await waitFor(wait, { missing: 'hidden' }, by)) return { missing: 'hidden' };
  }
  const r = boxOf(el);
  if (!inView(r.left, r.top) || !inView(r.right - 1, r.bottom - 1) || !clickable(el)) {
    reveal(el, 'center');
    await settled(el, by, wait);
  }
  return {};
}

// The latest wait for an element: the number of the element (n), and what the wait has found
// missing so far (found). If its call has ended before the deadline, over is true. On a loaded
// machine the answer of a function that waits may come after the deadline. So Go asks for what is
// missing before the deadline. Each wait has its own object. So a wait that was given up, but has
// not ended yet, does not change what a later wait has found.
let lastWait = { n: 0, found: {}, over: false };

function beginWait(n) { return lastWait = { n, found: {}, over: false }; }

// endWait ends the latest wait. Go calls it when its call ends before the deadline, so that the wait
// does not change the page later.
function endWait() { lastWait.over = true; }

// isOver reports whether a wait must not change the page any more: its time (by) has passed, or Go
// has ended it.
function isOver(wait, by) { return wait.over || performance.now() >= by; }

// waitFor notes what the wait has found missing, and waits for the next frame, at most until the
// deadline (by). It reports whether the wait goes on. If not, the caller must not act any more: on a
// busy page, the wait may end long after the call was answered.
async function waitFor(wait, found, by) {
  wait.found = found;
  await nextFrame(by);
  return !isOver(wait, by);
}

// lastMissing returns what a function that waits for element n has found missing so far,
// {} if nothing.
function lastMissing(n) { return lastWait.n === n ? lastWait.found : {}; }

Object.assign(chela, { ready, show, lastMissing, endWait });
