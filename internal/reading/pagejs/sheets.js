// Style sheets. The walk needs to know some styles that few elements have, and asking each element
// for its computed style is expensive. So the rules of the sheets are read, and what they say is
// kept until they change:
//
//   - which elements have text by ::before or ::after, see pseudo.js
//   - whether an element may have content-visibility: hidden
//   - which elements get the cursor of a resizing handle while the mouse is over them: their
//     computed style lacks it at other times
//   - which elements show more while the mouse is over them, or are dragged, see uses.js
//   - which elements may be moved off the page, see reach.js
//   - which elements may have styles that hide text, see hiding.js

let decorated = null; // elements that get text from rules for ::before or ::after; null: not known, so every element is asked
let veils = false;    // whether an element may have content-visibility: hidden
let handles = '';     // a selector of the resizing handles, '' if there are none

// readSheets reads the sheets of the document.
function readSheets() {
  decorated = new Set();
  veils = false;
  handles = '';
  uses = new Map();
  moved = new Set();
  decorate(document);
}

// Querying more selectors than this costs more than asking all elements.
const MOST_SELECTORS = 200;

// decorate reads the sheets of a document or shadow root. It adds the elements that the rules
// select to decorated, uses and moved. The selectors of resizing handles are added to handles.
function decorate(root) {
  veils ||= root.querySelector('[hidden=until-found],[style*=content-visibility i],[style*="\\\\"]') !== null;
  if (decorated === null) return;
  const selectors = [], revealing = [], dragged = [], moving = [], resized = handles === '' ? [] : [handles];
  let queryable = true, readable = true;
  for (const sheet of [...root.styleSheets, ...root.adoptedStyleSheets]) {
    const found = readSheet(sheet);
    if (judges) fileSheet(found);
    veils ||= found.veils;
    queryable &&= found.queryable;
    readable &&= found !== UNREADABLE;
    selectors.push(...found.selectors);
    resized.push(...found.handles);
    revealing.push(...found.revealing);
    dragged.push(...found.dragged);
    moving.push(...found.moving);
  }
  handles = resized.join(',');
  findUses(root, revealing, dragged);
  findMoved(root, moving, readable);
  if (!queryable || selectors.length > MOST_SELECTORS) decorated = null;
  else if (selectors.length > 0) query(root, selectors);
}

function query(root, selectors) {
  try {
    for (const el of root.querySelectorAll(selectors.join(','))) decorated.add(el);
  } catch {
    decorated = null; // one is no selector of elements
  }
}

const sheets = new WeakMap(); // sheet -> what was read in it

// No script can read the rules of a sheet of another site.
const UNREADABLE = { veils: true, queryable: false, selectors: [], handles: [], revealing: [], dragged: [], moving: [] };

// readSheet returns what the rules of a sheet say about the styles listed at the top of this file.
function readSheet(sheet) {
  try {
    const known = sheets.get(sheet);
    if (known !== undefined && known.isCurrent()) return known;
    const found = new SheetReading(sheet.cssRules);
    sheets.set(sheet, found);
    return found;
  } catch {
    return UNREADABLE;
  }
}

// MOST_VERIFIED is how many rules of a sheet each walk looks at again. A script may have changed
// them in place, as by rule.style.content = '…'. Browsers report no such change. A framework has
// thousands of rules, which scripts do not change. Looking at all of them would take a part of the
// walk's time. So would the text of the declarations: of most properties, only their number is compared.
const MOST_VERIFIED = 500;

// A SheetReading holds what was read from the rules of a sheet.
class SheetReading {
  constructor(rules) {
    this.veils = false;
    this.queryable = true; // whether the selectors of the sheet are known
    this.selectors = [];
    this.handles = [];
    this.revealing = [];
    this.dragged = [];
    this.moving = [];
    this.lists = [];       // lists of rules: those of the sheet, of groups in it, and of imported sheets
    this.imports = [];     // rules whose sheet had not been loaded
    this.verified = [];
    this.read(rules);
  }

  // isCurrent reports whether the rules are still those that were read, and say the
  // same. Rules that replace others are other objects.
  isCurrent() {
    return this.lists.every(({ list, size, first, last }) => list.length === size && list[0] === first && list[size - 1] === last)
      && !this.imports.some(rule => rule.styleSheet !== null)
      && this.verified.every(saysTheSame);
  }

  read(list) {
    const size = list.length;
    this.lists.push({ list, size, first: list[0], last: list[size - 1] });
    for (const rule of list) {
      if (rule.style !== undefined) this.readStyle(rule, rule.style);
      if (rule.styleSheet) this.read(rule.styleSheet.cssRules); // @import
      else if (rule.styleSheet === null) this.imports.push(rule);
      if (rule.cssRules?.length > 0 || rule.cssRules && !rule.selectorText) this.read(rule.cssRules); // @media, @layer, @supports, nested
    }
  }

  readStyle(rule, style) {
    const { content, contentVisibility, length } = style, selector = rule.selectorText;
    if (this.verified.length < MOST_VERIFIED) this.verified.push({ rule, style, content, contentVisibility, length, selector });
    if (contentVisibility) this.veils = true;
    if (!selector) return;
    if (saysSomething(content)) this.decorates(rule, selector);
    if (selector.includes(':hover')) this.revealing.push(...revealing(rule));
    if (mayMoveFar(style)) this.moving.push(...selectorsOf(ruleSelector(rule)));
    if (style.touchAction === 'none' && !/\*\s*$/.test(selector)) this.dragged.push(...selectorsOf(selector));
    if (RESIZE.test(style.cursor) && selector.includes(':hover')) this.handles.push(...selectorsOf(selector.replaceAll(':hover', '')));
  }

  // decorates adds the selectors of a rule that gives text to ::before or ::after, without the
  // pseudo-element.
  decorates(rule, selector) {
    if (!DECORATION.test(selector)) return;
    if (rule.parentRule?.selectorText || NO_QUERY.test(selector)) {
      this.queryable = false;
      return;
    }
    const decorating = selector.split(',').filter(s => DECORATION.test(s));
    this.selectors.push(...decorating.map(s => s.replace(DECORATION, '').replace(/([>+~]|^)\s*$/, '$1*')));
  }
}

function saysTheSame({ rule, style, content, contentVisibility, length, selector }) {
  return rule.parentStyleSheet !== null && style.length === length && rule.selectorText === selector && style.content === content
    && style.contentVisibility === contentVisibility;
}

// saysSomething reports whether a value of content is text, and not only the private characters of
// an icon font.
function saysSomething(content) {
  return content !== '' && content !== 'none' && content !== 'normal' && !/^"[\s\p{Co}]*"$/u.test(content);
}

// The pseudo-elements in a selector, but not in a class like .md\:before\:block.
const DECORATION = /(?<!\\)::?(before|after)(?![\w-])/;

// Selectors that querySelectorAll does not accept, or understands in another way, after the
// pseudo-element was removed.
const NO_QUERY = /::slotted|:host|:is\(|:where\(|::part/;

// The cursors of handles that resize something.
const RESIZE = /^(col|row|[news]{1,4})-resize/;

const fragment = document.createDocumentFragment();

// selectorsOf returns a list of the selector alone, or an empty list if it selects no elements.
function selectorsOf(selector) {
  try {
    fragment.querySelector(selector);
    return [selector];
  } catch {
    return [];
  }
}

// isHandle reports whether el is a resizing handle, given the cursor of its computed style.
function isHandle(el, cursor) {
  return RESIZE.test(cursor) || handles !== '' && el.matches(handles);
}
