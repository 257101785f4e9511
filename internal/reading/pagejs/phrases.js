// Items of a list, and the phrases that tell one of them from the others. They are compared in reuse.js.
//
// An item is a row, list item, article, tree item or option. Any other element is one if it has
// another of its kind beside it. It also has to be a control, or to tell the controls in it from others.
// Regions.recognize decides that. Cells that all hold controls are items of their table.
//
// An item is known by its phrases. A phrase tells an item if no item beside it has the same one. There are
// four ranks of phrases, and a rank counts only if no phrase of a higher one tells the item:
//
//   - texts with letters, without their numbers and signs: "3 Ann" is "Ann", and "Guests: 2" is "Guests";
//   - texts with numbers, their numbers alone, and each number with the word before it: "Order 1001";
//   - names of buttons, and addresses of links;
//   - values of fields, and addresses of pictures.

// The attributes that phrases come from.
const IN_PHRASES = ['alt', 'aria-label', 'aria-labelledby', 'aria-labeledby', 'aria-placeholder', 'aria-valuenow', 'aria-valuetext', 'href', 'label',
  'placeholder', 'src', 'title', 'value'];

class Item {
  // An item keeps only its first phrases. The parameter hash is the sum of the hashes of all of them.
  constructor(el, top, parent, phrases, hash, kind, day = null) {
    this.el = el;
    this.top = top; // of an element that is alone in others, the outermost of these
    this.parent = parent; // see listOf
    this.phrases = phrases;
    this.hash = hash;
    this.kind = kind; // one of KINDS
    this.day = day;   // the number of a day, see Calendar; null for others
    this.lists = null;
  }

  // isSingle reports whether this is a field or a day, which is known by one phrase and compared with no other item.
  get isSingle() { return this.parent === this.el; }

  // ranks returns the phrases of each rank. They are needed only if the item has changed.
  get ranks() {
    if (this.lists !== null) return this.lists;
    this.lists = RANKS.map(() => new Set());
    for (const phrase of this.phrases) {
      const terms = phraseTerms(phrase), numerals = terms.filter(isNumeral), letters = terms.filter(term => !isNumeral(term)).join(' ');
      if (!isText(phrase)) this.lists[phrase.startsWith(NAME_IN_ITEM) ? 2 : 3].add(phrase);
      else if (letters !== '') this.lists[0].add(letters);
      if (!isText(phrase) || numerals.length === 0) continue;
      const pairs = terms.flatMap((term, i) => i > 0 && isNumeral(term) && !isNumeral(terms[i - 1]) ? [terms[i - 1] + ' ' + term] : []);
      for (const each of [terms.join(' '), numerals.join(' '), ...pairs]) this.lists[1].add(each);
    }
    return this.lists;
  }

  get texts() { return this.phrases.filter(isText); }

  // says reports whether its texts have all words of a plain text, one after the other.
  says(plain) { return plain === '' || includesWords(plainly(this.texts.join(' ')), plain); }

  // without returns the item without the texts that a plain text has.
  without(plain) {
    const phrases = this.phrases.filter(phrase => !isText(phrase) || !includesWords(plain, plainly(phrase)));
    return new Item(this.el, this.top, this.parent, phrases, hashOf(phrases.join('\n')), this.kind, this.day);
  }

  // terms returns the terms of its first texts that may identify it. A price or a time of day may not. Of an item
  // without texts, they are the last terms in the names of two controls: "Ann Lee" of "Follow Ann Lee" and "Hide Ann Lee".
  terms(most = MOST_PHRASES) {
    const { texts } = this;
    if (texts.length > 0) return texts.filter(text => !VARIES.test(text)).slice(0, most).flatMap(phraseTerms);
    const [first = [], ...others] = this.phrases.filter(phrase => phrase.startsWith(NAME_IN_ITEM)).map(phraseTerms);
    return others.map(other => first.slice(first.length - sameAtEnd(first, other))).find(all => all.length > 0) ?? [];
  }

  // numbers returns the numbers in its texts, and of each letter that is alone its place in the alphabet.
  get numbers() { return this.texts.flatMap(phraseTerms).filter(isNumeral).map(term => /[A-Z]/.test(term) ? term.charCodeAt(0) - 64 : numberOf(term)); }

  get number() { return this.numbers[0]; }
}

