// Names and descriptions, by accname 1.2 and HTML-AAM.

const NAMED_BY_CONTENT = words('button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio'
  + ' option radio row rowheader switch tab tooltip treeitem'
  + ' doc-backlink doc-biblioref doc-glossref doc-noteref');

// Roles whose authors must not name them.
const NAMELESS = words('caption code definition deletion emphasis insertion mark none paragraph strong subscript suggestion'
  + ' superscript term time');

// Elements whose text is never shown. It is no name even if aria-labelledby points to them.
const WORDLESS = words('script style noscript template head meta link base source track param');

const DEEPEST = 1000; // levels of elements in a name; deeper content is replaced by …

let names = new Map(); // element -> its name, during a look

// nameOf returns the accessible name of el.
function nameOf(el) {
  let name = names.get(el);
  if (name === undefined) {
    const role = roleOf(el);
    name = NAMELESS.has(role) ? '' : squash(computeName(el, role));
    names.set(el, name);
  }
  return name;
}

function computeName(el, role) {
  const t = new Traversal(el, role);
  return t.labelled(el) || ariaLabel(el) || t.native(el)
    || (NAMED_BY_CONTENT.has(role) ? t.content(el, 0).trim() : '') || hostName(el, role)
    || (role === '' ? '' : tooltip(el)) || placeholderName(el);
}

// hostName returns a name for a field in the shadow root of a custom element: the name of the
// custom element. A label outside of the shadow root cannot point to the field inside. If the
// custom element has a role, it counts as the field itself and keeps its name: the result is then
// ''.
function hostName(el, role) {
  const { host } = el.getRootNode();
  if (host === undefined || !FIELDS.has(role) || roleOf(host) !== '') return '';
  const t = new Traversal(host, '');
  return t.labelled(host) || ariaLabel(host) || t.labels(host);
}

const FIELDS = words('checkbox combobox listbox radio searchbox slider spinbutton switch textbox');

// descriptionOf returns the accessible description of el, '' if that is the same as its name.
function descriptionOf(el) {
  if (!el.hasAttributes() && !hasSemantics(el)) return '';
  const name = nameOf(el);
  for (const text of [describedBy(el), attributeOf(el, 'aria-description'), nativeDescription(el), tooltip(el)]) {
    const description = squash(text ?? '');
    if (description && description !== name) return description;
  }
  return '';
}

// nativeDescription returns what HTML or SVG provides as the description of el. It is a text that
// would be the name of el if it had no other name.
function nativeDescription(el) {
  switch (el.localName) {
    case 'table': return namedByAuthor(el) ? new Traversal(null, '').childText(el, 'caption') : el.getAttribute('summary');
    case 'input': return BUTTON_TYPES.has(el.type) ? el.value : '';
    case 'svg': return childOf(el, 'desc')?.textContent ?? svgTitle(el);
    default: return '';
  }
}

const BUTTON_TYPES = words('button submit reset');

// describedBy returns the text of the elements that describe el. That is also what is wrong with an
// invalid field.
function describedBy(el) {
  const isWrong = el.hasAttribute('aria-errormessage') && oneOf(el, 'aria-invalid', INVALID) !== '';
  if (!isWrong && !el.hasAttribute('aria-describedby')) return '';
  const t = new Traversal(null, ''), all = new Set(referenced(el, 'aria-describedby', 'ariaDescribedByElements'));
  if (isWrong) for (const e of referenced(el, 'aria-errormessage', 'ariaErrorMessageElements')) if (e.checkVisibility()) all.add(e);
  return [...all].map(e => t.refer(e)).join(' ');
}

function ariaLabel(el) { return attributeOf(el, 'aria-label')?.trim() ?? ''; }

function tooltip(el) { return el.getAttribute('title')?.trim() ?? ''; }

// titles reports whether an element without a role has a name that is not its text.
function titles(el) {
  const title = squash(ariaLabel(el) || tooltip(el));
  return title !== '' && el.localName !== 'label' && title !== squash(el.textContent);
}

// rowLabelOf returns the words in the cell before that of a field, '' if they do not name the field. In
// a form they do: the cell is a header, or its words end with a colon. They also do if the row has no
// other cells, and the cell of the field no words. In a layout, such a cell holds a part of the page.
function rowLabelOf(el) {
  const cell = el.closest('td'), before = cell?.previousElementSibling ?? null;
  if (before === null || before.querySelector(CONTROLS) !== null) return '';
  const label = nameOf(before);
  const names = before.localName === 'th' || label.endsWith(':') || cell.parentElement.childElementCount === 2 && holdsFieldsOnly(cell);
  return names && label.length <= LONGEST_HEADER && /\p{L}/u.test(label) && before.checkVisibility() ? label : '';
}

// holdsFieldsOnly reports whether a cell holds few elements, and no words outside of its fields.
function holdsFieldsOnly(cell) {
  if (cell.getElementsByTagName('*').length > LARGEST_FIELD) return false;
  const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { data, parentElement } = texts.currentNode;
    if (/\p{L}/u.test(data) && parentElement.closest('select,textarea') === null) return false;
  }
  return true;
}

