// Reused elements: some pages keep the elements of a list, and show other items in them. Lists
// without keys do so after a deletion, and long lists when they are scrolled. An element that shows
// another item counts as removed and as new, see carry.js.
//
// What an item is, and by what it is known, is told in phrases.js.
//
// Numbers, times and states change while the item stays the same. So what a list showed is compared with what
// it shows now, as a whole, see reusedIn. An element shows another item in these cases:
//
//   - It has lost all phrases that told it, and items have moved. One of these phrases tells an element beside it
//     now, or the other way round. A mark that moves, such as "current", takes the place of no other phrase.
//   - Most items have lost these phrases at once: it is another page. Two names may share words, but not all.
//   - It keeps a phrase, but so do others, while their items go: such phrases belong to the places.
//   - All items have other days, or another year.
//   - It has a role, and its texts have no word of their own in common with those of before. If they had no
//     such word, the numbers decide.
//   - It is a day, or a page, and has another number, see renumberedIn.
//
// If most items that lost the phrases of their rank have kept a number, the number is their name. If the names of
// two controls still tell an item, only a move makes it another one.

let lastItems = new Map(); // element -> its Item in the last reading

// findReused returns the elements of a reading that showed other items in the last reading.
function findReused(read) {
  const [before, items] = withoutTyped(lastItems, read), changed = [];
  for (const [el, item] of items) {
    const was = before.get(el);
    if (was !== item && was !== undefined && was.hash !== item.hash) changed.push(item);
  }
  if (changed.length === 0) return new Set();
  const parents = new Set(changed.flatMap(({ el, parent }) => [parent, before.get(el).parent]));
  const last = [...before.values()], unread = last.filter(({ el }) => el.isConnected && !items.has(el));
  const [had, has] = [last, [...unread, ...items.values()]].map(all => siblingsOf(all, parents));
  const changes = changed.map(is => {
    const was = before.get(is.el);
    return new Change(was, is, had.get(was.parent), has.get(is.parent));
  });
  return new Set([...Map.groupBy(changes, ({ is }) => is.parent).values()].flatMap(reusedIn).map(({ is }) => is.el));
}

// reusedIn returns those changes of a list after which an element shows another item.
function reusedIn(changes) {
  const { before, now } = changes[0], sum = now.items.length, isWhole = all => sum > 2 && topsOf(all).size === sum;
  if (isWhole(changes) && isTurned(changes)) return changes;
  const lost = changes.filter(change => change.isLost), numbered = lost.filter(change => change.isNumbered);
  const gone = 2 * numbered.length > lost.length ? lost.filter(change => !change.isNumbered) : lost; // else numbers stay by chance
  const moved = RANKS.flatMap(rank => movedIn(gone, rank, before.items.length, sum)), nameless = gone.filter(change => !change.isNamed);
  const others = othersIn(nameless, isWhole(nameless)), isPage = moved.length > 0 || arePage(others, before, now);
  return [...renumberedIn(changes), ...placedIn(changes), ...moved, ...isPage ? [...others, ...nameless.filter(change => change.isGone)] : [], ...nameless.filter(change => change.isUnlike)];
}

// othersIn returns the changes that may be parts of another page. If all names of a list have lost words at once, these
// are a state only if they are the same words.
function othersIn(changes, isWhole) {
  const areMixed = isWhole && new Set(changes.map(change => change.went)).size > 1;
  return changes.filter(change => change.isOther || areMixed && change.isMixed);
}

// arePage reports whether changes are so many that a list shows another page. What the user has done explains some.
// Controls toggle, so more of them have to change. A single change counts only if a list had several items and has one.
function arePage(changes, before, { items }) {
  const part = changes.every(({ is }) => is.kind.isControl) ? MOST_TOGGLED : MOST_RENAMED, isLeft = item => !isExplained(item);
  return (topsOf(changes).size > 1 || items.length === 1 && before.items.length > 1) && topsOf(changes.filter(({ is }) => isLeft(is))).size > part * items.filter(isLeft).length;
}

const MOST_RENAMED = 1 / 2, MOST_TOGGLED = 2 / 3;

const topsOf = changes => new Set(changes.map(({ is }) => is.top));

