// Flatten: the document, or an element, as HTML that lacks nothing of what it shows.

// flatten returns the first element that a CSS selector matches, or without one (an empty selector)
// the whole document: see htmlOf. {none: true}: no element matches.
function flatten(selector, most, hidden) {
  hosts = [];
  const root = selector === '' ? document.documentElement : findDeep(selector, hosts);
  return root === null ? { none: true, suspects: hosts.length } : htmlOf(root, most, hidden);
}

// flattenElement is flatten for the element of a ref; {none: true}: it is gone.
function flattenElement(n, most, hidden) {
  hosts = [];
  const el = element(n);
  return el === null ? { none: true } : htmlOf(el, most, hidden);
}

// htmlOf returns an element as a document in HTML, and whether that was cut: after most UTF-16 code
// units, or one less to keep a character whole. What is in a shadow root stands in its host, what is
// assigned to a slot in the place of the slot, and what is in a frame of this origin in the place of the frame.
// suspects is how many elements may have a closed root: Go looks into them and calls again. So it does
// if bare: a frame has not the page script, without which it cannot be read.
//
// With hidden: 'omit', what a person cannot see is left out, and unseen counts the texts of it that
// are rendered; with 'mark' these stand in brackets. Else all that is in the document is there.
function htmlOf(root, most, hidden) {
  const copier = new Copier(hidden), lacking = copier.lackingIn(root);
  let shown = root;
  if (root !== document.documentElement) shown = copier.documentOf(root, lacking);
  else if (lacking.size > 0) shown = copier.copyOf(root, lacking, 0);
  const whole = '<!doctype html>' + shown.outerHTML, kept = Math.min(most, whole.length);
  return {
    html: whole.slice(0, splitsPair(whole, kept) ? kept - 1 : kept), cut: kept < whole.length, suspects: hosts.length, bare: copier.bare,
    unseen: hidden === 'omit' ? copier.count : undefined, type: document.contentType,
    text: root === document.documentElement ? textDocument(most) : '',
  };
}

// textDocument returns the text of a document that is nothing else, such as JSON, or XML without a style
// sheet, for which Chromium makes a page; '' of any other.
function textDocument(most) {
  if (/html|^image\/|\/pdf$/.test(document.contentType)) return '';
  const xml = document.getElementById('webkit-xml-viewer-source-xml'), pre = document.querySelector('body > pre:first-child');
  if (xml === null) return pre === null ? '' : pre.textContent.slice(0, most);
  const serializer = new XMLSerializer();
  return [...xml.childNodes].map(node => serializer.serializeToString(node)).join('\n').slice(0, most);
}

// MAX_NESTED bounds how deep elements are put together one by one. Below, they are copied as they are, or left
// out when there may be something in them that cannot be seen.
const MAX_NESTED = 1000;

// A Copier puts together what has to be. It copies that into a document without a window, where no
// custom element runs and nothing is loaded; the document of the page is not changed.
class Copier {
  constructor(hidden) {
    this.hidden = hidden;
    this.inert = document.implementation.createHTMLDocument('');
    this.left = new Set();   // nodes that are left out
    this.unseen = new Set(); // texts that are rendered and cannot be seen
    this.count = { texts: 0, chars: 0 };
    this.bare = false; // whether a frame could not be read
  }

  // lackingIn returns the elements whose outerHTML would not be right: those that have a shadow root, the
  // slots in there, frames that can be read, those in which something is left out, and what such an element is in.
  lackingIn(root) {
    const found = new Set();
    for (const el of elementsIn(root)) {
      if (shadowOf(el) !== null || el.localName === 'slot' || this.documentIn(el) !== null) addAround(el, root, found);
      else if (mayHideShadow(el, el.localName)) hosts.push(new WeakRef(el));
    }
    if (this.hidden === 'omit' || this.hidden === 'mark') this.hide(root, found);
    return found;
  }

  // documentIn returns the document that an element shows, if it is a frame of this origin and can be
  // seen; else null.
  documentIn(el) {
    if (el.localName !== 'iframe' && el.localName !== 'frame' || !isRendered(el)) return null;
    const doc = el.contentDocument;
    if (!doc?.documentElement) return null;
    const ready = typeof el.contentWindow.chela?.hiddenIn === 'function'; // an element of the page may be called chela
    this.bare ||= !ready;
    return ready ? doc : null;
  }