// An item may have the role of one, be a control, or be clickable without either (isTarget).
const KINDS = { item: { hasRole: true }, option: { hasRole: true, isControl: true }, control: { isControl: true }, target: { isTarget: true }, box: {} };

// sameAtEnd returns how many members at the ends of two arrays are equal.
function sameAtEnd(a, b) {
  const n = a.toReversed().findIndex((each, i) => each !== b.at(-1 - i));
  return n < 0 ? a.length : n;
}

// includesWords reports whether a plain text has the words of another one, one after the other.
const includesWords = (plain, part) => ` ${plain} `.includes(` ${part} `);

const isText = phrase => !phrase.startsWith(NAME_IN_ITEM) && !phrase.startsWith(VALUE_OF_ITEM);

const RANKS = [0, 1, 2, 3]; // of phrases

// Siblings are the items of a reading whose elements stand beside each other. Of an element that is alone
// in another, the other one counts if both are items.
class Siblings {
  constructor(items) {
    const tops = new Map(items.map(item => [item.top, item]));
    this.items = [...tops.values()].filter(({ top }) => !tops.has(top.parentNode)); // not the cells of rows that are items
    this.owners = RANKS.map(() => new Map()); // for each rank, phrase -> the tops of the items that have it
    this.runsOn = runOn(this.items.map(({ numbers }) => numbers[0]));
    this.terms = new Map();                   // term -> how many items have it
    for (const item of this.items) {
      item.ranks.forEach((phrases, rank) => phrases.forEach(phrase => listed(this.owners[rank], phrase).push(item.top)));
      for (const term of new Set(item.terms())) this.terms.set(term, (this.terms.get(term) ?? 0) + 1);
    }
  }

  // areDays reports whether most of the numbers run on, and few of the numbered items have a word of their own. Among days
  // and pages are buttons without a number, such as Next.
  get areDays() {
    const numbered = this.items.filter(({ number }) => number !== undefined);
    const named = numbered.filter(item => item.terms().some(term => !isNumeral(term) && this.terms.get(term) === 1));
    return numbered.length > 0 && mostRunOn(numbered.map(({ number }) => number)) && 2 * named.length < numbered.length;
  }

  // telling returns the phrases of a rank that tell an item.
  telling(item, rank) { return [...item.ranks[rank]].filter(phrase => !this.shares(phrase, rank)); }

  // owner returns the element that a phrase of a rank tells, or undefined if it tells none.
  owner(phrase, rank) {
    const owners = this.owners[rank].get(phrase);
    return owners?.length === 1 ? owners[0] : undefined;
  }

  // shares reports whether several items have a phrase of a rank.
  shares(phrase, rank) { return this.owners[rank].get(phrase)?.length > 1; }
}

// siblingsOf returns a map from each of the given parents to the Siblings in it.
function siblingsOf(items, parents) {
  const groups = Map.groupBy(items.filter(item => parents.has(item.parent)), item => item.parent);
  return new Map(Array.from(groups, ([parent, group]) => [parent, new Siblings(group)]));
}

// The first character of a phrase that is not a text. It is the name of a button or the address of a link, or it
// is in a field.
const NAME_IN_ITEM = '\x01', VALUE_OF_ITEM = '\x02';

const LONGEST_PHRASE = 200; // characters
const MOST_PHRASES = 12;    // of an item

// The terms of a text are its words and numerals. Signs do not count: they often say whether an item is
// open or chosen. In "5s" and "12 min", the unit is no word. "Inbox3" is a word with a badge. A letter that is
// alone counts as a number: "A", "B", "C". A picture as a character is a word.
const phraseTerms = text => (text.match(/[\p{L}\p{N}\u{1f300}-\u{1faff}]+/gu) ?? []).flatMap(term => /^\p{N}+\p{Ll}{1,3}$/u.test(term) ? term.match(/^\p{N}+/u)
  : /^\p{L}+\p{N}+$/u.test(term) ? term.match(/\p{L}+|\p{N}+/gu) : [term]);
const isNumeral = term => /^(\p{N}+|[A-Z])$/u.test(term);

const plainly = text => phraseTerms(text).join(' ');

// VARIES matches a phrase without letters, unless it is a whole number or a date.
const VARIES = /^(?![^\p{L}\p{N}]*\d[\d-]*\s*$)[^\p{L}\u{1f300}-\u{1faff}]*$/u;
