// Variables: which values custom properties may have. Most pages give their colors, sizes and
// paddings by var(…), so a rule alone does not tell what it does. So all values that the sheets and
// style attributes declare for a variable are kept. A declaration is taken to have each of these
// values, whichever of them an element inherits.

const variables = new Map(); // name -> its declared values, null if there are too many
const readers = new Map();   // name -> the rules that use the variable; null in place of a rule stands for style attributes
const MOST_VALUES = 12;      // maximum number of values of a variable
const MOST_POSSIBLE = 16;    // possible values of a declaration; the first walk of a page tries all of them
const MOST_REPLACED = 60;    // maximum number of uses of variables that are replaced in a declaration
let replaced = 0;            // how many uses were replaced so far

// scratch is a declaration block. A value that is set there can be read in the form that it has in
// style sheets. It belongs to an HTML element, even in an XML document.
const scratch = document.createElementNS(HTML, 'i').style;

// declareVariables keeps the values that declarations give to variables.
function declareVariables(style) {
  for (const name of style) if (name.startsWith('--')) declareVariable(name, style.getPropertyValue(name));
}

// declareVariable keeps a value of a variable. It skips words such as inherit, which stand for
// another value of the variable or for none.
function declareVariable(name, value) {
  if (/^(initial|inherit|unset|revert|revert-layer)$/i.test(value)) return;
  const known = valuesOf(name);
  if (known === null || known.has(value)) return;
  known.add(value);
  if (known.size > MOST_VALUES) variables.set(name, null);
  if (readers.has(name)) fileAgain(readers.get(name));
}

// valuesOf returns the values of a variable, null if there are too many. A script may have
// registered the variable by CSS.registerProperty with an initial value. Elements for which nothing
// declares the variable have that initial value.
function valuesOf(name) {
  if (!variables.has(name)) {
    const el = document.head ?? document.documentElement, registered = el === null ? '' : getComputedStyle(el).getPropertyValue(name);
    variables.set(name, new Set(registered === '' ? [] : [registered]));
  }
  return variables.get(name);
}

// possibleValues returns what a value with variables may be, written as in Chromium's style sheets.
// It leaves out values that are not valid: such a declaration only has the effect of inherit or
// initial. It returns null if the values are not known. The parameter wanted may name another
// property that the values also set. Then it returns the values that this other property gets.
function possibleValues(property, value, wanted = property) {
  replaced = 0;
  return expanded(value)?.map(possible => normalized(property, possible, wanted)).filter(possible => possible !== '') ?? null;
}

// normalized returns a value in the form that Chromium gives it in a style sheet, or '' if it is
// not valid. For example, calc(1rem) becomes 1rem. A calc with a negative value stays, as some
// properties take it as 0.
function normalized(property, value, wanted) {
  scratch.cssText = '';
  scratch.setProperty(property, value);
  return scratch.getPropertyValue(wanted).replace(/calc\(([\d.]+[a-z%]*)\)/g, '$1');
}

// expanded returns the values that result if each variable is replaced by what it may be. A comment
// before and after the replacement keeps it from joining the words beside it.
function expanded(value) {
  const at = value.indexOf('var(');
  if (at < 0) return [value];
  const end = closingOf(value, at + 4);
  const use = /^\s*(--[\w-]+)\s*(?:,([^]*))?$/.exec(value.slice(at + 4, end));
  if (use === null || ++replaced > MOST_REPLACED || /[\w-]/.test(value[at - 1] ?? '')) return null;
  const [, name, fallback] = use, values = valuesOf(name);
  noteReader(name);
  if (values === null) return null;
  const all = [];
  for (const possible of fallback === undefined ? values : [...values, fallback]) {
    const more = expanded(`${value.slice(0, at)}/**/${possible}/**/${value.slice(end + 1)}`);
    if (more === null || all.length + more.length > MOST_POSSIBLE) return null;
    all.push(...more);
  }
  return all;
}

// mayMention reports whether a word occurs in a value, or in what the value's variables may be.
function mayMention(value, word, looked = new Set()) {
  if (word.test(value)) return true;
  for (const [, name] of value.matchAll(/var\(\s*(--[\w-]+)/g)) {
    if (looked.has(name)) continue;
    looked.add(name);
    const values = valuesOf(name);
    noteReader(name);
    if (values === null || [...values].some(each => mayMention(each, word, looked))) return true;
  }
  return false;
}

// noteReader records that the rule that is being filed uses a variable.
function noteReader(name) { entryOf(readers, name, () => new Set()).add(filing); }

// closingOf returns the index of the parenthesis that closes the one that is open at an index.
function closingOf(value, from) {
  let depth = 1, i = from;
  for (; i < value.length; i++) {
    if (value[i] === '(') depth++;
    else if (value[i] === ')' && --depth === 0) break;
  }
  return i;
}
