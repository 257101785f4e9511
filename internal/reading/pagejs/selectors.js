// Selectors: what an element must have so that a rule can select it, judged by the text of the
// selector. Rules are filed by that in hiding.js, as browsers do to match rules fast.

// A Compound is the part of a selector after the last combinator, which is about the element
// itself.
class Compound {
  constructor(before = null) {
    this.text = '';       // the text as written, without the contents of parentheses and brackets
    this.choices = [];    // the contents of the parentheses of each :is and :where; each is a list of selectors, and one of them matches
    this.attributes = []; // names that stand in brackets
    this.before = before; // the compound before the combinator, null if this is the first
    this.combinator = ' '; // the combinator before the compound
  }

  // parent is the compound that the parent element must match, null unless the combinator is >.
  get parent() {
    return this.combinator === '>' ? this.before : null;
  }

  // around lists the compounds that ancestors of the element must match.
  get around() {
    const { before, combinator } = this;
    return before === null ? [] : /[+~]/.test(combinator) ? before.around : [before, ...before.around];
  }

  // has records the content of parentheses or brackets after the text.
  has(opening, inside) {
    const attribute = opening === '[' ? /^\s*([\w-]+)\s*($|[~|^$*]?=)/.exec(inside) : null;
    if (attribute !== null) this.attributes.push(attribute[1]);
    else if (opening === '(' && CHOICE.test(this.text)) this.choices.push(inside);
  }

  // cut returns the compound without the part of its text from an index on.
  cut(index) {
    return Object.assign(new Compound(), this, { text: this.text.slice(0, index) });
  }
}

const CHOICE = /:(is|where|matches|-webkit-any)$/;

// lastCompounds returns the last compound of each selector in a list.
function lastCompounds(selectors) {
  const all = [];
  let compound = new Compound(), depth = 0, quote = '', from = 0;
  for (let i = 0; i < selectors.length; i++) {
    const char = selectors[i];
    if (char === '\\') {
      if (depth === 0) compound.text += char + (selectors[i + 1] ?? '');
      i++;
    } else if (quote !== '') {
      if (char === quote) quote = '';
    } else if (char === '"' || char === "'") quote = char;
    else if (char === '(' || char === '[') {
      if (depth++ === 0) from = i + 1;
    } else if (char === ')' || char === ']') {
      if (--depth === 0) compound.has(selectors[from - 1], selectors.slice(from, i));
    } else if (depth > 0) continue;
    else if (char === ',') {
      all.push(compound);
      compound = new Compound();
    } else if (/[>+~ \t\n\r\f]/.test(char)) {
      if (selectors[i - 1] !== ',' && !isEmpty(compound)) compound = new Compound(compound);
      if (/[>+~]/.test(char)) compound.combinator = char;
    } else compound.text += char;
  }
  all.push(compound);
  return all;
}

function isEmpty({ text, attributes }) {
  return text === '' && attributes.length === 0;
}

// requiredBy lists requirements of a compound. An element must meet one of them to be selected.
// Each requirement has one of these forms:
//
//	.class   #id   tag   [attribute   :host (it has a shadow root)   * (nothing)
//
// or one of these forms with > before it, which is about the parent of the element.
function requiredBy(compound) {
  const { text, choices, attributes, parent } = compound;
  if (text.includes('::part')) return ['[part']; // ::part selects elements in a shadow root
  if (text.includes('::slotted')) return ['*'];
  const name = text.match(CLASS_OR_ID);
  if (name !== null) return [unescapeCSS(name[0]).toLowerCase()]; // in old documents the case does not matter
  if (text.startsWith(':root')) return ['html'];
  if (text.startsWith(':host')) return [':host'];
  const tag = text.replace(NAMESPACE, '').match(TAG);
  const ways = choices.map(list => list.trim() === '' ? [] : lastCompounds(list).flatMap(requiredBy)); // :is() selects nothing
  if (tag !== null) ways.push([unescapeCSS(tag[0]).toLowerCase()]);
  ways.push(...attributes.map(attribute => ['[' + attribute]));
  if (parent !== null) ways.push(requiredBy(parent).map(required => /^[>[*]/.test(required) ? '*' : '>' + required));
  return ways.map(way => [...new Set(way)]).reduce((best, way) => rarity(way) < rarity(best) ? way : best, ['*']);
}

// Names may have escapes, as in .a\.b, which is one class.
const NAME = /(?:\\[0-9a-fA-F]{1,6}[ \t\n\r\f]?|\\.|[\w\u0080-\uffff-])+/.source;
const CLASS_OR_ID = new RegExp(String.raw`(?<!\\)[#.]` + NAME), TAG = new RegExp('^' + NAME);
const NAMESPACE = /^(?:\\.|[^\\|#.:])*\|/; // the prefix of a tag, as in svg|a

// rarity returns how frequent the elements are that meet one of these requirements, from 1 for rare
// to 5 for all.
function rarity(way) {
  return Math.max(...way.map(required => required === '*' ? 5 : required === '[class' ? 4
    : required[0] === '>' ? 3 : /^[a-z]/.test(required) ? 2 : 1));
}
