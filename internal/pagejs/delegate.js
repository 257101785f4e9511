// Delegated events. A container, or the page itself, often listens for what is
// done to the elements inside: the days of a calendar, the rows of a list, the
// cells of a sheet. Which of them it means, only its code knows; here they are
// told by what a user sees: boxes that are alike, side by side.

// Listeners that say that something is pressed.
const PRESSES = words('onclick ondblclick onmousedown onmouseup onpointerdown onpointerup ontouchstart oncontextmenu');

// Listeners that a container has for its entries.
const ON_ENTRIES = words('onclick ondblclick onmousedown onpointerdown');

const ENTRIES = words('listitem row gridcell article');
const ENTRY_LEVELS = 3; // as a row is in a table
const SAMPLE = 30;      // children that are compared
const SHORT = 4;        // characters of what is pressed like a key: a day, a seat, a sign

let pagePresses = ''; // the hint of what the page itself listens for, in a walk

// findPagePresses starts a walk.
function findPagePresses() {
  const all = [document, document.documentElement, document.body].flatMap(node => node && listened.get(node) || NO_HINTS);
  pagePresses = all.find(hint => PRESSES.has(hint)) ?? '';
}

// A Delegation says who listens for what is done to the children of an element.
class Delegation {
  constructor(hint, level, amongEntries) {
    this.hint = hint;
    this.level = level;               // how many levels the element is below who listens
    this.amongEntries = amongEntries; // whether it is, or is in, what is pressed
    this.entries = undefined;         // whether its children are, once asked
  }
}

// delegationOf returns who listens for presses in a place: itself, or else what
// listens around it; null if nobody. What is inside a control is pressed with the control.
function delegationOf(place) {
  if (INTERACTIVE.has(place.role)) return null;
  const own = place.isTarget ? '' : place.hints.split(', ').filter(hint => ON_ENTRIES.has(hint)).join(', ');
  if (own !== '') return new Delegation(own, 0, false);
  const around = place.parent?.delegation ?? null;
  return around && new Delegation(around.hint, around.level + 1, around.amongEntries || place.isTarget);
}

// delegatedHint returns the hint of an element that is pressed by what listens
// around it, '' if none is.
function delegatedHint({ el, role, parent, isLabel }) {
  const delegation = parent?.delegation ?? null;
  if (role === 'gridcell') return delegation?.hint ?? pagePresses;
  if (role === 'group' && pagePresses !== '' && namedByAuthor(el)) return pagePresses;
  if (parent === null || role !== '' && role !== 'cell' || isLabel || el.namespaceURI === SVG) return '';
  if (delegation !== null && delegation.level < ENTRY_LEVELS) return holdsEntries(parent, delegation) && isEntry(el) ? delegation.hint : '';
  return pagePresses !== '' && isMarked(el) && isWordless(parent.el) && isEntry(el) ? pagePresses : '';
}

// holdsEntries says whether the children of a place may be what is pressed. The
// outermost boxes that are alike are; those in them only when they look like
// keys, or are stacked: what stands side by side in a row are its parts.
function holdsEntries({ el, role }, delegation) {
  return delegation.entries ??= isWordless(el) && (role === 'row' ? areKeys(el) : !delegation.amongEntries || areKeys(el) || areStacked(el));
}

// isWordless says whether there are only elements in el, no text between them.
function isWordless(el) {
  for (let node = el.firstChild, i = 0; node !== null && i < SAMPLE; node = node.nextSibling, i++) {
    if (node.nodeType === TEXT && /\S/.test(node.data)) return false;
  }
  return true;
}

// isLike says whether b is a box of the same kind as a.
function isLike(a, b) {
  if (b === null || a.localName !== b.localName) return false;
  return a.classList.length === 0 || b.classList.length === 0 ? a.classList.length === b.classList.length : Array.prototype.some.call(a.classList, c => b.classList.contains(c));
}

// areKeys says whether the children of el have hardly any text.
function areKeys(el) {
  return el.childElementCount > 1 && sampled(el).every(child => squash(child.textContent).length <= SHORT && child.getElementsByTagName('*').length <= 2);
}

function areStacked(el) {
  const [a, b] = sampled(el).slice(-2).map(child => child.getBoundingClientRect());
  return b !== undefined && b.top >= a.bottom - 1;
}

function sampled(el) {
  return Array.prototype.slice.call(el.children, 0, SAMPLE);
}

// isMarked says whether an element carries data, as what a listener of the page
// looks for mostly does.
function isMarked(el) {
  return el.getAttributeNames().some(name => name.startsWith('data-') && !name.startsWith('data-v-')) || /^\d{1,2}$/.test(squash(el.textContent));
}

// isEntry says whether el is one of several boxes of a kind, and can be pressed by
// itself: it has a size, and is more than a wrapper around one control or around keys.
function isEntry(el) {
  if (!isLike(el, el.previousElementSibling) && !isLike(el, el.nextElementSibling)) return false;
  const control = el.querySelector(CONTROLS);
  if (control !== null && squash(control.textContent) === squash(el.textContent)) return false;
  if (areKeys(el) && !areStacked(el)) return false;
  const box = el.getBoundingClientRect();
  return box.width > 1 && box.height > 1;
}

const CONTROLS = 'a[href],button,input,select,textarea,[tabindex],[role=button],[role=link]';
