// Flatten: the document, or an element, as HTML with everything that is shown in it.

// flatten returns the first element that a CSS selector matches, as HTML: see htmlOf. An empty
// selector stands for the whole document. The answer is {none: true} if no element matches.
function flatten(selector, most, hidden, time) {
  hosts = [];
  const root = selector === '' ? document.documentElement : findDeep(selector, hosts);
  return root === null ? { none: true, suspects: hosts.length } : htmlOf(root, most, hidden, time);
}

// flattenElement returns the element of a ref as HTML: see htmlOf. The answer is {none: true} if
// the element is gone.
function flattenElement(n, most, hidden, time) {
  hosts = [];
  const el = element(n);
  return el === null ? { none: true } : htmlOf(el, most, hidden, time);
}

// htmlOf returns an element as an HTML document, and whether the HTML was cut. The parameter most
// limits the HTML, in UTF-16 code units; no character is split. The content of a shadow root stands
// in its host, and assigned nodes stand in the place of their slot. The content of a frame of this
// origin stands in the place of the frame.
//
// The answer also has suspects, the number of elements that may have a closed root. Go looks into
// these and calls again. If the answer has bare, a frame lacks the page script and could not be
// read. Go then also calls again.
//
// If a document is far larger than that limit, only its beginning is looked at. If the time, in
// milliseconds, is not enough for that, even less is looked at.
//
// With hidden: 'omit', the HTML lacks what a person cannot see. In the answer, unseen then counts
// those of the omitted texts that are rendered. With 'mark' these texts stand in brackets.
// Otherwise the HTML has all that is in the document.
function htmlOf(root, most, hidden, time) {
  const copier = new Copier(hidden, most, performance.now() + time), lacking = copier.lackingIn(root);
  let shown = root;
  if (root !== document.documentElement) shown = copier.documentOf(root, lacking);
  else if (lacking.size > 0) shown = copier.copyOf(root, lacking, 0);
  const whole = '<!doctype html>' + shown.outerHTML, kept = Math.min(most, whole.length);
  return {
    html: whole.slice(0, splitsPair(whole, kept) ? kept - 1 : kept), cut: copier.cut !== '' || kept < whole.length, suspects: hosts.length, bare: copier.bare,
    unseen: hidden === 'omit' ? copier.count : undefined, type: document.contentType,
    text: root === document.documentElement ? textDocument(most) : '',
  };
}

// textDocument returns the text of a document that consists of text only, '' of any other. Examples
// are JSON, and XML without a style sheet, for which Chromium makes a page.
function textDocument(most) {
  if (/html|^image\/|\/pdf$/.test(document.contentType)) return '';
  const xml = document.getElementById('webkit-xml-viewer-source-xml'), pre = document.querySelector('body > pre:first-child');
  if (xml === null) return pre === null ? '' : pre.textContent.slice(0, most);
  const serializer = new XMLSerializer();
  return [...xml.childNodes].map(node => serializer.serializeToString(node)).join('\n').slice(0, most);
}

// MAX_NESTED is the greatest depth at which elements are copied one by one. Deeper elements whose
// outerHTML would not be right are left out, and the copy counts as cut.
const MAX_NESTED = 1000;

// PART says how much of a large document is read to measure the speed: 1/2^PART of the limit, see
// mostInTime.
const PART = 4;

// ELEMENT_SIZE is the smallest number of UTF-16 code units that an element takes in HTML: <br>. With
// more, a copy could end before the limit, in end tags that the page does not have there.
const ELEMENT_SIZE = 4;

// endWithin returns the node at which the HTML of an element becomes longer than the parameter most
// allows, in code units. It returns null if all of the element should be looked at. Judging what of
// a page can be seen takes microseconds for each element, and so does copying it. A page of 100 MB
// would take minutes, and only its beginning is wanted.
function endWithin(root, most) {
  let left = most - root.getElementsByTagName('*').length * ELEMENT_SIZE;
  if (left > 0 && root.textContent.length < left) return null;
  left = most;
  const stack = [[root][Symbol.iterator]()];
  while (stack.length > 0) {
    const { done, value: node } = stack.at(-1).next();
    if (done) {
      stack.pop();
      continue;
    }
    if (left < 0) return node;
    left -= node.nodeType === ELEMENT ? ELEMENT_SIZE : node.length;
    if (node.nodeType === ELEMENT) stack.push(childrenOf(node)[Symbol.iterator]());
  }
  return null;
}

// childrenRead returns the children of an element in the flat tree. If reading ends in the element,
// it returns only the children up to that end (see Copier).
function childrenRead(el, ends) {
  const end = ends.get(el);
  if (end === undefined) return childrenOf(el);
  const read = [];
  for (const child of childrenOf(el)) {
    if (child === end && !ends.has(child)) break;
    read.push(child);
    if (child === end) break;
  }
  return read;
}

