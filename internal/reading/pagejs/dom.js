// The document as it is rendered: the flat tree, and what of it is visible.

const ELEMENT = 1;
const TEXT = 3;
const FRAGMENT = 11;
const HTML = 'http://www.w3.org/1999/xhtml';
const SVG = 'http://www.w3.org/2000/svg';
const MATHML = 'http://www.w3.org/1998/Math/MathML';
const XLINK = 'http://www.w3.org/1999/xlink';

// words returns the set of the words in a string.
const words = s => new Set(s.split(' '));

// parentOf returns the parent element in the flat tree.
function parentOf(node) {
  if (node.assignedSlot) return node.assignedSlot;
  const parent = node.parentNode;
  if (!parent) return null;
  if (parent.nodeType === FRAGMENT) return parent.host ?? null;
  return parent.nodeType === ELEMENT ? parent : null;
}

// childrenOf returns the child nodes in the flat tree.
function childrenOf(el) {
  if (el.localName === 'slot' && el.assignedNodes) {
    const assigned = el.assignedNodes();
    if (assigned.length) return assigned;
  }
  return (shadowOf(el) ?? el).childNodes;
}

// elementsIn yields an element and all below it, including those in shadow roots.
function* elementsIn(root) {
  yield root;
  const trees = [shadowOf(root), root].filter(tree => tree !== null);
  for (let i = 0; i < trees.length; i++) {
    for (const el of trees[i].querySelectorAll('*')) {
      yield el;
      const shadow = shadowOf(el);
      if (shadow !== null) trees.push(shadow);
    }
  }
}

// chela.hasMoreNodes reports whether the document has more elements and texts than a number. Those in shadow
// trees count too.
chela.hasMoreNodes = most => {
  const trees = [document];
  let left = most;
  for (let i = 0; i < trees.length; i++) {
    const nodes = document.createTreeWalker(trees[i], NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let node = nodes.nextNode(); node !== null; node = nodes.nextNode()) {
      if (left-- === 0) return true;
      const shadow = node.nodeType === ELEMENT ? shadowOf(node) : null;
      if (shadow !== null) trees.push(shadow);
    }
  }
  return false;
};

// flat yields the elements that an element holds in the flat tree.
function* flat(el) {
  for (const node of childrenOf(el)) {
    if (node.nodeType !== ELEMENT) continue;
    yield node;
    if (!REPLACED.has(node.localName)) yield* flat(node);
  }
}

// closest returns the nearest of el and its flat-tree ancestors for which the function test returns
// true.
function closest(el, test) {
  for (let e = el; e; e = parentOf(e)) if (test(e)) return e;
  return null;
}

// isInside reports whether an element is another one (outer), or inside it.
function isInside(el, outer) { return closest(el, n => n === outer) !== null; }

// areRelated reports whether one of two elements is inside the other, or is the other. See also areNested, which
// is faster, but does not look into shadow trees.
function areRelated(a, b) { return isInside(a, b) || isInside(b, a); }

// innermostOfBoth returns the innermost element of the flat tree that contains both a and b. It may
// be one of the two.
function innermostOfBoth(a, b) {
  if (a === b) return a;
  const above = new Set();
  for (let e = a; e; e = parentOf(e)) above.add(e);
  return closest(b, e => above.has(e)) ?? a;
}

// stepsBetween returns where elements are in the flat tree, as two numbers for each. The second
// number is the element's depth: it counts the element and its ancestors. The first number counts
// how many of these also contain the element before it in the list, or are that element. Neighbors
// in the list share most ancestors, so few parents are asked for.
function stepsBetween(elements) {
  const around = [], depths = new Map(), steps = []; // around: the elements that contain the last one; depths: where they are in this list
  for (const el of elements) {
    const more = [];
    let up = el;
    for (; up !== null && !depths.has(up); up = parentOf(up)) more.push(up);
    const shared = up === null ? 0 : depths.get(up);
    for (const left of around.splice(shared)) depths.delete(left);
    for (const inner of more.reverse()) depths.set(inner, around.push(inner));
    steps.push(shared, around.length);
  }
  return steps;
}

