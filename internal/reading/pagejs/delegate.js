// Delegated events. A container, or the page itself, often listens for clicks on the elements
// inside. Examples are the days of a calendar, the rows of a list and the cells of a sheet. It is
// impossible to know to which of these elements the container's code reacts. They are guessed from
// what a user sees: several boxes of a kind, beside each other. Such boxes are called entries here.
//
// A wrong guess can give each cell of a table a ref, which makes the snapshot long. A missing guess
// leaves an agent without a ref for the day that it wants to choose. So a listener of a container
// counts for the levels close to it. Most pages also have a listener on the document, for other
// reasons. That listener counts only for elements that are also marked, see isMarked.

// Hints of listeners for clicks and presses, see hint.js.
const PRESSES = words('onclick ondblclick onmousedown onmouseup onpointerdown onpointerup ontouchstart oncontextmenu');

// The hints of PRESSES that may belong to a listener of a container, for clicks on its entries.
const ON_ENTRIES = words('onclick ondblclick onmousedown onpointerdown');

const ENTRIES = words('listitem row gridcell article');
const ENTRY_LEVELS = 3; // how many levels below the container its entries may be, as cells are in a table
const SAMPLE = 30;      // how many children of an element are compared
const SHORT = 4;        // maximum number of characters of a key on a keypad or the like: a day, a seat, a sign

let pagePresses = '';  // the hint, such as onclick, of the page's own listener for presses, during a walk
let pageDrags = false; // whether the page itself listens for mouse presses and releases, as for dragging
let anyDraggable = false; // whether an element of the document can be dragged natively

// findPagePresses finds out which presses the page itself listens for, and sets pagePresses,
// pageDrags and anyDraggable. Pages listen for contextmenu to replace the browser's menu, which says
// nothing about single elements.
function findPagePresses() {
  const all = [document, document.documentElement, document.body].flatMap(node => node && listened.get(node) || NO_HINTS);
  pagePresses = all.find(hint => PRESSES.has(hint) && hint !== 'oncontextmenu') ?? '';
  pageDrags = ['onmouse', 'onpointer'].some(kind => all.includes(kind + 'down') && all.includes(kind + 'up'));
  anyDraggable = document.querySelector('[draggable=true]') !== null;
}

// A Delegation describes the listener for clicks on the children of an element.
class Delegation {
  constructor(hint, level, amongEntries) {
    this.hint = hint;
    this.level = level;               // how many levels the element is below the one that listens
    this.amongEntries = amongEntries; // whether the element is an entry, or inside one
    this.entries = undefined;         // whether its children may be entries; undefined: not checked yet
    this.days = undefined;            // whether its children are days of a month; undefined: not checked yet
  }
}

// delegationOf returns which element listens for clicks on the children of an element (place): the
// element itself, or one around it. It is null if there is none. It is also null for a control: a
// click on its content is a click on the control.
function delegationOf(place) {
  if (INTERACTIVE.has(place.role)) return null;
  const own = place.isTarget ? '' : place.hints.split(', ').filter(hint => ON_ENTRIES.has(hint)).join(', ');
  if (own !== '') return new Delegation(own, 0, false);
  const around = place.parent?.delegation ?? null;
  if (around === null) return null;
  const level = place.role === 'rowgroup' ? around.level : around.level + 1; // a rowgroup adds no level, since not every table has one
  return new Delegation(around.hint, level, around.amongEntries || place.isTarget);
}

