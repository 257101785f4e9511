// Reused elements: some pages keep the elements of a list, and show other items in them. Lists
// without keys do so after a deletion, and long lists when they are scrolled. An element that shows
// another item counts as removed and as new, see carry.js.
//
// An item is a row, list item, article, tree item or option. Any other element is one if it has
// another of its kind beside it. It also has to be a control, or to tell the controls in it from others.
// Regions.recognize decides that.
//
// An item is known by its phrases. A phrase tells an item if no item beside it has the same one. There are
// four ranks of phrases, and a rank counts only if no phrase of a higher one tells the item:
//
//   - texts with letters, without their numbers and signs: "3 Ann" is "Ann", and "Guests: 2" is "Guests";
//   - texts with numbers, or with signs only;
//   - names of buttons, and addresses of links;
//   - values of fields, and addresses of pictures without words.
//
// Numbers, times and states change while the item stays the same. So an element shows another item only if it
// has lost all phrases that told it, in one of these cases:
//
//   - The items have moved. A phrase that told an element beside it tells this one now, or the other way
//     round.
//   - At least two items have lost these phrases at once, and they are half of the list: it is another page.
//     For that, a text must have lost a word that it alone had.
//   - The item has a role, and its texts have no such word in common with those of before. If it had no
//     such word, the numbers decide.

class Item {
  // The parameter hash is the sum of the hashes of the phrases, also of those that are not kept.
  constructor(el, top, phrases, hash, hasRole) {
    this.el = el;
    this.top = top; // of an element that is alone in others, the outermost of these
    this.parent = top.parentNode;
    this.phrases = phrases;
    this.hash = hash;
    this.hasRole = hasRole;
    this.lists = null;
  }

  // ranks returns the phrases of each rank. They are needed only if the item has changed.
  get ranks() {
    if (this.lists !== null) return this.lists;
    this.lists = RANKS.map(() => new Set());
    for (const phrase of this.phrases) {
      const terms = phraseTerms(phrase), letters = terms.filter(term => !isNumeral(term)).join(' ');
      if (!isText(phrase)) this.lists[phrase.startsWith(NAME_IN_ITEM) ? 2 : 3].add(phrase);
      else if (letters !== '') this.lists[0].add(letters);
      if (isText(phrase) && (letters === '' || terms.some(isNumeral))) this.lists[1].add(terms.join(' ') || phrase.trim());
    }
    return this.lists;
  }

  // terms returns the terms of its first texts that may identify it. A price or a time of day may not.
  terms(most = MOST_PHRASES) {
    return this.phrases.filter(phrase => isText(phrase) && !VARIES.test(phrase)).slice(0, most).flatMap(phraseTerms);
  }
}

const isText = phrase => !phrase.startsWith(NAME_IN_ITEM) && !phrase.startsWith(VALUE_OF_ITEM);

const RANKS = [0, 1, 2, 3]; // of phrases

let lastItems = new Map(); // element -> its Item in the last reading
let touched = [];          // nodes that changed since then; null: too many
let lookedSince = 0;       // when the latest call began, as performance.now counts
let looked = 0;            // milliseconds that it has spent with reading the document again
let tooLong = false;       // the document was too long to be read again

const MOST_TOUCHED = 100;   // changed nodes that are remembered
const LOOKING = 1 / 5;      // the part of a call's time that may be spent with reading again

// findReused returns the elements of a reading that showed other items in the last reading.
function findReused(items) {
  const changed = [];
  for (const [el, item] of items) {
    const was = lastItems.get(el);
    if (was !== item && was !== undefined && was.hash !== item.hash) changed.push(item);
  }
  if (changed.length === 0) return new Set();
  const parents = new Set(changed.flatMap(({ el, parent }) => [parent, lastItems.get(el).parent]));
  const last = [...lastItems.values()], unread = last.filter(({ el }) => el.isConnected && !items.has(el));
  const before = siblingsOf(last, parents), now = siblingsOf([...unread, ...items.values()], parents);
  const changes = changed.map(is => {
    const was = lastItems.get(is.el);
    return new Change(was, is, before.get(was.parent), now.get(is.parent));
  });
  const pages = Map.groupBy(changes.filter(change => change.isOther), ({ is }) => is.parent);
  for (const [parent, all] of pages) if (all.length < 2 || 2 * all.length < now.get(parent).items.length) pages.delete(parent);
  return new Set(changes.filter(change => change.hasMoved || pages.get(change.is.parent)?.includes(change) || change.isUnlike).map(({ is }) => is.el));
}

// A Change is what an element showed in the last reading (was) and shows now (is). The parameters before and
// now have the Siblings of both.
class Change {
  constructor(was, is, before, now) {
    this.was = was;
    this.is = is;
    this.before = before;
    this.now = now;
    // Of an item that is alone, only the first phrase counts: nothing shows which others all items have.
    this.most = before.items.length > 1 || now.items.length > 1 ? MOST_PHRASES : 1;
    this.rank = RANKS.find(rank => this.telling(rank).length > 0) ?? RANKS.length; // of the phrases that told the item
    this.isLost = this.rank === RANKS.length || !this.telling(this.rank).some(phrase => is.ranks[this.rank].has(phrase));
  }