// elementsRead yields an element, and those of its descendants that are before the end of reading
// (see Copier).
function* elementsRead(root, ends) {
  let el = root;
  while (ends.has(el)) {
    yield el;
    const last = ends.get(el);
    for (const child of childrenRead(el, ends)) if (child.nodeType === ELEMENT && child !== last) yield* elementsIn(child);
    if (!ends.has(last)) return;
    el = last;
  }
  yield* elementsIn(el);
}

// A Copier puts together the HTML of elements whose outerHTML would not be right. It copies them
// into a document without a window, where no custom element runs and nothing is loaded. The
// document of the page is not changed.
class Copier {
  constructor(hidden, most, until) {
    this.hidden = hidden;
    this.most = most;
    this.until = until;
    this.cut = ''; // why a part of a document was left out: 'length', 'time' or 'depth'
    this.ends = new Map(); // an element -> the child at which, or in which, reading ended
    this.inert = document.implementation.createHTMLDocument('');
    this.left = new Set();   // nodes that are left out
    this.unseen = new Set(); // texts that are rendered, but that a person cannot see
    this.count = { texts: 0, chars: 0 };
    this.bare = false; // whether a frame could not be read
  }

  // lackingIn returns the elements whose outerHTML would not be right. These are elements with a
  // shadow root, the slots in there, frames that can be read, and elements in which something is left
  // out. Fields whose value is not to be shown are also among them, and the ancestors of all these.
  lackingIn(root) {
    const found = new Set();
    if (endWithin(root, this.most) !== null) {
      const most = this.mostInTime(root);
      this.cut = most < this.most ? 'time' : 'length';
      this.endAt(endWithin(root, most), root, found);
    }
    for (const el of elementsRead(root, this.ends)) {
      if (shadowOf(el) !== null || el.localName === 'slot' || tellsSecret(el) || this.documentIn(el) !== null) addAround(el, root, found);
      else if (mayHideShadow(el, el.localName)) hosts.push(new WeakRef(el));
    }
    if (this.hidden === 'omit' || this.hidden === 'mark') this.hide(root, found);
    return found;
  }

  // mostInTime returns how many code units of a root that is too large can be read in time. It
  // measures how long a small part takes to read. Copying and sending take about twice as long as
  // reading. The page is laid out before the measurement, since that takes its time only once.
  mostInTime(root) {
    if (this.until === Infinity) return this.most;
    root.getBoundingClientRect();
    const part = this.most >> PART, start = performance.now(), suspects = hosts;
    if (start > this.until) return part;
    hosts = [];
    new Copier(this.hidden, part, Infinity).lackingIn(root);
    hosts = suspects;
    const took = performance.now() - start, left = this.until - start;
    return Math.min(this.most, Math.max(part, part * left / took / 3));
  }

  // endAt records the node at which reading a root ends. The ancestors of that node are copied node
  // by node.
  endAt(end, root, found) {
    addAround(parentOf(end), root, found);
    for (let node = end; node !== root; node = parentOf(node)) this.ends.set(parentOf(node), node);
  }

  // documentIn returns the document that an element shows, else null. The element must be a frame
  // of this origin that can be seen.
  documentIn(el) {
    if (el.localName !== 'iframe' && el.localName !== 'frame' || !isRendered(el)) return null;
    const doc = el.contentDocument;
    if (!doc?.documentElement) return null;
    const ready = typeof el.contentWindow.chela?.hiddenIn === 'function'; // in a frame without the page script, chela may be an element with this id
    this.bare ||= !ready;
    return ready ? doc : null;
  }

  // hide finds what cannot be seen below root, and adds the elements that contain it to lacking.
  hide(root, lacking) {
    const each = root.ownerDocument.defaultView.chela; // the page script in that frame, which knows the frame's viewport
    const { left, unseen } = each.hiddenIn(root, this.ends);
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
    if (depth > MAX_NESTED) {
      this.cut ||= 'depth';
      return this.inert.createTextNode('');
    }
    const inner = this.documentIn(node);
    if (inner !== null) return this.copyOfFrame(inner, depth);
    const copy = this.copyWithout(node);
    this.copyChildren(node, copy, lacking, depth);
    return copy;
  }

  // copyWithout returns a copy of an element without its content. For a slot it returns a fragment,
  // as only the content of a slot is copied. A frameset becomes a div, since the parser of HTML
  // allows no text in a frameset. A value that is not to be shown becomes a mask.
  copyWithout(el) {
    if (el.localName === 'slot') return this.inert.createDocumentFragment();
    const copy = el.localName === 'frameset' ? this.inert.createElement('div') : this.inert.importNode(el, false);
    if (tellsSecret(el)) copy.setAttribute('value', MASK);
    return copy;
  }

