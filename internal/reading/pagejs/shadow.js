// Closed shadow roots. No script of another world can reach a page's closed roots; Go can, through
// CDP. The walk notes the elements that may have one, as candidates. Go looks into each of these,
// passes its root to adoptClosedRoot, and walks again.

const closedRoots = new WeakMap(); // host -> its root, or null: it has none
let adopted = false;               // whether there was any closed root: most documents have none
let hosts = [];                    // candidates of the last walk
const metRoots = new Set();        // all shadow roots so far, including open ones
let newRoots = [];                 // those of metRoots that Go has not taken yet

// shadowOf returns the shadow root of el, open or adopted, null if none is known.
function shadowOf(el) {
  const root = el.shadowRoot ?? (adopted ? closedRoots.get(el) ?? null : null);
  if (root && !metRoots.has(root)) {
    metRoots.add(root);
    newRoots.push(root);
    if (judges) findMotion(root);
  }
  return root;
}

chela.shadowOf = shadowOf;

// shadowRoots returns the shadow roots that were met and are still in the document.
function shadowRoots() {
  for (const root of metRoots) if (!root.isConnected) metRoots.delete(root);
  return metRoots;
}

// untakenRoots returns how many shadow roots in the document Go has not taken yet.
function untakenRoots() {
  const met = shadowRoots();
  newRoots = newRoots.filter(root => met.has(root));
  return newRoots.length;
}

// takeRoots returns the shadow roots that it has not returned yet, or all of them if the parameter
// all is true. The parameter most is the maximum number of roots. Go then asks for their listeners.
chela.takeRoots = (all, most) => {
  if (all) newRoots = [...shadowRoots()];
  return newRoots.splice(0, most);
};

// The elements beside custom ones that can have a shadow root.
const PLAIN_HOSTS = words('div span section article aside main header footer nav p blockquote h1 h2 h3 h4 h5 h6');

// mayHideShadow reports whether an element may have a closed root that nobody has looked into. It
// may if it is a custom element, or if it holds nothing and yet has a size.
function mayHideShadow(el, tag) {
  if (!tag.includes('-') && !(PLAIN_HOSTS.has(tag) && el.firstChild === null && el.offsetHeight > 0)) return false;
  return el.shadowRoot === null && !closedRoots.has(el);
}

// suspect adds an element to the candidates for a closed shadow root, if none of its roots is known.
// It is called for elements whose content is assigned to a slot, or is not rendered at all.
function suspect(el) {
  if (!PLAIN_HOSTS.has(el.localName) || el.shadowRoot !== null || closedRoots.has(el)) return;
  if (hosts[hosts.length - 1]?.deref() !== el) hosts.push(new WeakRef(el));
}

// candidate returns the i-th host that the last walk reported.
chela.candidate = i => hosts[i]?.deref() ?? null;

// adoptClosedRoot stores the closed root of host; null notes that there is none.
chela.adoptClosedRoot = (host, root) => {
  closedRoots.set(host, root ?? null);
  adopted = true;
};
