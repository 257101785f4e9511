// Reach: elements that no scrolling brings into view. They lie too far off the page, or in a box
// without a size.

const FAR_OFF = 100; // pixels beyond the edge of the page; something nearer may be a drawer that slides in
const RESTS = 300;   // milliseconds; libraries measure a popup far off the page for some frames before they show it
const OPENS = 1500;  // milliseconds; a panel may open only when its data has come

// isOffPage reports whether no scrolling of the page can reach an element. The element must lie
// outside of the scrollable area, at a distance of at least the parameter by, in pixels. For an
// element in a box that clips or scrolls its content, the place of the box counts: scrolling may
// show the element. What lies before the start of the box's content is never shown.
function isOffPage(el, by = 0) {
  let box = boxOf(el), inWindow = false;
  for (let n = el; n && !isWhole(n); n = containing(n)) {
    const style = getComputedStyle(n);
    if (n !== el && style.overflow !== 'visible') {
      const around = n.getBoundingClientRect(), [x, y] = contentStart(n, around.left, around.top, style);
      if (box.right <= x - by || box.bottom <= y - by) return true;
      box = around;
    }
    inWindow = style.position === 'fixed' && containing(n) === null;
  }
  const { left, top, right, bottom } = inWindow ? { left: 0, top: 0, right: innerWidth, bottom: innerHeight } : findScrolledPage();
  return box.right <= left - by || box.bottom <= top - by || box.left >= right + by || box.top >= bottom + by;
}

// emptyBoxAround returns the box without a width or height that cuts off all of an element, such as
// a closed panel. It returns null if there is none.
function emptyBoxAround(el) {
  for (let n = containing(el); n && !isWhole(n); n = containing(n)) if (cutsAllOff(n)) return n;
  return null;
}

// cutsAllOff reports whether an element is a box without a width or height that cuts off all content.
function cutsAllOff(el) {
  const { display, overflowX, overflowY } = getComputedStyle(el);
  if (overflowX === 'visible' && overflowY === 'visible' || display === 'inline' || display === 'contents') return false;
  const { width, height } = el.getBoundingClientRect();
  return overflowX !== 'visible' && width < 1 || overflowY !== 'visible' && height < 1;
}

// clippedBy returns that an element is cut off, as {missing, …}. It returns null if a part of the
// element, or of what is shown in its place, may be seen.
function clippedBy(el) {
  const boxes = targets(el).map(emptyBoxAround);
  return boxes.every(box => box !== null) ? { missing: 'clipped', by: describe(boxes[0]) } : null;
}

// The elements that a style sheet or their own style may move far. They are found for one walk;
// null: not known yet. Elements that are neither among these nor inside one are on the page, and
// need not be measured.
let moved = null;

// findMoved adds the moved elements of a document or shadow root. The parameter selectors has the
// selectors of rules that move elements far.
function findMoved(root, selectors, readable) {
  if (moved === null) return;
  if (!readable || selectors.length > MOST_SELECTORS) moved = null;
  else for (const el of root.querySelectorAll([...selectors, MOVED_ITSELF].join(','))) moved.add(el);
}

const MOVED_ITSELF = [': -', ':-', '(-', ', -', ',-', '(100', 'left: 100', 'left:100'].map(part => `[style*="${part}"]`).join(',');

// mayMoveFar reports whether a rule has a declaration that may move elements off the page.
function mayMoveFar({ left, top, right, bottom, marginLeft, marginTop, transform, translate }) {
  return FAR_VALUE.test(left + ' ' + top + ' ' + right + ' ' + bottom + ' ' + marginLeft + ' ' + marginTop)
    || transform + translate !== '' && FAR_TRANSFORM.test(transform + ' ' + translate);
}

const FAR_VALUE = /-\d{3}|-[\d.]+(?!px)[a-z%]|100[%v]|var\(|calc\(/;
const FAR_TRANSFORM = /-|100[%v]|\d{3}px|var\(/;

let edges = null; // a rectangle that is certainly on the page, found once in a walk

// isOffScreen returns the same as isOffPage, but faster if the element is on the page. The walk
// calls it for many elements, and nearly all of them are on the page.
function isOffScreen(el) {
  edges ??= findEdges();
  const box = el.getBoundingClientRect();
  const within = box.right > edges.left && box.bottom > edges.top && box.left < edges.right && box.top < edges.bottom;
  return !within && box.width > 0 && box.height > 0 && isOffPage(el);
}

function findEdges() {
  const { left, top, right } = findScrolledPage();
  const bottom = document.documentElement.scrollHeight - scrollY;
  return { left, top, right: Math.min(right, innerWidth), bottom: Math.max(bottom, innerHeight) };
}

// needsScreen reports whether an action on an element needs the mouse, and so a place on the
// screen. Text is entered and options are chosen without it. A checkbox or radio button is clicked
// on its label if the label can be seen.
function needsScreen(el) {
  if (el.localName === 'select' || el.localName === 'iframe' || el.type === 'file' || takesText(el)) return false;
  return !labelsFor(el).some(label => isRendered(label) && !isOffPage(label));
}

// A Rest measures for how long an element has been at the same place.
class Rest {
  constructor() {
    this.place = '';
    this.since = 0;
  }

  // isOver reports whether the element has been at its place for so many milliseconds that it will stay.
  isOver(el, rests = RESTS) {
    const now = place(el);
    if (now !== this.place) [this.place, this.since] = [now, performance.now()];
    return performance.now() - this.since >= rests;
  }
}

// beyondWaiting returns what is missing if waiting cannot make the element ready, else null. The
// parameter found has the reason why the element is not ready now. The results are:
//
//	offpage    it lies far off the page; hover is the ref of the element that brings it when hovered
//	clipped    it is cut off by a box without a size; hover is the ref of the element that opens the box when hovered
//	delegated  it is a checkbox or the like that ignores the mouse, so the element around it is clicked
function beyondWaiting(el, found, rest) {
  if (found.missing === 'outside' && isOffPage(el, FAR_OFF)) {
    const hover = hoverFor(el);
    if (hover !== 0) return { missing: 'offpage', hover };
    return rest.isOver(el) ? { missing: 'offpage' } : null;
  }
  if (found.missing === 'clipped') {
    const hover = hoverFor(el, SIZING);
    return hover !== 0 || rest.isOver(el, OPENS) ? { ...found, hover } : null;
  }
  if (found.missing !== 'unclickable' || found.byRef === 0 || !CHECKABLE.has(roleOf(el)) || !rest.isOver(el)) return null;
  return { ...found, missing: 'delegated' };
}
