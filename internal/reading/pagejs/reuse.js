// Reused elements: some pages keep the elements of a list, and show other items in them. Lists
// without keys do so after a deletion, and long lists when they are scrolled. An element that shows
// another item counts as removed and as new, see carry.js.
//
// An item is a row, list item, article, tree item or option. Any other element is one if it has
// another of its kind beside it. It also has to be a control, or to tell the controls in it from others.
// A cell is an item in a grid, where each cell holds the same. Regions.recognize decides that.
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
//     For that, a text must have lost a word that it alone had. A control that was clicked may have
//     another name since, and an item may show other words under the mouse: such changes are no page.
//   - All items of the list have lost these phrases, and have the words in other combinations.
//   - The item has a role, and its texts have no such word in common with those of before. If it had no
//     such word, the numbers decide.
//
// An item that is called by a number, such as "Order 1001", stays the same while it has that number. If the
// numbers of a whole list change by the same step, it is another week or year.

class Item {
  // The parameter hash is the sum of the hashes of the phrases, also of those that are not kept.
  constructor(el, top, phrases, hash, hasRole, isControl) {
    this.el = el;
    this.top = top; // of an element that is alone in others, the outermost of these
    this.parent = top.parentNode;
    this.phrases = phrases;
    this.hash = hash;
    this.hasRole = hasRole;
    this.isControl = isControl; // it is a control that is known by its name
    this.lists = null;
    this.ownTerms = null;
    this.called = null;
  }

  // ranks returns the phrases of each rank. They are needed only if the item has changed.
  get ranks() {
    if (this.lists !== null) return this.lists;
    this.lists = RANKS.map(() => new Set());
    for (const phrase of this.phrases) {
      const terms = withoutStates(phraseTerms(phrase)), letters = terms.filter(term => !isNumeral(term)).join(' ');
      if (!isText(phrase)) this.lists[phrase.startsWith(NAME_IN_ITEM) ? 2 : 3].add(phrase);
      else if (letters !== '') this.lists[0].add(letters);
      if (isText(phrase) && terms.length === 0 && this.isControl && !PICTURE.test(phrase)) continue; // a mark: ● ○ ✓
      if (isText(phrase) && (letters === '' || terms.some(isNumeral))) this.lists[1].add(terms.join(' ') || phrase.trim());
    }
    return this.lists;
  }

  // terms returns the terms of its first texts that may identify it. A price or a time of day may not.
  terms(most = MOST_PHRASES) {
    this.ownTerms ??= this.phrases.filter(phrase => isText(phrase) && !VARIES.test(phrase)).map(phrase => withoutStates(phraseTerms(phrase)));
    return this.ownTerms.slice(0, most).flat();
  }

  // name returns the letters of its first text, its numerals, and all of it.
  get name() {
    if (this.called !== null) return this.called;
    const terms = this.terms(1);
    return this.called = { letters: terms.filter(term => !isNumeral(term)).join(' '), numerals: terms.filter(isNumeral), all: terms.join(' ') };
  }
}

const isText = phrase => !phrase.startsWith(NAME_IN_ITEM) && !phrase.startsWith(VALUE_OF_ITEM);

const RANKS = [0, 1, 2, 3]; // of phrases

let lastItems = new Map(); // element -> its Item in the last reading
let clickedItems = new Set(); // elements of items that were clicked since then
let hoveredThen = new Set();  // elements under the mouse at that reading
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
  for (const [parent, all] of pages) {
    const unexplained = all.filter(({ is }) => !isExplained(is)).length;
    if (all.length < 2 || unexplained === 0 || 2 * unexplained < now.get(parent).items.filter(item => !isExplained(item)).length) pages.delete(parent);
  }
  const onPages = new Set([...pages.values()].flat());
  for (const [parent, all] of Map.groupBy(changes, ({ is }) => is.parent)) {
    const isWhole = all.length > 1 && all.length >= now.get(parent).items.length;
    if (isWhole && (haveTurned(all) || areRecombined(all))) all.forEach(change => onPages.add(change));
  }
  return new Set(changes.filter(change => change.hasMoved || onPages.has(change) || change.isUnlike).map(({ is }) => is.el));
}

// isExplained reports whether an item may have other words because of the user. It is a control that was
// clicked, or the mouse has come to it or left it.
function isExplained({ el, isControl }) { return isControl && clickedItems.has(el) || hasMouseChanged(el); }

function hasMouseChanged(el) { return el.matches(':hover') !== hoveredThen.has(el); }

// haveTurned reports whether a whole list shows another week, year or the like: the words stay, and all
// numbers have changed by the same step. The list has skipped as many numbers as it has, or the numbers are
// years. Times that pass do so as well, if much time has passed.
function haveTurned(changes) {
  const turned = changes.filter(change => !change.isLost), steps = new Set(turned.map(({ step }) => step?.by)), [by] = steps;
  if (steps.size !== 1 || !by) return false;
  const from = turned.map(({ step }) => step.from);
  return from.every(isYear) || Math.abs(by) >= changes.length && new Set(from).size === from.length;
}