// Elements whose children are not rendered, or are rendered as one thing.
const REPLACED = words('iframe frame img input textarea select progress meter canvas video audio embed fencedframe hr br');

// Elements that show nothing, whatever is in them.
const SILENT = words('script style noscript template head meta link title base source track param wbr datalist col colgroup rp'
  + ' defs symbol clippath clipPath mask linearGradient radialGradient pattern metadata desc');

// Attributes that do not matter for the role, the name or the states of an element, or for whether
// it can be acted on.
const MUTE = words('class id style href src srcset rel target width height colspan rowspan type name for lang dir');

// bare reports whether el has no attributes, or only those of MUTE and data attributes. Most
// elements are bare. Their role and name need no look at the many other possible attributes.
function bare(el) {
  if (hasSemantics(el)) return false;
  if (!el.hasAttributes()) return true;
  for (const name of el.getAttributeNames()) if (!isMute(name)) return false;
  return true;
}

function isMute(attribute) {
  return MUTE.has(attribute) || attribute.startsWith('data-');
}

// summaryOf returns the summary element of a details element, or null. It is all that is shown
// while the details are closed.
function summaryOf(details) {
  return childOf(details, 'summary');
}

// findDeep returns the first element that a CSS selector matches, in the document or else in a
// shadow root; null if there is none. Elements that may have a closed root are added to suspects.
function findDeep(selector, suspects) {
  const roots = [document];
  for (let i = 0; i < roots.length; i++) {
    const found = roots[i].querySelector(selector);
    if (found !== null) return found;
    for (const el of roots[i].querySelectorAll('*')) {
      const shadow = shadowOf(el);
      if (shadow !== null) roots.push(shadow);
      else if (mayHideShadow(el, el.localName)) suspects.push(new WeakRef(el));
    }
  }
  return null;
}

// childOf returns the first child element of that name, or null.
function childOf(el, name) {
  for (const c of el.children) if (c.localName === name) return c;
  return null;
}

// shown reports whether el is rendered and can be seen, whatever its opacity. An option in a closed
// list counts as shown. In an element that renders no children, such as a meter, it has no style.
function shown(el) {
  if (el.localName === 'area') return true; // the image of the area is drawn
  if (el.localName === 'option' || el.localName === 'optgroup') return !['none', ''].includes(getComputedStyle(el).display);
  return el.checkVisibility({ visibilityProperty: true });
}

// inlineDisplay reports whether a box with this value of display continues the line of text that it
// is in.
function inlineDisplay(display) {
  return display.startsWith('inline') || display === 'contents' || display.startsWith('ruby');
}

// isLetter reports whether an element is a separate box in a line of text, with a single character
// in it. Moving headlines and puzzles have such an element for each letter of a word.
function isLetter(el) {
  let inner = el;
  while (inner.firstElementChild !== null && inner.childNodes.length === 1) inner = inner.firstElementChild;
  const text = inner.firstChild;
  if (text?.nodeType !== TEXT || text.nextSibling !== null || text.length > 2 || Array.from(text.data).length > 1) return false;
  return getComputedStyle(el).display.startsWith('inline-');
}

// joins reports whether an element and a node beside it are letters of one word, without a space
// between them.
function joins(el, beside) {
  return beside !== null && beside.nodeType === ELEMENT && isLetter(el) && isLetter(beside);
}

// squash makes every run of white space one space and trims the ends.
function squash(s) {
  return (/[^\S ]|  /.test(s) ? s.replace(/\s+/g, ' ') : s).trim();
}

// asSeen does the same, without the characters that nobody sees. A snapshot leaves them out, so callers
// do. A text of nothing else is left as it is.
function asSeen(s) { return squash(s.replace(NEVER_SEEN, '')) || squash(s); }

// What the function Unseen of package hidden is true for, but for control characters. Marks that enclose
// the digits after them are format characters, but are drawn.
const NEVER_SEEN = /[[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Co}\u2800\ufffc\u{1d159}]--[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]]+/gv;