// movedIn returns the changes after which an item, by its phrases of a rank, is in another element. If each
// element still shows an item, something else has to take the place of a phrase that moved. Otherwise it is a
// mark, such as "current". Of numbers, most have to move, as some may only count.
function movedIn(changes, rank, before, now) {
  const moved = changes.filter(change => change.rank >= rank && change.moves(rank));
  if (before !== now) return moved;
  const replaced = topsOf(moved.filter(change => change.isReplaced(rank))).size;
  return replaced > (rank === 1 ? Math.max(3, MOST_TOGGLED * now) : 0) ? moved : [];
}

// placedIn returns the changes of elements that keep a phrase by their place, such as "Gold", while their
// items go. Either an item came from an element that is gone, or went to a new one. Or at least three items go at
// once: most of the list, or each of them to or from another element.
function placedIn(changes) {
  const { before, now } = changes[0], replaced = changes.filter(change => change.isReplaced(0)), all = replaced.filter(({ isKept }) => isKept);
  if (2 * all.length <= replaced.length) return [];
  const [had, has] = [before, now].map(({ items }) => new Set(items.map(({ top }) => top)));
  const comes = all.some(change => change.gains(0).some(phrase => before.owner(phrase, 0) !== undefined && !has.has(before.owner(phrase, 0))));
  const goes = all.some(change => change.loses(0).some(phrase => now.owner(phrase, 0) !== undefined && !had.has(now.owner(phrase, 0))));
  const { size } = topsOf(all), passed = topsOf(all.filter(change => change.moves(0))).size;
  return comes || goes || size > 2 && (3 * size >= 2 * now.items.length || passed === size) ? all : [];
}

// isTurned reports whether a list shows another week or year. The numbers of its items run on from one to the next,
// and now they are all others. Or all items have another year.
function isTurned(changes) {
  const pairs = [...new Map(changes.map(({ was, is }) => [is.top, [was.numbers, is.numbers]])).values()];
  for (let i = 0; i < Math.min(...pairs.flat().map(({ length }) => length)); i++) {
    const [before, now] = [0, 1].map(which => pairs.map(pair => pair[which][i]));
    if (before[0] !== now[0] && [before, now].every(all => isYear(all[0]) && all.every(n => n === all[0]))) return true;
    if (runOn(before) && runOn(now) && new Set(before).isDisjointFrom(new Set(now))) return true;
  }
  return false;
}

const isYear = n => n >= 1900 && n < 2100;

