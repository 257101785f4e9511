// Text that style sheets add by ::before and ::after. Computing both styles of every element is
// expensive. So only elements that a rule with such content selects are asked.

// mayBeDecorated reports whether el may have text by ::before or ::after, so that the styles of
// these must be read.
function mayBeDecorated(el, tag) {
  return decorated === null || decorated.has(el) || tag === 'q';
}

// pseudoText returns the text of el's ::before or ::after. Unless the pseudo-element is inline,
// there are spaces around the text.
function pseudoText(el, which, style = getComputedStyle(el, which)) {
  if (!saysSomething(style.content) || style.display === 'none' || style.visibility !== 'visible') return '';
  if (style.display !== 'inline' && style.contentVisibility === 'hidden') return '';
  const text = contentText(style.content, el);
  return style.display === 'inline' && !style.content.includes('/') ? text : ' ' + text + ' ';
}

const QUOTES = { 'open-quote': '“', 'close-quote': '”' };

// The parts of a value of the CSS property content: a string, attr(name), url(…),
// another function, a keyword, or the slash before the alternative text.
const CONTENT_PARTS = new RegExp([
  /"((?:[^"\\]|\\.)*)"/, /attr\(([\w-]+)[^)]*\)/, /url\((?:"(?:[^"\\]|\\.)*"|[^)]*)\)/, /[\w-]+\([^)]*\)/, /[\w-]+/, /\//,
].map(part => part.source).join('|'), 'g');

// contentText returns the text of a value of content. The alternative text, after a slash, replaces
// what is before it. The value of a counter is not known here, so punctuation around a counter is
// also left out.
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

// hasPseudo reports whether el has a ::before or ::after, which may be all that is seen of it.
function hasPseudo(el) {
  return ['::before', '::after'].some(which => !['none', 'normal'].includes(getComputedStyle(el, which).content));
}