const LARGEST_FIELD = 300; // elements: a list of all countries has fewer

// testIdOf returns the name that the page's own tests have for an element, '' if there is none. An
// element that is alone in another one has that one's name, as the content of a cell does.
function testIdOf(el) {
  for (let e = el; e !== null; e = e.parentElement) {
    const own = ownTestIdOf(e);
    if (own !== null) return bounded(squash(own), 80);
    if (e.parentNode?.childNodes.length !== 1) break;
  }
  return '';
}

// ownTestIdOf returns the same for an element alone, null if it has none.
function ownTestIdOf(el) {
  const name = TEST_IDS.find(each => el.hasAttribute(each));
  return name === undefined ? null : el.getAttribute(name);
}

const TEST_IDS = ['data-testid', 'data-test-id', 'data-test', 'data-cy', 'data-qa'];

function placeholderName(el) {
  const native = el.localName === 'textarea' || el.localName === 'input' && HAS_PLACEHOLDER.has(el.type) ? el.placeholder : '';
  return native || (el.getAttribute('aria-placeholder') ?? '');
}

const HAS_PLACEHOLDER = words('text search url tel email password number');

// labelledBy returns the elements that aria-labelledby names. Browsers also accept the spelling
// aria-labeledby.
function labelledBy(el) {
  if (el.hasAttribute('aria-labelledby')) return referenced(el, 'aria-labelledby', 'ariaLabelledByElements');
  return el.hasAttribute('aria-labeledby') ? referenced(el, 'aria-labeledby') : NONE;
}

// referenced returns the elements that an attribute of ids, or the property that reflects it,
// points to.
function referenced(el, attribute, property) {
  const direct = el[property];
  if (direct) return direct;
  const root = el.getRootNode();
  const ids = (el.getAttribute(attribute) ?? '').split(/\s+/);
  return ids.map(id => id && root.getElementById?.(id)).filter(Boolean);
}

// A Traversal computes the name or description of one element, and enters each element once: names
// may refer to each other in a circle.
class Traversal {
  constructor(start, role) {
    this.start = start;
    this.ofItem = role === 'treeitem';
    this.entered = null;    // elements entered so far; null: only the first
    this.hiddenToo = false; // whether the text is inside a referenced element that is itself hidden
    this.referring = false; // whether an aria-labelledby or aria-describedby refers to the text
    this.labelOf = null;    // the control whose label is read
    this.seen = unseenTexts !== null && role !== '' && !INTERACTIVE.has(role); // whether the name consists only of text that can be seen
  }

  // labelled returns the text of the elements that aria-labelledby names.
  labelled(el) {
    if (!el.hasAttributes()) return '';
    return labelledBy(el).map(e => this.refer(e)).join(' ').trim();
  }

  // refer returns the text of an element that an attribute refers to.
  refer(el) {
    const before = this.referring;
    this.referring = true;
    this.begin();
    this.entered.delete(el); // an element may label itself
    const text = this.whole(el);
    this.referring = before;
    return text;
  }

  // whole returns the text of an element that is a name by itself: a label, a legend, the target of
  // an id. If it is hidden, its content still counts.
  whole(el) {
    const before = this.hiddenToo;
    this.hiddenToo = concealed(el);
    const text = this.text(el, 1);
    this.hiddenToo = before;
    return squash(text);
  }

  begin() {
    this.entered ??= new Set([this.start]);
  }

  // text returns what a node contributes to the name that is computed.
  text(node, depth) {
    if (node.nodeType === TEXT) return node.data;
    this.begin();
    if (node.nodeType !== ELEMENT || this.entered.has(node) || WORDLESS.has(node.localName)) return '';
    if (!this.hiddenToo && !exposed(node)) return '';
    if (depth > DEEPEST) return /\S/.test(node.textContent) ? '…' : '';
    this.entered.add(node);
    if (node.localName === 'slot') return this.content(node, depth);
    const role = roleOf(node);
    if (!this.referring) {
      const labelled = this.labelled(node);
      if (labelled) return labelled;
    }
    if (node !== this.start) {
      const value = embeddedValue(node, role);
      if (value !== null) return value;
    }
    if (this.labelOf !== null && isWidget(node, role) && !node.contains(this.labelOf)) return '';
    const given = ariaLabel(node) || this.native(node);
    if (given) return given;
    const content = this.content(node, depth);
    return content.trim() ? content : tooltip(node) || content; // white space separates words
  }

  // native returns the text that HTML and SVG provide for el, '' if none.
  native(el) {
    switch (el.localName) {
      case 'input': return this.inputText(el);
      case 'button': case 'meter': case 'output': case 'progress': case 'select': case 'textarea': return this.labels(el);
      case 'img': case 'area': return squash(el.getAttribute('alt') ?? '');
      case 'fieldset': return this.childText(el, 'legend');
      case 'figure': return this.childText(el, 'figcaption');
      case 'table': return this.childText(el, 'caption') || (el.getAttribute('summary') ?? '');
      case 'optgroup': return labelOfGroup(el);
      case 'option': return el.hasAttribute('label') ? el.label : '';
      default: return el.namespaceURI === SVG ? svgTitle(el) : '';
    }
  }