  // telling returns the phrases of a rank that told the item, and that no two items have now.
  telling(rank) {
    return this.before.telling(this.was, rank).filter(phrase => !this.now.shares(phrase, rank)).slice(0, this.most);
  }

  // hasMoved reports whether the item, or the one that is here now, is or was in another element.
  get hasMoved() {
    if (!this.isLost) return false;
    const { was, is, before, now, rank } = this;
    return RANKS.slice(0, rank + 1).some(i => now.telling(is, i).some(phrase => !was.ranks[i].has(phrase) && before.tells(phrase, i, is.top))
      || this.telling(i).some(phrase => !is.ranks[i].has(phrase) && now.tells(phrase, i, is.top)));
  }

  // own returns the words or numerals in a text that one item alone has.
  own(item, isWanted) {
    return item.terms(this.most).filter(term => isWanted(term) && ![this.before, this.now].some(({ terms }) => terms.get(term) > 1));
  }

  // isOther reports whether this may be a part of another page.
  get isOther() {
    if (!this.isLost || this.rank > 2) return false;
    if (this.rank > 0) return true;
    const [a, b] = [this.was, this.is].map(item => this.own(item, term => !isNumeral(term)).join(' '));
    return a !== b;
  }

  // isUnlike reports whether an item with a role has nothing in common with what it was.
  get isUnlike() {
    if (!this.isLost || !this.is.hasRole) return false;
    const isWord = term => !isNumeral(term), a = this.own(this.was, isWord), [before, terms] = [this.was, this.is].map(item => item.terms(this.most));
    if (a.length === 0) return before.filter(isNumeral).join(' ') !== terms.filter(isNumeral).join(' ');
    const [x, y] = [before.join(' '), terms.join(' ')];
    return !a.some(term => terms.includes(term)) && !x.startsWith(y) && !y.startsWith(x); // a text may grow
  }
}

// Siblings are the items of a reading whose elements stand beside each other. Of an element that is alone
// in another, the other one counts if both are items.
class Siblings {
  constructor(items) {
    this.items = [...new Map(items.map(item => [item.top, item])).values()];
    this.owners = RANKS.map(() => new Map()); // for each rank, phrase -> the tops of the items that have it
    this.terms = new Map();                   // term -> how many items have it
    for (const item of this.items) {
      item.ranks.forEach((phrases, rank) => phrases.forEach(phrase => listed(this.owners[rank], phrase).push(item.top)));
      for (const term of new Set(item.terms())) this.terms.set(term, (this.terms.get(term) ?? 0) + 1);
    }
  }

  // telling returns the phrases of a rank that tell an item.
  telling(item, rank) { return [...item.ranks[rank]].filter(phrase => !this.shares(phrase, rank)); }

  // tells reports whether a phrase tells another element than the given one.
  tells(phrase, rank, top) {
    const owners = this.owners[rank].get(phrase);
    return owners?.length === 1 && owners[0] !== top;
  }

  // shares reports whether several items have a phrase of a rank.
  shares(phrase, rank) { return this.owners[rank].get(phrase)?.length > 1; }
}

// siblingsOf returns a map from each of the given parents to the Siblings in it.
function siblingsOf(items, parents) {
  const groups = Map.groupBy(items.filter(item => parents.has(item.parent)), item => item.parent);
  return new Map(Array.from(groups, ([parent, group]) => [parent, new Siblings(group)]));
}

// The terms of a text are its words and numerals. Signs do not count: they often say whether an item is
// open or chosen. In "5s" and "12 min", the unit is no word.
const phraseTerms = text => (text.match(/[\p{L}\p{N}]+/gu) ?? []).flatMap(term => /^\p{N}+\p{Ll}{1,3}$/u.test(term) ? term.match(/^\p{N}+/u) : [term]);
const isNumeral = term => /^\p{N}+$/u.test(term);

const plainly = text => phraseTerms(text).join(' ');

// VARIES matches a phrase without letters, unless it is a whole number or a date.
const VARIES = /^(?![^\p{L}\p{N}]*\d[\d-]*\s*$)[^\p{L}]*$/u;

// keepItems remembers the items of a reading. Those that it has not read stay, as long as their
// elements are in the document. They may be empty or hidden for a moment.
function keepItems(items) {
  for (const [el, item] of lastItems) if (!items.has(el) && el.isConnected) items.set(el, item);
  lastItems = items;
}

// watchItems begins to note which nodes change in a way that may change the phrases of an item.
function watchItems() {
  touches.disconnect();
  touched = [];
  if (lastItems.size === 0) return;
  for (const root of [document, ...shadowRoots()]) {
    touches.observe(root, { subtree: true, childList: true, characterData: true, attributeFilter: ['aria-label', 'alt', 'value', 'href'] });
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

// beginsAsBefore reports whether an item has its first text. It is a rough test for when the document
// cannot be read again: other texts of another item may be the same.
function beginsAsBefore({ el, phrases }) {
  return plainly(el.textContent + ' ' + (el.ariaLabel ?? '')).includes(plainly(phrases.find(isText) ?? ''));
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