// delegatedHint returns the hint of an element (place), such as onclick, if a container listens for
// clicks on it; '' if none does.
function delegatedHint(place) {
  const { el, tag, role, parent, isLabel } = place;
  const delegation = parent?.delegation ?? null;
  const handle = (role === '' || tag === 'svg') && delegation !== null ? handleHint(place) : '';
  if (handle !== '') return handle;
  if (role === '' && parent?.island === true && !parent.isTarget && isSign(el)) return pressAround(el);
  if (pageDrags && isEmptyColumn(place) || (pageDrags || anyDraggable) && isDropZone(place)) return 'ondrop';
  if (role === '' && delegation !== null && changesRow(el)) return delegation.hint;
  if (role === '' && isSymbol(el) && !isAllOfButton(el)) return delegation?.hint ?? pagePresses;
  if (tag === 'a' && role === '' && isLinkOfScripts(el)) return delegation?.hint ?? pagePresses;
  if (role === 'gridcell') return delegation?.hint ?? pagePresses;
  if (role === 'group' && pagePresses !== '' && namedByAuthor(el) && !groupsItems(parent)) return pagePresses;
  if (parent === null || role !== '' && role !== 'cell' || isLabel || el.namespaceURI === SVG) return '';
  if (delegation !== null && delegation.level < ENTRY_LEVELS) {
    return holdsEntries(parent, delegation) && isEntry(el) ? delegation.hint : '';
  }
  if (delegation !== null && isItem(place)) return delegation.hint;
  if (pagePresses !== '' && isItemOfField(place)) return pagePresses;
  return pagePresses !== '' && isMarked(place) && isWordless(parent.el) && isEntry(el) && !el.isContentEditable ? pagePresses : '';
}

// groupsItems reports whether groups in an element (place) only group the items of a widget around
// it, as in a menu.
function groupsItems(place) {
  while (place !== null && place.role === '') place = place.parent;
  return place !== null && GROUPED.has(place.role);
}

const GROUPED = words('listbox menu menubar radiogroup toolbar tree treeitem');

// handleHint returns the hint of a drag handle that has no listener itself, but a container listens
// for it. It returns '' if the element (place) is no handle. A handle has no words, and the cursor
// over it is one that moves or resizes. The port of a node is a handle from which a line is drawn.
function handleHint({ el, style, parent }) {
  const { cursor } = style;
  if (parent.style.cursor === cursor) return '';
  const resizes = RESIZE.test(cursor), isPort = PORT_CURSORS.has(cursor);
  if (!resizes && !isPort && !DRAG_CURSORS.has(cursor) || !isSign(el) || isPort && !isSmall(el)) return '';
  return resizes ? 'resize' : 'cursor:' + cursor;
}

// isSmallSign reports whether an element (place) is a small box or drawing without words. It is no part
// of another one, or of an item that is clicked. A listener around it may act on it, as on the end points
// of jsPlumb. Most of such elements are icons, so they get a line only if all lines get refs.
function isSmallSign({ el, tag, role, parent }) {
  return (role === '' || tag === 'svg') && !parent.isTarget && !parent.takesClicks && !parent.delegation.amongEntries && isSign(el) && isSmall(el) && showsSomething(el);
}

// isSmall reports whether el is not larger than an icon.
function isSmall(el) {
  const { width, height } = el.getBoundingClientRect();
  return width <= LARGEST_SIGN && height <= LARGEST_SIGN;
}

// isIsland reports whether el is a part of an editor's text that cannot be edited, such as the chip
// of a recipient.
function isIsland(el, parent) {
  return el.getAttribute('contenteditable') === 'false' && parent.isContentEditable;
}

// isSign reports whether el shows a sign without words: the × of a chip, an icon.
function isSign(el) {
  return !/[\p{L}\p{N}]/u.test(el.textContent) && !isThin(el, 1);
}

// isLinkOfScripts reports whether el is a link that leads nowhere by itself. It has words, and an
// attribute by which scripts know it.
function isLinkOfScripts(el) {
  return (hasData(el) || isDay(el)) && /[\p{L}\p{N}]/u.test(el.textContent);
}

// isSymbol reports whether el shows nothing but a symbol for an action, such as the × in the entry
// of a list.
function isSymbol(el) {
  return el.firstElementChild === null && el.firstChild !== null && SYMBOLS.test(el.textContent);
}

const SYMBOLS = /^\s*[×✕✖✗✘❌⨯🗑✎✏]\ufe0f?\s*$/u;