  inputText(el) {
    const label = this.labels(el);
    if (label) return label;
    switch (el.type) {
      case 'submit': return el.value || (el.hasAttribute('value') ? '' : 'Submit');
      case 'reset': return el.value || (el.hasAttribute('value') ? '' : 'Reset');
      case 'button': return el.value;
      case 'file': return el.multiple ? 'Choose Files' : 'Choose File';
      case 'image': return squash(el.alt) || el.value || tooltip(el) || 'Submit';
      default: return '';
    }
  }

  labels(el) {
    if (el !== this.start) return ''; // the label of a control is not part of another name that contains the control
    this.labelOf = el;
    const text = labelsOf(el).map(l => this.whole(l)).filter(Boolean).join(' ');
    this.labelOf = null;
    return text;
  }

  childText(el, name) {
    const child = childOf(el, name);
    return child ? this.whole(child) : '';
  }

  // content joins the texts of el's children. Block elements are separated by spaces, inline
  // elements are not.
  content(el, depth) {
    const only = el.firstChild;
    if (only !== null && only.nodeType === TEXT && only.nextSibling === null && isPlain(el)) return this.leavesOut(only) ? '' : only.data;
    const asked = mayBeDecorated(el, el.localName) && !this.leavesOut(el);
    let text = asked ? pseudoText(el, '::before') : '';
    if (!REPLACED.has(el.localName) || el.localName === 'canvas') {
      for (const c of childrenOf(el)) text += this.part(c, depth);
      for (const c of ownedBy(el)) text += ' ' + this.text(c, depth + 1) + ' ';
    }
    return asked ? text + pseudoText(el, '::after') : text;
  }

  // leavesOut reports whether a text, or what ::before and ::after add to an element, is left out
  // of the name. Text that a person cannot see is left out, unless an attribute points to it or the
  // name is a control's.
  leavesOut(node) { return this.seen && !this.referring && unseenTexts.has(node); }

  part(node, depth) {
    if (node.nodeType === TEXT) return (this.hiddenToo || visibleText(node)) && !this.leavesOut(node) ? node.data : '';
    if (node.nodeType !== ELEMENT || isOwned(node)) return '';
    if (node.localName === 'br') return ' ';
    if (this.ofItem && BELOW_ITEM.has(roleOf(node))) return ''; // the name leaves out the items below the item
    const text = this.text(node, depth + 1);
    if (!standsApart(node)) return text;
    return (joins(node, node.previousSibling) ? '' : ' ') + text + (joins(node, node.nextSibling) ? '' : ' ');
  }
}

// isPlain reports whether the child nodes of el are all that can be read there. The caller knows
// that el itself is visible.
function isPlain(el) {
  if (decorated === null || decorated.has(el) || owners.size > 0) return false;
  return shadowOf(el) === null && !HOLDS_OTHER.has(el.localName) && !REPLACED.has(el.localName);
}

const HOLDS_OTHER = words('q slot'); // these show more than their child nodes: quotation marks, assigned nodes

// standsApart reports whether el is separated by spaces from the text beside it. This holds for
// pictures that may have words, controls and boxes that are not inline.
function standsApart(el) {
  const isEmpty = el.localName === 'img' && el.getAttribute('alt') === '';
  if (!isEmpty && (REPLACED.has(el.localName) || el.localName === 'svg')) return true;
  const { display } = getComputedStyle(el);
  return display !== 'inline' && !display.startsWith('ruby') && display !== 'none';
}

// visibleText reports whether the CSS property visibility lets a text be seen.
function visibleText(node) {
  const parent = node.parentElement;
  return parent === null || getComputedStyle(parent).visibility === 'visible';
}

// concealed reports whether el is hidden, by itself or by what it is in.
function concealed(el) {
  return !el.checkVisibility({ visibilityProperty: true }) || isAriaHidden(el);
}

let ariaHidden = new Map(); // element -> whether it, or one around it, has aria-hidden, during a look

// isAriaHidden reports whether el, or an element around it, has aria-hidden.
function isAriaHidden(el) {
  const asked = [];
  let up = el, hidden = false;
  for (; up !== null; up = parentOf(up)) {
    const known = ariaHidden.get(up);
    hidden = known ?? up.getAttribute('aria-hidden') === 'true';
    if (hidden || known !== undefined) break;
    asked.push(up);
  }
  for (const each of asked) ariaHidden.set(each, hidden);
  return hidden;
}

// exposed reports whether el is rendered, and aria-hidden does not remove it from the accessibility
// tree.
function exposed(el) {
  if (el.getAttribute('aria-hidden') === 'true') return false;
  const style = getComputedStyle(el);
  if (style.display === 'none') return el.localName === 'area';
  return style.visibility === 'visible' || el.firstElementChild !== null;
}

function svgTitle(el) {
  return squash(childOf(el, 'title')?.textContent ?? el.getAttributeNS(XLINK, 'title') ?? '');
}
