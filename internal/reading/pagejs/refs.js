// Refs: a number belongs to one element of this document and is kept until the element is gone, or
// shows another item. Then the number passes to the element that has replaced the first one, if any:
// see carry.js. No other element ever gets the number. Each call of run passes the highest number that was given in
// this frame, so that numbers of earlier documents are not reused.

const documentToken = Math.random().toString(36).slice(2) + performance.timeOrigin.toString(36);
const numbers = new WeakMap();
const elements = new Map();
const gone = new FinalizationRegistry(n => {
  if (elements.get(n)?.deref() === undefined) elements.delete(n);
});
let highest = 0;

function countFrom(base) {
  if (base > highest) highest = base;
}

// refOf returns the number of el and gives it one if it has none.
function refOf(el) {
  let n = numbers.get(el);
  if (n === undefined) {
    n = ++highest;
    bind(n, el);
  }
  return n;
}

// bind gives a number to el, and takes it from the element that had it.
function bind(n, el) {
  const before = elements.get(n)?.deref();
  if (before !== undefined) numbers.delete(before);
  numbers.set(el, n);
  elements.set(n, new WeakRef(el));
  gone.register(el, n);
}

// element returns the element that a number means, or null when there is none in this document.
function element(n) {
  const el = numbered(n);
  if (el === null) return successor(n);
  const items = changedItems(el);
  if (items.length === 0) return el;
  if (mayReadAgain() && carryAll()) return numbered(n);
  return items.every(beginsAsBefore) ? el : null;
}

// numbered returns the element that has a number, or null when it is no longer in this document.
function numbered(n) {
  const el = elements.get(n)?.deref();
  return el && isHere(el) ? el : null;
}

// inPlaceOf returns an element, or the one that has replaced it; null if it is gone.
function inPlaceOf(el) {
  return el.isConnected ? el : element(numbers.get(el) ?? 0);
}

// isHere reports whether el is in this document. A removed element may still be reachable.
function isHere(el) {
  return el.isConnected && el.ownerDocument === document;
}

// controlOf returns the element whose value counts for el. That is the control of a label, the
// select of an option in a drop-down, else el itself.
function controlOf(el) {
  return el.control || dropDownOf(el) || el;
}

// refOfNode returns the number of the element that a node of the accessibility tree stands for. For
// a text or pseudo-element that is the element that it is in, and for the document the root
// element. For a built-in part of a control it is the control. It is 0 when the node is no longer
// in this document. The closed shadow roots around the node become known. Otherwise what they hold
// would count as covered by their hosts.
//
// The parameter then is what releases was when the tree was read. If a number was taken from the element since, the
// result is the number that it had when the tree was read.
function refOfNode(object, then) {
  const node = object instanceof Node ? object : object.element; // object may be a CSSPseudoElement, such as a ::before
  if (!node?.isConnected || (node.ownerDocument ?? node) !== document) return 0;
  if (node === document) return refOf(document.documentElement);
  let el = node.nodeType === ELEMENT ? node : node.parentElement ?? parentOf(node);
  for (let root = el?.getRootNode(); root?.host; root = root.host.getRootNode()) {
    if (builtIn(root.host)) el = root.host;
    else if (root.mode === 'closed') chela.adoptClosedRoot(root.host, root);
  }
  return el ? released.get(el)?.find(({ at }) => at >= then)?.n ?? refOf(el) : 0;
}

// builtIn reports whether the shadow root of an element belongs to Chromium, such as the one of an
// input. No page can attach one to such an element.
function builtIn(host) {
  return !host.localName.includes('-') && !PLAIN_HOSTS.has(host.localName) && host.localName !== 'body';
}

// refs returns all numbers whose elements are alive.
function refs() {
  return [...elements.keys()].filter(numbered);
}

chela.refOf = refOf;
chela.refOfNode = refOfNode;
chela.element = element;