// areRecombined reports whether a whole list has the words of before in other combinations, as names of
// people. If one state has changed in all items, each has lost the same word.
function areRecombined(changes) {
  return changes.every(change => change.isLost && change.rank === 0 && change.wasCombined) && new Set(changes.map(({ lostWords }) => lostWords)).size > 1;
}

const isYear = number => number >= 1900 && number < 2100;

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
    this.isLost = (this.rank === RANKS.length || !this.telling(this.rank).some(phrase => is.ranks[this.rank].has(phrase))) && !this.keepsNumber && !this.isInField;
  }

  // isInField reports whether the words that told the item are in a field in it now, in which they are edited.
  get isInField() {
    const field = focused();
    if (field === null || !isInside(field, this.is.el) || !takesText(field)) return false;
    const text = plainly(field.value ?? field.textContent);
    return this.telling(this.rank).some(phrase => phrase === text);
  }

  // keepsNumber reports whether the item is called by a number as before, such as "Order 1001". What
  // follows is then a state.
  get keepsNumber() {
    const { was, is, before, now } = this;
    return was.name.all === is.name.all && before.isNumbered(was) && now.isNumbered(is);
  }

  // step returns the one number in the texts that has changed, as from and by; null if there is none or
  // anything else has changed.
  get step() {
    const [a, b] = [this.was, this.is].map(item => item.terms()), differ = a.flatMap((term, i) => term === b[i] ? [] : [[Number(term), Number(b[i])]]);
    if (a.length !== b.length || differ.length !== 1) return null;
    const [[from, to]] = differ;
    return { from, by: to - from };
  }

  // telling returns the phrases of a rank that told the item, and that no two items have now.
  telling(rank) {
    return this.before.telling(this.was, rank).filter(phrase => !this.now.shares(phrase, rank)).slice(0, this.most);
  }

  // hasMoved reports whether the item, or the one that is here now, is or was in another element. Words
  // that go where the mouse goes do not count.
  get hasMoved() {
    if (!this.isLost || this.isMark || this.isCount) return false;
    const { was, is, before, now, rank } = this;
    const isElsewhere = (items, phrase, i) => {
      const top = items.topWith(phrase, i);
      return top !== null && top !== is.top && !(hasMouseChanged(top) && hasMouseChanged(is.top));
    };
    return RANKS.slice(0, rank + 1).some(i => now.telling(is, i).some(phrase => !was.ranks[i].has(phrase) && isElsewhere(before, phrase, i))
      || this.telling(i).some(phrase => !is.ranks[i].has(phrase) && isElsewhere(now, phrase, i)));
  }

  // isMark reports whether a control was marked, or is no more: one of several controls that are equal but
  // for their numbers is called "Current".
  get isMark() {
    const { was, is, before, now } = this;
    if (!is.isControl || before.items.length !== now.items.length || was.name.numerals[0] !== is.name.numerals[0]) return false;
    return [was, is].some(item => [...item.ranks[0]].every(phrase => before.shares(phrase, 0) && now.shares(phrase, 0)));
  }

  // isCount reports whether a control is called by a number that counts something: such numbers are in no
  // order, and not all of them change.
  get isCount() {
    const { was, is, before, now } = this, isNumber = ({ name }) => name.letters === '' && name.numerals.length === 1;
    return is.isControl && isNumber(was) && isNumber(is) && before.items.length === now.items.length && !(before.isSorted && now.isSorted)
      && now.keepsSome;
  }

  // own returns the words or numerals in a text that one item alone has.
  own(item, isWanted) {
    return item.terms(this.most).filter(term => isWanted(term) && ![this.before, this.now].some(({ terms }) => terms.get(term) > 1));
  }

  // isOther reports whether this may be a part of another page.
  get isOther() {
    if (!this.isLost || this.rank > 2 || this.isMark || this.isCount) return false;
    if (this.rank > 0) return true;
    const [a, b] = [this.was, this.is].map(item => this.own(item, term => !isNumeral(term)).join(' '));
    return a !== b || a === '' && this.wasCombined;
  }

  // lostWords returns the words of the name that are not in the new one.
  get lostWords() {
    const [a, b] = [this.was, this.is].map(item => item.terms(1));
    return a.filter(term => !b.includes(term)).join(' ');
  }

  // wasCombined reports whether the item was told by several words together, which others have as well. Names
  // of people are such words.
  get wasCombined() { return this.telling(0).some(phrase => phrase.includes(' ')); }

  // isUnlike reports whether an item with a role has nothing in common with what it was.
  get isUnlike() {
    if (!this.isLost || !this.is.hasRole || hasMouseChanged(this.is.el) && !clickedItems.has(this.is.el)) return false;
    const isWord = term => !isNumeral(term), a = this.own(this.was, isWord), [before, terms] = [this.was, this.is].map(item => item.terms(this.most));
    if (a.length === 0) return this.wasCombined || before.filter(isNumeral).join(' ') !== terms.filter(isNumeral).join(' ');
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
    this.numbered = new Map();                // letters -> whether the items that have them are called by their numbers
    this.sorted = this.keeps = null;
    for (const item of this.items) {
      item.ranks.forEach((phrases, rank) => phrases.forEach(phrase => listed(this.owners[rank], phrase).push(item.top)));
      for (const term of new Set(item.terms())) this.terms.set(term, (this.terms.get(term) ?? 0) + 1);
    }
  }

  // telling returns the phrases of a rank that tell an item.
  telling(item, rank) { return [...item.ranks[rank]].filter(phrase => !this.shares(phrase, rank)); }

  // topWith returns the top of the one item that has a phrase of a rank, null if no or several items have it.
  topWith(phrase, rank) {
    const owners = this.owners[rank].get(phrase);
    return owners?.length === 1 ? owners[0] : null;
  }

  // isNumbered reports whether an item is called by a number, which stands beside the same words in other
  // items. Numbers that run on by one may only be the places in the list, unless they are large.
  isNumbered({ name: { letters, numerals } }) {
    if (numerals.length !== 1 || letters !== '' && !this.shares(letters, 0)) return false;
    return remembered(this.numbered, letters, () => {
      const numbers = this.items.filter(({ name }) => name.letters === letters).map(({ name }) => ordinalOf(name.numerals[0]));
      return new Set(numbers).size === numbers.length && (numbers[0] >= 1000 || numbers.some((number, i) => i > 0 && number !== numbers[i - 1] + 1));
    });
  }

  // isSorted reports whether the numbers that the items are called by go up, or go down.
  get isSorted() {
    return this.sorted ??= [1, -1].some(sign => this.items.every(({ name }, i) => i === 0
      || sign * (ordinalOf(name.numerals[0]) - ordinalOf(this.items[i - 1].name.numerals[0])) > 0));
  }

  // keepsSome reports whether an item is the same as in the last reading.
  get keepsSome() { return this.keeps ??= this.items.some(item => lastItems.get(item.el)?.hash === item.hash); }

  // shares reports whether several items have a phrase of a rank.
  shares(phrase, rank) { return this.owners[rank].get(phrase)?.length > 1; }
}

