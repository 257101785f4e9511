// Flatten: the document as HTML that lacks nothing of what it shows.

// flatten returns the document as HTML, and whether that was cut: after most UTF-16 code units, or
// one less to keep a character whole. What is in a shadow root stands in its host, what is assigned
// to a slot in the place of the slot, and what is in a frame of this origin in the place of the frame.
// suspects is how many elements may have a closed root: Go looks into them and calls again.
//
// The document is not changed. What has to be put together is copied into a document without a
// window, where no custom element runs and nothing is loaded.
function flatten(most) {
  hosts = [];
  const root = document.documentElement;
  if (root === null) return { html: '', cut: false, suspects: 0 };
  const lacking = lackingElements(document), inert = document.implementation.createHTMLDocument('');
  const whole = '<!doctype html>' + (lacking.size > 0 ? copyOf(root, lacking, inert, 0) : root).outerHTML;
  const kept = Math.min(most, whole.length);
  return { html: whole.slice(0, splitsPair(whole, kept) ? kept - 1 : kept), cut: kept < whole.length, suspects: hosts.length };
}

// lackingElements returns the elements of a document whose outerHTML would lack something: those that
// have a shadow root, the slots in there, frames that can be read, and what such an element is in.
function lackingElements(doc) {
  const found = new Set(), trees = [doc];
  for (let i = 0; i < trees.length; i++) {
    for (const el of trees[i].querySelectorAll('*')) {
      const shadow = shadowOf(el), name = el.localName;
      if (shadow !== null) trees.push(shadow);
      else if (name.includes('-') && mayHideShadow(el, name)) hosts.push(new WeakRef(el));
      if (shadow === null && name !== 'slot' && documentIn(el) === null) continue;
      for (let up = el; up !== null && !found.has(up); up = parentOf(up)) found.add(up);
    }
  }
  return found;
}

// documentIn returns the document that an element shows, if it is a frame of this origin and
// can be seen; else null.
function documentIn(el) {
  if (el.localName !== 'iframe' && el.localName !== 'frame' || !isRendered(el)) return null;
  const doc = el.contentDocument;
  return doc?.documentElement ? doc : null;
}

// MAX_NESTED bounds how deep elements are put together one by one: below, they are copied as they are.
const MAX_NESTED = 1000;

// copyOf returns a copy of a node in the inert document.
function copyOf(node, lacking, inert, depth) {
  if (!lacking.has(node) || depth > MAX_NESTED) return inert.importNode(node, true);
  const inner = documentIn(node);
  if (inner !== null) return copyOfFrame(inner, inert, depth);
  const copy = node.localName === 'slot' ? inert.createDocumentFragment() : inert.importNode(node, false);
  for (const child of childrenOf(node)) copy.append(copyOf(child, lacking, inert, depth + 1));
  return copy;
}

// copyOfFrame returns the body of a frame's document as a div. Its addresses are made absolute, as
// they are relative to another one than those around it.
function copyOfFrame(doc, inert, depth) {
  const copy = inert.createElement('div'), lacking = lackingElements(doc);
  for (const child of (doc.body ?? doc.documentElement).childNodes) copy.append(copyOf(child, lacking, inert, depth + 1));
  for (const name of ['href', 'src']) {
    for (const el of copy.querySelectorAll(`[${name}]`)) {
      const address = URL.parse(el.getAttribute(name), doc.baseURI);
      if (address !== null) el.setAttribute(name, address.href);
    }
  }
  return copy;
}

Object.assign(chela, { flatten });
