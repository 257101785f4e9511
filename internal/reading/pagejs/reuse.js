// Reused elements: some pages keep the elements of a list, and show other items in them. Lists
// without keys do so after a deletion, and long lists when they are scrolled. An element that shows
// another item counts as removed and as new, see carry.js.
//
// An item is a row, list item, article, tree item or option. An element without a role is one if it
// has another of its kind beside it. An item is known by its opening: the first of its texts that begins
// with a letter, and a number before that text.
//
// An element may have another opening than in the last reading. There are two cases in which it shows
// another item:
//
//   - The items have moved. An element beside it had the new opening and has it no more, or has got the
//     old one.
//   - The item has a role, and its old and new openings have no word of its own in common. A word that
//     items beside it have as well is not its own. If there are only such words, the numbers decide.
//
// So "Off Wi-Fi" and "On Wi-Fi" are the same item, and so are "Guests: 2" and "Guests: 3". "Order 2"
// and "Order 3" are not, if other items also begin with "Order".

class Item {
  constructor(el, opening, hasRole) {
    this.el = el;
    this.parent = el.parentNode;
    this.opening = opening;
    this.hasRole = hasRole;
    this.isReused = false;
  }
}

let lastItems = new Map(); // element -> its Item in the last reading
let touched = [];          // nodes that changed since then; null: too many
let lookedSince = 0;       // when the latest call began, as performance.now counts
let looked = 0;            // milliseconds that it has spent with reading the document again
let tooLong = false;       // the document was too long to be read again

const MOST_TOUCHED = 100;   // changed nodes that are remembered
const LOOKING = 1 / 5;      // the part of a call's time that may be spent with reading again

// findReused finds the items of a reading whose elements showed other items in the last reading.
function findReused(items) {
  const changed = [...items.values()].filter(({ el, opening }) => !hasSameWords(lastItems.get(el)?.opening ?? opening, opening));
  if (changed.length === 0) return;
  const before = siblingsOf(lastItems), now = siblingsOf(items);
  const nowAt = el => items.get(el)?.opening ?? (el.isConnected ? lastItems.get(el)?.opening : undefined);
  for (const item of changed) {
    const was = lastItems.get(item.el).opening, is = item.opening, beside = [before.get(item.parent), now.get(item.parent)];
    const moved = beside[1].with(was).some(({ el }) => lastItems.get(el)?.opening !== was) || beside[0]?.with(is).some(({ el }) => nowAt(el) !== is);
    item.isReused = moved || item.hasRole && !areAlike(was, is, beside);
  }
}

// Siblings are the items whose elements have one parent.
class Siblings {
  constructor() {
    this.openings = new Map(); // opening -> its items
    this.terms = new Map();    // term -> how many openings have it
  }

  add(item) {
    listed(this.openings, item.opening).push(item);
    for (const term of new Set(openingTerms(item.opening))) this.terms.set(term, (this.terms.get(term) ?? 0) + 1);
  }

  with(opening) { return this.openings.get(opening) ?? []; }
}

function siblingsOf(items) {
  const groups = new Map();
  for (const item of items.values()) remembered(groups, item.parent, () => new Siblings()).add(item);
  return groups;
}

// The terms of an opening are its words and numerals. Signs do not count: they often say whether an item
// is open or chosen.
const openingTerms = text => text.match(/[\p{L}\p{N}]+/gu) ?? [];
const isNumeral = term => /^\p{N}+$/u.test(term);

const plainly = text => openingTerms(text).join(' ');

function hasSameWords(a, b) { return a === b || plainly(a) === plainly(b); }

// areAlike reports whether two openings of an element can be of the same item. The parameter beside
// has the Siblings of the last reading, which may be missing, and of this one.
function areAlike(was, is, beside) {
  const isShared = term => beside.some(siblings => (siblings?.terms.get(term) ?? 0) > 1);
  const own = text => openingTerms(text).filter(term => !isNumeral(term) && !isShared(term));
  const [a, b] = [own(was), own(is)];
  if (a.length > 0 && b.length > 0) return a.some(term => b.includes(term)) || plainly(is).startsWith(plainly(was)) || plainly(was).startsWith(plainly(is)); // a text may grow
  const numerals = text => openingTerms(text).filter(isNumeral).join(' ');
  return numerals(was) === numerals(is);
}

// keepItems remembers the items of a reading. Those that it has not read stay, as long as their
// elements are in the document. They may be empty or hidden for a moment.
function keepItems(items) {
  for (const el of lastItems.keys()) if (!el.isConnected) lastItems.delete(el);
  for (const [el, item] of items) lastItems.set(el, item);
}

// watchItems begins to note which nodes change in a way that may change the opening of an item.
function watchItems() {
  touches.disconnect();
  touched = [];
  if (lastItems.size === 0) return;
  for (const root of [document, ...shadowRoots()]) {
    touches.observe(root, { subtree: true, childList: true, characterData: true, attributeFilter: ['aria-label', 'alt'] });
  }
}

const touches = new MutationObserver(noteTouched);

function noteTouched(records) {
  if (touched === null) return;
  touched = [...new Set([...touched, ...records.map(record => record.target)])];
  if (touched.length <= MOST_TOUCHED) return;
  touched = null;
  touches.disconnect();
}

// changedItems returns the items around an element in which something changed since the last reading.
function changedItems(el) {
  if (lastItems.size === 0 || !carries()) return [];
  noteTouched(touches.takeRecords());
  if (touched?.length === 0) return [];
  const items = [];
  for (let up = el; up !== null; up = parentOf(up)) if (lastItems.has(up)) items.push(lastItems.get(up));
  return items.length > 0 && isTouched(new Set(items.map(item => item.el))) ? items : [];
}

// mayReadAgain reports whether a call may read the document again. A page may change an item again
// and again, such as one with a clock. So a call spends only a part of its time with reading.
function mayReadAgain() {
  return !tooLong && looked <= LOOKING * (performance.now() - lookedSince);
}

// beginsAsBefore reports whether an item has the words of its opening. It is a rough test for when the
// document cannot be read again: other words of another item may be the same.
function beginsAsBefore({ el, opening }) {
  return plainly(el.textContent + ' ' + (el.ariaLabel ?? '')).includes(plainly(opening));
}

// haveItemsChanged reports whether something changed in any item since the last reading.
function haveItemsChanged() {
  noteTouched(touches.takeRecords());
  return isTouched(lastItems);
}

// isTouched reports whether a node changed in one of the elements, which are keys of a Map or Set.
function isTouched(items) {
  return touched === null || touched.some(node => closest(node, up => items.has(up)) !== null);
}

// beginLooks begins to count the time that a call spends with reading again.
function beginLooks() {
  lookedSince = performance.now();
  looked = 0;
}