// siblingsOf returns a map from each of the given parents to the Siblings in it.
function siblingsOf(items, parents) {
  const groups = Map.groupBy(items.filter(item => parents.has(item.parent)), item => item.parent);
  return new Map(Array.from(groups, ([parent, group]) => [parent, new Siblings(group)]));
}

// The terms of a text are its words and numerals. Signs do not count: they often say whether an item is
// open or chosen. In "5s" and "12 min", the unit is no word. "Inbox3" is a word with a badge. A letter alone
// numbers something, as in "Option A".
const phraseTerms = text => (text.match(/[\p{L}\p{N}]+/gu) ?? []).flatMap(term => term.match(/^\p{N}+(?=\p{Ll}{1,3}$)|^\p{L}{2,}(?=\p{N}+$)|(?<=^\p{L}{2,})\p{N}+$/gu) ?? [term]);
const isNumeral = term => /^(\p{N}+|[A-Z])$/u.test(term);
const ordinalOf = numeral => /^[A-Z]$/.test(numeral) ? numeral.charCodeAt(0) - 64 : Number(numeral);

// withoutStates returns the terms of a text without words that only say what is chosen, if it has others.
function withoutStates(terms) {
  const others = terms.filter(term => !STATE.test(term));
  return others.length > 0 ? others : terms;
}

const STATE = /^(selected|active|current|checked|chosen|completed|expanded|collapsed)$/i;
const PICTURE = /\p{Emoji_Presentation}/u;

const plainly = text => phraseTerms(text).join(' ');

// VARIES matches a phrase without letters, unless it is a whole number or a date.
const VARIES = /^(?![^\p{L}\p{N}]*\d[\d-]*\s*$)[^\p{L}]*$/u;

// keepItems remembers the items of a reading. Those that it has not read stay, as long as their
// elements are in the document. They may be empty or hidden for a moment.
function keepItems(items) {
  for (const [el, item] of lastItems) if (!items.has(el) && el.isConnected) items.set(el, item);
  lastItems = items;
  clickedItems = new Set();
  hoveredThen = new Set(document.querySelectorAll(':hover'));
}

listen(['click'], event => {
  if (event.isTrusted) closest(targetOf(event), el => { if (lastItems.has(el)) clickedItems.add(el); });
}, { capture: true });

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
