// Refs: a number belongs to one element of this document, is kept until the element is gone, and is
// never given again. Each call of run brings the highest number that was given in this frame, so
// that those of earlier documents are not reused.

const documentToken = Math.random().toString(36).slice(2) + performance.timeOrigin.toString(36);
const numbers = new WeakMap();
const elements = new Map();
const gone = new FinalizationRegistry(n => elements.delete(n));
let highest = 0;

function countFrom(base) {
  if (base > highest) highest = base;
}

// refOf returns the number of el and gives it one if it has none.
function refOf(el) {
  let n = numbers.get(el);
  if (n === undefined) {
    n = ++highest;
    numbers.set(el, n);
    elements.set(n, new WeakRef(el));
    gone.register(el, n);
  }
  return n;
}

// element returns the element of a number, or null when it is no longer in this document. A removed
// element may still be reachable, so deref alone does not tell.
function element(n) {
  const el = elements.get(n)?.deref();
  return el && el.isConnected && el.ownerDocument === document ? el : null;
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
function refOfNode(object) {
  const node = object instanceof Node ? object : object.element; // object may be a CSSPseudoElement, such as a ::before
  if (!node?.isConnected || (node.ownerDocument ?? node) !== document) return 0;
  if (node === document) return refOf(document.documentElement);
  let el = node.nodeType === ELEMENT ? node : node.parentElement ?? parentOf(node);
  for (let root = el?.getRootNode(); root?.host; root = root.host.getRootNode()) {
    if (builtIn(root.host)) el = root.host;
    else if (root.mode === 'closed') chela.adoptClosedRoot(root.host, root);
  }
  return el ? refOf(el) : 0;
}

// builtIn reports whether the shadow root of an element belongs to Chromium, such as the one of an
// input. No page can attach one to such an element.
function builtIn(host) {
  return !host.localName.includes('-') && !PLAIN_HOSTS.has(host.localName) && host.localName !== 'body';
}

// refs returns all numbers whose elements are alive.
function refs() {
  return [...elements.keys()].filter(element);
}

chela.refOf = refOf;
chela.refOfNode = refOfNode;
chela.element = element;
