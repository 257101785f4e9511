// Text that style sheets add by ::before and ::after. To compute both styles of every
// element is expensive, so it is done only for elements that a rule with such content
// selects: the sheets are read for such rules, and their selectors are queried.

let decorated = null; // elements that such rules select; null: not known, each is asked
let veils = false;    // whether an element may have content-visibility: hidden

// findDecorated reads the sheets of the document.
function findDecorated() {
  decorated = new Set();
  veils = false;
  decorate(document);
}

// Querying more selectors than this costs more than asking all elements.
const MOST_SELECTORS = 200;

// decorate adds the elements that the sheets of a document or shadow root select.
function decorate(root) {
  veils ||= root.querySelector('[hidden=until-found],[style*=content-visibility]') !== null;
  if (decorated === null) return;
  const selectors = [];
  try {
    for (const sheet of [...root.styleSheets, ...root.adoptedStyleSheets]) {
      const found = readSheet(sheet);
      veils ||= found.veils;
      selectors.push(...found.selectors);
    }
    if (selectors.length > MOST_SELECTORS) decorated = null;
    else if (selectors.length) for (const el of root.querySelectorAll(selectors.join(','))) decorated.add(el);
  } catch {
    decorated = null; // a sheet of another site, or a selector of no elements
    veils = true;
  }
}

const sheets = new WeakMap(); // sheet -> what was read in it

// readSheet returns what a sheet says of us. It is read again when it, or a group of rules in it, has grown.
function readSheet(sheet) {
  const rules = sheet.cssRules;
  let found = sheets.get(sheet);
  if (found === undefined || found.size !== rules.length || found.groups.some(({ rule, size }) => rule.cssRules.length !== size)) {
    found = { size: rules.length, groups: [], selectors: [], veils: false };
    readRules(rules, found);
    sheets.set(sheet, found);
  }
  return found;
}

function readRules(rules, found) {
  for (const rule of rules) {
    if (rule.style?.contentVisibility) found.veils = true;
    if (rule.selectorText && saysSomething(rule.style.content)) found.selectors.push(...decoratedSelectors(rule));
    if (rule.styleSheet) readRules(rule.styleSheet.cssRules, found); // @import
    if (rule.cssRules && !rule.selectorText) found.groups.push({ rule, size: rule.cssRules.length }); // @media, @layer, @supports
    if (rule.cssRules?.length) readRules(rule.cssRules, found);
  }
}

// saysSomething reports whether a value of content is text, and not only the
// private characters of an icon font.
function saysSomething(content) {
  return content !== '' && content !== 'none' && content !== 'normal' && !/^"[\s\ue000-\uf8ff]*"$/.test(content);
}

// The pseudo-elements in a selector, but not in a class like .md\:before\:block.
const DECORATION = /(?<!\\)::?(before|after)(?![\w-])/;

// Selectors that querySelectorAll does not take, or takes in another sense, without
// their pseudo-element.
const NO_QUERY = /::slotted|:host|:is\(|:where\(|::part/;

// decoratedSelectors returns the selectors of rule with the pseudo-element cut off.
// It throws for those that cannot be queried: then all elements are asked.
function decoratedSelectors(rule) {
  if (!DECORATION.test(rule.selectorText)) return [];
  if (rule.parentRule?.selectorText || NO_QUERY.test(rule.selectorText)) throw new Error('not a selector of elements');
  return rule.selectorText.split(',')
    .filter(s => DECORATION.test(s))
    .map(s => s.replace(DECORATION, '').replace(/([>+~]|^)\s*$/, '$1*'));
}

// mayBeDecorated reports whether el has to be asked for such text.
function mayBeDecorated(el, tag) {
  return decorated === null || decorated.has(el) || tag === 'q';
}

// pseudoText returns the text of el's ::before or ::after, with the spaces a block makes.
function pseudoText(el, which) {
  const style = getComputedStyle(el, which);
  if (!saysSomething(style.content) || style.display === 'none' || style.visibility !== 'visible') return '';
  const text = contentText(style.content, el);
  return style.display === 'inline' && !style.content.includes('/') ? text : ' ' + text + ' ';
}

const QUOTES = { 'open-quote': '“', 'close-quote': '”' };

// The parts of a value of the CSS property content: a string, attr(name), url(…),
// another function, a keyword, or the slash before the alternative text.
const CONTENT_PARTS = new RegExp([
  /"((?:[^"\\]|\\.)*)"/, /attr\(([\w-]+)[^)]*\)/, /url\((?:"(?:[^"\\]|\\.)*"|[^)]*)\)/, /[\w-]+\([^)]*\)/, /[\w-]+/, /\//,
].map(part => part.source).join('|'), 'g');

// contentText returns the text of a value of content. The alternative text, after a
// slash, replaces what is before it. The value of a counter is not known here, so
// that punctuation around one is left out too.
function contentText(content, el) {
  const text = joinedParts(content, el);
  return /counters?\(/.test(content) && !/[\p{L}\p{N}]/u.test(text) ? '' : text;
}

function joinedParts(content, el) {
  let text = '';
  for (const [part, quoted, attr] of content.matchAll(CONTENT_PARTS)) {
    if (part === '/') text = '';
    else if (quoted !== undefined) text += unescapeCSS(quoted);
    else if (attr !== undefined) text += el.getAttribute(attr) ?? '';
    else text += QUOTES[part] ?? '';
  }
  return text;
}

function unescapeCSS(s) {
  return s.replace(/\\([0-9a-fA-F]{1,6})\s?|\\(.)/g, (_, hex, char) => hex ? String.fromCodePoint(parseInt(hex, 16)) : char);
}