  // copyChildren adds copies of an element's children to a copy of it: those that are read and not
  // left out.
  copyChildren(el, copy, lacking, depth) {
    for (const child of childrenRead(el, this.ends)) if (!this.left.has(child)) copy.append(this.copyOf(child, lacking, depth + 1));
  }

  // copyOfFrame returns the body of a frame's document as a div.
  copyOfFrame(doc, depth) {
    const copy = this.inert.createElement('div'), root = doc.body ?? doc.documentElement, lacking = this.lackingIn(root);
    this.copyChildren(root, copy, lacking, depth);
    makeAbsolute(copy, doc);
    return copy;
  }

  // documentOf returns a document whose body has nothing but the given element. Its head has what
  // the page says about itself: title, meta elements and JSON-LD.
  documentOf(el, lacking) {
    const { head, body, documentElement } = this.inert;
    head.replaceChildren();
    for (const about of document.querySelectorAll('head > title,meta,script[type="application/ld+json"]')) {
      head.append(this.inert.importNode(about, true));
    }
    documentElement.lang = closest(el, up => up.hasAttribute('lang'))?.getAttribute('lang') ?? '';
    body.append(wrapRows(this.copyOf(el, lacking, 0)));
    makeAbsolute(body, document);
    return documentElement;
  }
}

// tellsSecret reports whether an attribute of a field has a value that is not to be shown:
// frameworks write there what is typed.
function tellsSecret(el) { return el.localName === 'input' && Boolean(el.getAttribute('value')) && isMasked(el); }

const ROWS = words('tr tbody thead tfoot');

// wrapRows returns a copy of rows of a table in a new table, and any other copy as it is.
// Outside of a table, the parser of HTML ignores the tags of rows and cells.
function wrapRows(copy) {
  if (!ROWS.has(copy.localName)) return copy;
  const table = copy.ownerDocument.createElement('table');
  table.append(copy);
  return table;
}

// makeAbsolute makes the addresses in a copy absolute. Where the copy stands, they would be
// relative to another address than in its document.
function makeAbsolute(copy, doc) {
  for (const name of ['href', 'src']) {
    for (const el of copy.querySelectorAll(`[${name}]`)) {
      const address = URL.parse(el.getAttribute(name), doc.baseURI);
      if (address !== null) el.setAttribute(name, address.href);
    }
  }
}

// hiddenIn returns what a person cannot see below an element. The list left has nodes that are not
// rendered, or are in a frame that cannot be seen. The list unseen has texts that are rendered, but
// cannot be seen. For the parameter ends see Copier. The caller may have called judgeUnseen, to look
// at several elements.
function hiddenIn(root, ends) {
  const single = !judges;
  if (single) judgeUnseen();
  const left = [], unseen = unseenBelow(root, ends).filter(text => !isFormula(text));
  for (const el of elementsRead(root, ends)) {
    if (el.localName === 'iframe' && (isTinyFrame(el) || unseenFrame(placeOf(el)) !== '')) left.push(el);
    const seen = el.checkVisibility({ visibilityProperty: true }) || SILENT.has(el.localName) && !isSpelledBracket(el) || isRendered(el) || isFormula(el);
    if (!seen && el !== root && !el.checkVisibility() && getComputedStyle(el).display !== 'contents') left.push(el);
    else if (!seen || (veils || MAY_SKIP.has(el.localName)) && skipsContent(el)) {
      for (const child of childrenOf(el)) if (child.nodeType === TEXT || !seen && child.localName === 'img') left.push(child);
    }
  }
  if (single) {
    forget();
    forgetUnseen();
  }
  return { left, unseen };
}

// isSpelledBracket reports whether an rp element has more than the bracket that it is for. Browsers
// do not show it; the bracket stays, since Markdown has no ruby text.
function isSpelledBracket(el) { return el.localName === 'rp' && /[\p{L}\p{N}]/u.test(el.textContent); }

// isFormula reports whether a node belongs to a formula that can be seen. Libraries such as KaTeX
// draw a formula by other elements, and clip away its MathML, which has the formula's source. In
// other MathML only the source is not rendered: a text there that cannot be seen is not its part.
function isFormula(node) {
  const math = closest(parentOf(node), el => el.localName === 'math');
  if (math === null) return false;
  const drawn = closest(math, el => el.matches('.katex,mjx-container,.MathJax,.mwe-math-element')) ?? (node.nodeType === TEXT ? null : math);
  return drawn !== null && shown(drawn) && unseenWhole(placeOf(drawn)) === '';
}

Object.assign(chela, { flatten, flattenElement, hiddenIn });
