// Semantics that a custom element gives itself through ElementInternals. No script
// can read them; Go asks Chromium's accessibility tree and hands them in. Here they
// stand for the attributes of the same meaning where the element has none of its own.

const MOST_CUSTOM = 500; // elements to ask about after one walk

const semantics = new WeakMap();   // custom element -> {role, 'aria-checked', …}
const customTags = new Map();      // local name -> whether an element of that name has any
let anySemantics = false;          // whether any were handed in: most documents have none
let customs = [];                  // elements of the last walk to ask about
let answered = new WeakSet();      // those that were asked about for this snapshot
let probed = new Set();            // local names in customs that had not been asked about

// attributeOf returns an attribute, or what stands for it; null if there is neither.
function attributeOf(el, name) {
  const value = el.getAttribute(name);
  return value !== null || !anySemantics ? value : semantics.get(el)?.[name] ?? null;
}

// hasSemantics says whether el has given itself semantics.
function hasSemantics(el) {
  return anySemantics && semantics.has(el);
}

// beginCustoms starts a walk; the first one of a snapshot asks about all anew.
function beginCustoms(again) {
  customs = [];
  probed = new Set();
  if (!again) answered = new WeakSet();
}

// meetCustom notes a custom element to ask about. Of a name whose elements are not
// known to have semantics, one is asked about in a document, and no other if it has none.
function meetCustom(el, tag) {
  const known = customTags.get(tag);
  if (known === false || customs.length >= MOST_CUSTOM || answered.has(el) || !el.matches(':defined')) return;
  if (known === undefined) {
    if (probed.has(tag)) return;
    probed.add(tag);
  }
  customs.push(el);
}

// takeCustoms returns the elements to ask about.
chela.takeCustoms = () => {
  const taken = customs;
  customs = [];
  for (const el of taken) answered.add(el);
  return taken;
};

// setSemantics takes elements and, as a list, what the accessibility tree has for
// each of them. It returns whether a walk would read any of them differently now.
chela.setSemantics = (...args) => {
  const found = args.pop();
  return found.map((attributes, i) => setSemanticsOf(args[i], attributes)).includes(true);
};

function setSemanticsOf(el, attributes) {
  const own = Object.fromEntries(Object.entries(attributes).filter(([name]) => !el.hasAttribute(name)));
  if (!ARIA_ROLES.has(own.role) || own.role === 'generic' || own.role === 'none') delete own.role; // it says nothing
  const before = semantics.get(el);
  const meant = own.role !== undefined || own['aria-label'] !== undefined || el.hasAttribute('role') && Object.keys(own).length > 0;
  if (meant || !customTags.has(el.localName)) customTags.set(el.localName, meant);
  if (meant) semantics.set(el, own);
  else semantics.delete(el);
  anySemantics ||= meant;
  return JSON.stringify(before) !== JSON.stringify(semantics.get(el));
}
