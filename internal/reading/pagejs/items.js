// Items: elements without a role or listeners of their own, recognized by their looks. The
// listeners of a distant ancestor act on them. Examples are the bars of a chart, the days of a
// month, and the empty column of a board.

const COLUMN = 20; // pixels: the minimum width and height of an empty column

// Words in the class of an icon that changes a row when it is clicked. Other icons only decorate
// the row.
const CHANGES_ROW = /(^|[-_\s])(checkbox|check|chk|radio|expander|expand|collapse|toggle|toggler|twisty|caret)($|[-_\s])/i;

// isItem reports whether an element (place) looks like an item that is clicked by itself. The
// element is many levels below the element that listens. It is the day of a month, or one of
// several elements that are each painted and placed by themselves.
function isItem({ el, role, style, parent }) {
  const { delegation } = parent;
  delegation.days ??= parent.el.childElementCount > 1 && sampled(parent.el).every(isDay);
  if (delegation.days) return isEntry(el);
  return role === '' && style.position === 'absolute' && hasBox(style) && /\S/.test(el.textContent) && isEntry(el);
}

// isItemOfField reports whether an element (place) is one of several boxes above each other, which
// stand in one box with a text field. Over all of that box, the mouse pointer is a hand. Such are the
// items of a drop-down list that jSuites makes.
function isItemOfField({ el, parent }) {
  if (!parent.pointer || !/\S/.test(el.textContent) || !isEntry(el) || !areStacked(parent.el)) return false;
  let box = parent;
  while (box.parent !== null && box.parent.pointer) box = box.parent;
  return !isWhole(box.el) && Array.prototype.some.call(box.el.getElementsByTagName('input'), takesText);
}

// hasBox reports whether a box can be seen by its border or its color.
function hasBox({ backgroundColor, borderTopStyle, borderLeftStyle }) {
  return !UNPAINTED.has(backgroundColor) || borderTopStyle !== 'none' && borderLeftStyle !== 'none';
}

// changesRow reports whether el is an icon with a click of its own, in an entry that can also be
// clicked. Such an icon is the checkbox of a row, or expands the row. In a tree, a row without
// children has an empty element in place of the icon. That element does not count.
function changesRow(el) {
  return CHANGES_ROW.test(el.getAttribute('class')) && isSign(el) && showsSomething(el);
}

// isToggle reports whether an element (place) is the sign before the words of a tree item that can
// be expanded. It counts if what listens for clicks is around the item. Then a click on the words may
// select the item, and one on the sign expand it. Inside the item nothing else tells the two apart.
// Before such a sign there are only a few others.
function isToggle({ el, role, pointer, parent }) {
  if (role !== '' || !pointer) return false;
  let item = parent;
  while (item !== null && item.role === '' && (item.hints === '' || item.hints === 'cursor:pointer')) item = item.parent;
  if (item?.role !== 'treeitem' || !item.el.hasAttribute('aria-expanded') || listensForPresses(item.el)) return false;
  if (!isSign(el) || !isSmall(el) || !showsSomething(el)) return false;
  let before = 0;
  for (let e = el; e !== item.el; e = parentOf(e)) {
    for (let n = e.previousSibling; n !== null; n = n.previousSibling) if (before++ === SAMPLE || /\S/.test(n.textContent)) return false;
  }
  return closest(parentOf(item.el), n => listensForPresses(n) && !isWhole(n)) !== null;
}

function listensForPresses(el) {
  return ownListeners(el)?.some(hint => PRESSES.has(hint)) === true;
}

// showsSomething reports whether an element without words shows something.
function showsSomething(el) {
  if (el.firstElementChild !== null || /\S/.test(el.textContent) || isPainted(getComputedStyle(el))) return true;
  return ['::before', '::after'].some(which => {
    const style = getComputedStyle(el, which);
    return !/^(none|normal|"\s*")$/.test(style.content) || style.content.startsWith('"') && isPainted(style);
  });
}

// isPainted reports whether a box of this style can be seen without anything in it.
function isPainted(style) {
  return hasBox(style) || style.backgroundImage !== 'none' || style.maskImage !== 'none';
}

// isEmptyColumn reports whether an element (place) looks like an empty column, on which something
// can be dropped. It is an empty box beside similar boxes that hold other boxes. Boxes above each other
// may be the rows of a page. One of them may be for messages.
function isEmptyColumn({ el, leaf, role, parent }) {
  if (!leaf || role === 'cell' || parent?.role === 'row' || isTakenOut(el) || el.classList.length === 0 || /\S/.test(el.textContent)) return false;
  const { width, height, left, right } = el.getBoundingClientRect();
  const isBeside = other => { const box = other.getBoundingClientRect(); return box.left >= right || box.right <= left; };
  const isOther = other => isFilled(other, el) && isBeside(other);
  return width >= COLUMN && height >= COLUMN && sampled(el.parentElement?.parentElement).some(column => sampled(column).some(isOther));
}

// isDropZone reports whether the class, the id or an attribute of a box says that something can be
// dropped there. Libraries such as interact.js and Pragmatic drag and drop listen on the document
// only, so the box has no other sign.
function isDropZone({ el, role, block }) {
  return role === '' && block && DROP_ZONE.test(`${el.id} ${el.getAttribute('class') ?? ''} ${el.getAttributeNames().join(' ')}`);
}

const DROP_ZONE = /\b(drop[-_]?(zone|area|target|box)|droppable)\b/i;

// isFilled reports whether another box is made like the empty one (a column without cards), and
// holds boxes that are alike.
function isFilled(other, empty) {
  if (other === empty || !isLike(empty, other)) return false;
  const first = other.firstElementChild;
  return first !== null && (first.nextElementSibling === null || isLike(first, first.nextElementSibling));
}