// pressAround returns the hint for the click listener of el, of its nearest ancestor that has one,
// or of the page. It returns '' if there is none.
function pressAround(el) {
  for (let e = el; e; e = parentOf(e)) {
    const hint = ownListeners(e)?.find(own => PRESSES.has(own));
    if (hint !== undefined) return hint;
  }
  return pagePresses;
}

// holdsEntries reports whether the children of an element may be entries (boxes that are clicked
// one by one). The outermost group of boxes of the same kind may be entries. The boxes of a group
// inside an entry may be entries only if they look like keys, or are above each other. Boxes that
// are side by side are the parts of a row.
function holdsEntries(place, delegation) {
  return delegation.entries ??= mayHoldEntries(place, delegation.amongEntries);
}

function mayHoldEntries({ el, role }, amongEntries) {
  if (!isWordless(el)) return false;
  if (role === 'row') return areKeys(el);
  return !amongEntries || areKeys(el) || areStacked(el);
}

// isWordless reports whether el contains only elements, and no text between them.
function isWordless(el) {
  for (let node = el.firstChild, i = 0; node !== null && i < SAMPLE; node = node.nextSibling, i++) {
    if (node.nodeType === TEXT && /\S/.test(node.data)) return false;
  }
  return true;
}

// isLike reports whether b is a box of the same kind as a. They have the same tag, and share a
// class or have none. The cells of a row are of the same kind even if a class marks the current
// day.
function isLike(a, b) {
  if (b === null || a.localName !== b.localName) return false;
  if (a.localName === 'td') return true;
  if (a.classList.length === 0 || b.classList.length === 0) return a.classList.length === b.classList.length;
  return Array.prototype.some.call(a.classList, name => b.classList.contains(name));
}

// areKeys reports whether the children of el look like the keys of a keypad: each has hardly any
// text.
function areKeys(el) {
  return el.childElementCount > 1 && sampled(el).every(isKey);
}

function isKey(el) {
  return squash(el.textContent).length <= SHORT && el.getElementsByTagName('*').length <= 2;
}

// areStacked reports whether the children of el are above each other. It compares the last two of
// them.
function areStacked(el) {
  const [a, b] = sampled(el).slice(-2).map(child => child.getBoundingClientRect());
  return b !== undefined && b.top >= a.bottom - 1;
}

function sampled(el) {
  return Array.prototype.slice.call(el?.children ?? NONE, 0, SAMPLE);
}

// isMarked reports whether an element (place) has a data attribute or is the day of a month. Most
// elements that a listener of the page reacts to have such an attribute.
function isMarked({ el, role }) {
  return hasData(el) || isDay(el) && (role !== 'cell' || isAmongDays(el));
}

// hasData reports whether an element has a data attribute. Attributes data-v-… do not count, as Vue
// gives one to all of its elements.
function hasData(el) {
  return el.getAttributeNames().some(name => name.startsWith('data-') && !name.startsWith('data-v-'));
}

// isEntry reports whether el is one of several boxes of the same kind and may be clicked itself. It
// must have a size, and be more than a wrapper around one control, with its label, or around keys.
function isEntry(el) {
  if (!isLike(el, el.previousElementSibling) && !isLike(el, el.nextElementSibling)) return false;
  const control = el.querySelector(CONTROLS);
  if (control !== null && [control, ...labelsOf(control)].some(each => squash(each.textContent) === squash(el.textContent))) return false;
  if (areKeys(el) && !areStacked(el)) return false;
  return !isThin(el);
}

// isThin reports whether the box of an element is so many pixels wide or high at most.
function isThin(el, most = THIN) {
  const box = el.getBoundingClientRect();
  return box.width <= most || box.height <= most;
}

const THIN = 4; // pixels: nobody clicks such a thin box, it is a line of a drawing
const CONTROLS = 'a[href],button,input,select,textarea,[tabindex],[role=button],[role=link]';
