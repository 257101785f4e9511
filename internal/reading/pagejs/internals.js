// Semantics that a custom element gives itself through ElementInternals, such as internals.role and
// internals.ariaChecked. No script but the element's own can read them, so Go asks Chromium's
// accessibility tree for them and passes them to setSemantics. If the element lacks the attribute
// of the same meaning, they are used in its place.

const MOST_CUSTOM = 500; // maximum number of elements that Go asks about after one walk

const semantics = new WeakMap();   // custom element -> its semantics as attributes: {role, 'aria-checked', …}
const customTags = new Map();      // local name -> whether any element of that name has semantics
let anySemantics = false;          // whether Go has passed any: most documents have none
let customs = [];                  // elements of the last walk to ask about
let answered = new WeakSet();      // custom elements that Go was already asked about for this snapshot
let probed = new Set();            // local names met in this walk that Go was not asked about before

// attributeOf returns an attribute or, without it, the semantics of that meaning; null if there is
// neither.
function attributeOf(el, name) {
  const value = el.getAttribute(name);
  return value !== null || !anySemantics ? value : semantics.get(el)?.[name] ?? null;
}

// hasSemantics reports whether el is known to have semantics from ElementInternals.
function hasSemantics(el) {
  return anySemantics && semantics.has(el);
}

// beginCustoms starts a walk. In the first walk of a snapshot Go asks about all elements again,
// because their states may have changed. The parameter again says that this is a later walk of the
// same snapshot.
function beginCustoms(again) {
  customs = [];
  probed = new Set();
  if (!again) answered = new WeakSet();
}

// meetCustom notes a custom element that Go must ask about. Asking takes time, and most custom
// elements have no such semantics. So Go first asks about one element of each tag name. If that
// element has no semantics, Go asks about no other with this name.
function meetCustom(el, tag) {
  const known = customTags.get(tag);
  if (known === false || customs.length >= MOST_CUSTOM || answered.has(el) || !el.matches(':defined')) return;
  if (known === undefined) {
    if (probed.has(tag)) return;
    probed.add(tag);
  }
  customs.push(el);
}

// askAgain makes Go ask again for the semantics of an element, since the known ones are from the
// last snapshot. It returns the answer that the calling function gives to Go. Go sees the field
// internals, asks about the elements of takeCustoms, and calls that function again.
function askAgain(el) {
  customs = [el];
  return { internals: true };
}

// takeCustoms returns the custom elements that Go must ask about, and forgets them.
chela.takeCustoms = () => {
  const taken = customs;
  customs = [];
  for (const el of taken) answered.add(el);
  return taken;
};

// setSemantics takes elements and, as the last argument, a list of what the
// accessibility tree has for each of them, as attributes. It returns whether a walk
// would read any of them differently now.
chela.setSemantics = (...args) => {
  const found = args.pop();
  return found.map((attributes, i) => setSemanticsOf(args[i], attributes)).includes(true);
};

function setSemanticsOf(el, attributes) {
  const own = Object.fromEntries(Object.entries(attributes).filter(([name]) => !el.hasAttribute(name)));
  if (!ARIA_ROLES.has(own.role) || own.role === 'generic' || own.role === 'none') delete own.role; // such a role says nothing
  const before = semantics.get(el);
  const named = own.role !== undefined || own['aria-label'] !== undefined;
  const meant = named || el.hasAttribute('role') && Object.keys(own).length > 0;
  if (meant || !customTags.has(el.localName)) customTags.set(el.localName, meant);
  if (meant) semantics.set(el, own);
  else semantics.delete(el);
  anySemantics ||= meant;
  return JSON.stringify(before) !== JSON.stringify(semantics.get(el));
}