  // hide notes what cannot be seen below root, and adds the elements in which that is to lacking.
  hide(root, lacking) {
    const each = root.ownerDocument.defaultView.chela; // the script of a frame knows its viewport
    const { left, unseen } = each.hiddenIn(root);
    for (const node of left) this.left.add(node);
    for (const text of unseen) {
      this.unseen.add(text);
      this.count.texts++;
      this.count.chars += squash(text.data).length;
    }
    for (const node of [...left, ...unseen]) addAround(parentOf(node), root, lacking);
  }

  // copyOf returns a copy of a node.
  copyOf(node, lacking, depth) {
    if (this.unseen.has(node)) return this.inert.createTextNode(this.hidden === 'mark' ? ` [hidden: ${squash(node.data)}] ` : ' ');
    if (!lacking.has(node)) return this.inert.importNode(node, true);
    if (depth > MAX_NESTED) return this.hidden === '' ? this.inert.importNode(node, true) : this.inert.createTextNode('');
    const inner = this.documentIn(node);
    if (inner !== null) return this.copyOfFrame(inner, depth);
    const copy = node.localName === 'slot' ? this.inert.createDocumentFragment() : this.inert.importNode(node, false);
    for (const child of childrenOf(node)) if (!this.left.has(child)) copy.append(this.copyOf(child, lacking, depth + 1));
    return copy;
  }

  // copyOfFrame returns the body of a frame's document as a div.
  copyOfFrame(doc, depth) {
    const copy = this.inert.createElement('div'), root = doc.body ?? doc.documentElement, lacking = this.lackingIn(root);
    for (const child of root.childNodes) if (!this.left.has(child)) copy.append(this.copyOf(child, lacking, depth + 1));
    makeAbsolute(copy, doc);
    return copy;
  }

  // documentOf returns a document with nothing in its body but an element, and with what the page
  // says of itself.
  documentOf(el, lacking) {
    const { head, body, documentElement } = this.inert;
    head.replaceChildren();
    for (const about of document.querySelectorAll('head > title,meta,script[type="application/ld+json"]')) {
      head.append(this.inert.importNode(about, true));
    }
    documentElement.lang = closest(el, up => up.hasAttribute('lang'))?.getAttribute('lang') ?? '';
    body.append(this.copyOf(el, lacking, 0));
    makeAbsolute(body, document);
    return documentElement;
  }
}

// makeAbsolute makes the addresses in a copy absolute: where it stands now, they would be relative
// to another one than in its document.
function makeAbsolute(copy, doc) {
  for (const name of ['href', 'src']) {
    for (const el of copy.querySelectorAll(`[${name}]`)) {
      const address = URL.parse(el.getAttribute(name), doc.baseURI);
      if (address !== null) el.setAttribute(name, address.href);
    }
  }
}

// hiddenIn returns what a person cannot see below an element: nodes that are not rendered or are in
// a frame that cannot be seen, and texts that are rendered and cannot be seen.
function hiddenIn(root) {
  findUnseen(root);
  const left = [], unseen = [...unseenTexts].filter(text => !isFormula(text));
  for (const el of elementsIn(root)) {
    if (el.localName === 'iframe' && unseenFrame(placeOf(el)) !== '') left.push(el);
    if (el.checkVisibility({ visibilityProperty: true }) || SILENT.has(el.localName) || isRendered(el) || isFormula(el)) continue;
    if (el !== root && !el.checkVisibility() && getComputedStyle(el).display !== 'contents') left.push(el);
    else for (const child of el.childNodes) if (child.nodeType === TEXT || child.localName === 'img') left.push(child);
  }
  forgetUnseen();
  return { left, unseen };
}

// isFormula reports whether a node is of a formula that can be seen: its MathML, which has its source, is
// clipped away where something else draws it.
function isFormula(node) {
  const math = closest(parentOf(node), el => el.localName === 'math');
  if (math === null) return false;
  const drawn = closest(math, el => el.matches('.katex,mjx-container,.MathJax,.mwe-math-element')) ?? math;
  return shown(drawn) && unseenFrame(placeOf(drawn)) === '';
}

Object.assign(chela, { flatten, flattenElement, hiddenIn });