// renumberedIn returns the changes of days and pages that have another number, see Siblings.areDays. The numbers of a few
// items, or one of them, may only count. Items may show a mark in place of their numbers, or a badge before them.
function renumberedIn(changes) {
  const { before, now } = changes[0], isMany = Math.max(before.items.length, now.items.length) > 3;
  if (now.items[0].day !== null && before.items[0].day !== null) return changes.filter(({ was, is }) => was.day !== is.day);
  if (!before.areDays || !now.areDays || !isMany) return [];
  const isBadged = ({ was, is }) => is.numbers.length > was.numbers.length && is.numbers.includes(was.number);
  const all = changes.filter(change => change.was.number !== change.is.number && !isBadged(change));
  return all.length > 1 && all.some(({ was, is }) => was.number !== undefined && is.number !== undefined) ? all : [];
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
    this.rank = RANKS.find(rank => this.keeps(rank).length + this.loses(rank).length > 0) ?? RANKS.length; // of the phrases that told the item
    this.isLost = this.rank === RANKS.length || this.keeps(this.rank).length === 0;
    this.isNumbered = this.isLost && this.keeps(1).some(phrase => !PLACE.test(phrase));
    this.isKept = !this.isLost || this.isNumbered;
  }

  // telling returns the phrases of a rank that told the item, and that no two items have now.
  telling(rank) {
    return this.before.telling(this.was, rank).filter(phrase => !this.now.shares(phrase, rank)).slice(0, this.most);
  }

  // keeps returns those phrases that still tell the item. A number or letter that stays may be that of the place.
  keeps(rank) { return this.telling(rank).filter(phrase => this.is.ranks[rank].has(phrase) && !(this.now.runsOn && PLACE.test(phrase))); }

  // loses returns the telling phrases that the element does not show any more.
  loses(rank) { return this.telling(rank).filter(phrase => !this.is.ranks[rank].has(phrase)); }

  // gains returns the phrases that told nothing before, and tell the item that is here now.
  gains(rank) { return this.now.telling(this.is, rank).filter(phrase => !this.was.ranks[rank].has(phrase) && !this.before.shares(phrase, rank)); }

  isReplaced(rank) { return this.loses(rank).length > 0 && this.gains(rank).length > 0; }

  // moves reports whether a phrase of a rank that told the item, or the one that is here now, tells or told another
  // element. A phrase may go with the mouse.
  moves(rank) {
    const { is: { top }, before, now } = this;
    const isElsewhere = owner => owner !== undefined && !owner.contains(top) && !(hasMouseChanged(owner) && hasMouseChanged(top));
    return this.gains(rank).some(phrase => isElsewhere(before.owner(phrase, rank))) || this.loses(rank).some(phrase => isElsewhere(now.owner(phrase, rank)));
  }

  // own returns the words in a text that one item alone has.
  own(item) {
    return item.terms(this.most).filter(term => !isNumeral(term) && ![this.before, this.now].some(({ terms }) => terms.get(term) > 1));
  }

  // isNamed reports whether the item is a spin button, and two controls keep names that tell it, such as "next month" and
  // "previous month". Its texts are values then. One such name may be a state, and numbers may be those of the place. The
  // names of other controls, such as "Approve", only say what can be done with an item.
  get isNamed() {
    return this.keeps(2).filter(phrase => !phraseTerms(phrase).some(isNumeral)).length > 1 && this.is.el.querySelector('[role=spinbutton]') !== null;
  }

  // isOther reports whether this may be a part of another page.
  get isOther() {
    if (this.rank > 0) return this.rank < 3 && !(this.rank === 1 && this.moves(1));
    const [own, others] = [this.was, this.is].map(item => new Set(this.own(item)));
    return own.size === 0 ? this.isMixed : others.size === 0 || isApart(own, others);
  }

  // isMixed reports whether the words of the name are combined in another way. The name had several words. It is
  // not a part of a text that is there now, nor the other way round.
  get isMixed() {
    const now = [...this.is.ranks[0]].map(wordsOf);
    return this.rank === 0 && this.loses(0).map(wordsOf).every(x => x.size > 1 && now.every(y => isApart(x, y)));
  }

  // went returns the words that the item has lost.
  get went() { return [...wordsOf(this.loses(0).join(' ')).difference(wordsOf([...this.is.ranks[0]].join(' ')))].join(' '); }

  // isGone reports whether nothing is left of the words that told the item. Several others may have them now.
  get isGone() {
    const all = this.before.telling(this.was, 0);
    return all.length > 0 && !all.some(phrase => this.is.ranks[0].has(phrase));
  }

  // isRecord reports whether an item without a role is more than a button: it had several words, or some and a number. A
  // click may have changed it, and so may what its tile waited for.
  get isRecord() {
    const { was, is: { el, kind } } = this, terms = was.texts.flatMap(phraseTerms);
    return kind.isTarget && !clicked.has(el) && terms.length > 2 && (this.own(was).length > 0 || terms.some(isNumeral));
  }

  // isUnlike reports whether an item has nothing in common with what it was. It has a role or a ref of its own.
  get isUnlike() {
    const { el, kind: { hasRole }, isSingle } = this.is;
    if (!hasRole && !this.isRecord || !isSingle && hasMouseChanged(el) && !clicked.has(el)) return false;
    const own = this.own(this.was), [before, terms] = [this.was, this.is].map(item => item.terms(this.most));
    if (own.length === 0) return (isSingle || before.some(term => !isNumeral(term))) && before.filter(isNumeral).join(' ') !== terms.filter(isNumeral).join(' ');
    const [x, y] = [before.join(' '), terms.join(' ')];
    return !own.some(term => terms.includes(term)) && !x.startsWith(y) && !y.startsWith(x); // a text may grow
  }
}

const wordsOf = phrase => new Set(phrase.split(' '));

// isApart reports whether each of two sets has a member that the other one lacks.
const isApart = (a, b) => !a.isSubsetOf(b) && !b.isSubsetOf(a);

// PLACE matches numbers and letters that may only count the items.
const PLACE = /^(\p{N}{1,2}|[A-Z])$/u;

// keepItems remembers the items of a reading. Those that it has not read stay, as long as their
// elements are in the document. They may be empty or hidden for a moment.
function keepItems(items) {
  for (const [el, item] of lastItems) if (!items.has(el) && el.isConnected) items.set(el, item);
  lastItems = items;
  clicked = new WeakSet();
  typed = new Map();
  hoveredThen = new Set(document.querySelectorAll(HOVERED));
}
