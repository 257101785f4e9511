// Elements that contain others which take clicks for themselves.
//
// Items contain the items below them, as in trees, lists and menus: <li role=treeitem>Folder<ul
// role=group><li role=treeitem>File</ul></li>. Cards, rows and chips contain buttons and links.

const ITEMS = ['[role=treeitem]', '[role=menuitem]', 'li, [role=listitem]', '[draggable=true]'];
const THINNEST = 8; // pixels: the minimum height of an item's own part for a click on it

// ownRects returns those boxes of an element in which the element itself can be acted on. For an
// item that contains other items, that is the part above the first inner item. The middle of the
// whole box is in an inner item, which would take the click for itself. If the inner items are
// beside the item's own content, nearly nothing is above them. Then the whole box is returned.
function ownRects(el) {
  const rects = rectsOf(el), same = ITEMS.find(items => el.matches(items)) ?? ofItsClass(el);
  if (same === null || rects.length !== 1) return rects;
  const [box] = rects, inner = firstRect(el.querySelectorAll(same));
  if (inner === null || inner.top - box.top < THINNEST) return rects;
  if (inner.top >= box.bottom || inner.left >= box.right || inner.right <= box.left) return rects; // no inner item is in the box
  return [new DOMRect(box.left, box.top, box.width, inner.top - box.top)];
}

// ofItsClass returns a selector of elements that a page makes like this one: those of the same tag and
// the same classes. It is null for an element without classes.
function ofItsClass(el) {
  const classes = el.getAttribute('class');
  return classes ? `${CSS.escape(el.localName)}[class="${CSS.escape(classes)}"]` : null;
}

// firstRect returns the box of the first rendered element among some elements, or null.
function firstRect(all) {
  for (const el of all) {
    const [rect] = sized(el.getClientRects());
    if (rect !== undefined && isRendered(el)) return rect;
  }
  return null;
}

// innerControl returns the innermost control inside an element that contains hit, null if there is none.
function innerControl(element, hit) {
  const control = closest(hit, el => el === element || el.matches(TAKES_CLICKS) || FIELD_ROLES.has(el.getAttribute('role')));
  return control !== null && control !== element && isInside(control, element) ? control : null;
}

const INNER_CONTROLS = 'a[href], button, [role=button], [role=link]';

// isForInner reports whether a click on hit is for a button or link inside an element, and not for
// the element itself. If that button or link has all the text of the element, a click on the element
// is meant for it. An example is <li role=menuitem><a href="…">Help</a></li>. A field that shows as
// chips what was chosen is always meant itself.
function isForInner(element, hit) {
  const inner = closest(hit, el => el === element || el.matches(INNER_CONTROLS));
  if (inner === null || inner === element || !isInside(inner, element)) return false;
  return isField(element) && element.tabIndex >= 0 || squash(inner.textContent) !== squash(element.textContent);
}
