// Closed shadow roots. A script cannot reach them; Go can, through CDP. The
// walker names the elements that may have one, Go resolves and hands them in.

const closedRoots = new WeakMap(); // host -> its root, or null: it has none
let adopted = false;               // whether any was handed in
let hosts = [];                    // of the last walk
const metRoots = new Set();
let newRoots = [];                 // those that Go has not taken

// shadowOf returns the shadow root of el, open or handed in by Go.
function shadowOf(el) {
  const root = el.shadowRoot ?? (adopted ? closedRoots.get(el) ?? null : null);
  if (root && !metRoots.has(root)) {
    metRoots.add(root);
    newRoots.push(root);
  }
  return root;
}

// shadowRoots returns the shadow roots that were met and are still in the document.
function shadowRoots() {
  for (const root of metRoots) if (!root.isConnected) metRoots.delete(root);
  return metRoots;
}

// takeRoots returns shadow roots for Go to ask for their listeners: those that
// were met since it did, or all.
chela.takeRoots = (all, most) => {
  const taken = (all ? [...shadowRoots()] : newRoots).slice(0, most);
  newRoots = [];
  return taken;
};

// The elements beside custom ones that can have a shadow root.
const PLAIN_HOSTS = new Set(['div', 'span', 'section', 'article', 'aside', 'main', 'header', 'footer', 'nav', 'p', 'blockquote', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6']);

// mayHideShadow says whether an element may have a closed root that nobody has
// looked into: a custom one, or one that holds nothing and yet has a size.
function mayHideShadow(el, tag) {
  if (!tag.includes('-') && !(PLAIN_HOSTS.has(tag) && el.firstChild === null && el.offsetHeight > 0)) return false;
  return el.shadowRoot === null && !closedRoots.has(el);
}

// suspect reports a plain element that has no root to be seen, although what it
// holds is for a slot, or is not rendered at all.
function suspect(el) {
  if (!PLAIN_HOSTS.has(el.localName) || el.shadowRoot !== null || closedRoots.has(el)) return;
  if (hosts[hosts.length - 1]?.deref() !== el) hosts.push(new WeakRef(el));
}

// candidate returns the i-th host that the last walk reported.
chela.candidate = i => hosts[i]?.deref() ?? null;

// adopt stores the closed root of host; null notes that there is none.
chela.adopt = (host, root) => {
  closedRoots.set(host, root ?? null);
  adopted = true;
};
