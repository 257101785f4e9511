// Fields: what a schema asks for, read in one call. See package schema.

// fields reads the values of o.nodes. A node is {id, name, ref, selector, attr, type, list, limit,
// fields}. It stands for a field of the schema, or for the whole schema. Its fields are the nodes
// inside it. The selector applies inside the element of the node around it. The value is read from
// the first match, the values of a list from all matches. Without a selector, the value is read
// from the element of the node around it. Only the nodes of o.nodes can have a ref instead.
//
// The answer has one value for each of o.nodes:
//	null                 there is no element, or it lacks the attribute
//	text                 the text
//	{text, lang}         a number and its language, where that may decide what it means
//	{text, room, of}     a text that must be cut to its first room characters, or that was cut; of is
//	                     its whole length, 0 if not known
//	{text, wrong: true}  a text that should be an address, and is none
//	[values]             the values of an object
//	{of, all}            how many elements match a list, and the values that were read
//	false                the value was not read
//
// There are three limits: o.maxChars for names and texts together, o.maxValues for the elements
// that are read, and o.maxMs for the time. Beyond them a text is cut, and a list ends before the
// element that did not fit, unless that is its first. Other values are false. The answer also has:
//	late    the time was over
//	left    for how many characters there was still room
//	bare    a frame has no page script, so it was not read
//	suspects  how many elements may have a closed shadow root that was not read
//	unseen  with hidden: 'omit', how much text was left out
//
// Other answers are:
//	{wrong: [id, reason]}  the selector of a node is invalid
//	{gone: i}              the element of the ref of nodes[i] is gone
//	{suspects}             this number of elements may have a closed shadow root
// Go looks into the suspects and calls again. The last time, o.last is set: then there is no such answer.
function fields(o) {
  const wrong = wrongSelector(o.nodes), gone = o.nodes.findIndex(({ ref }) => ref > 0 && element(ref) === null);
  if (wrong !== null) return { wrong };
  if (gone >= 0) return { gone };
  const trees = roots();
  if (hosts.length > 0 && !o.last) return { suspects: hosts.length };
  try {
    const reader = new FieldReader(o, trees), values = o.nodes.map(node => reader.read(node, document));
    return { values, left: reader.room, late: reader.late, bare: reader.bare, suspects: hosts.length, unseen: o.hidden === 'omit' ? textsLeftOut : undefined };
  } finally {
    forget();
    forgetUnseen();
  }
}

// wrongSelector returns the first invalid selector among nodes and their fields, as [id of the
// node, reason]. It returns null if all are valid.
function wrongSelector(nodes) {
  const fragment = new DocumentFragment();
  for (const { id, selector, fields: inner } of nodes) {
    try {
      if (selector !== '') fragment.querySelector(selector);
    } catch (e) { return [id, e.message]; }
    const wrong = wrongSelector(inner);
    if (wrong !== null) return wrong;
  }
  return null;
}

// Attributes whose values are addresses; they are returned as absolute addresses. LINKS are those
// that say where an element leads, in order of preference.
const ADDRESSES = words('href src action formaction cite poster data background longdesc xlink:href');
const LINKS = ['href', 'src', 'data', 'action', 'cite', 'poster', 'xlink:href'];

// Attributes that say whether something is checked.
const STATES = ['aria-checked', 'aria-pressed', 'aria-selected'];

// A number with a separator whose meaning may depend on the language of the page.
const UNCLEAR_NUMBER = /\p{Nd}[.,]\p{Nd}{3}/u;

// A FieldReader reads the fields of one call. Its trees are the document and the shadow roots in
// it.
class FieldReader {
  constructor(o, trees) {
    this.o = o;
    this.by = performance.now() + o.maxMs;
    this.trees = trees;
    this.chars = o.maxChars;
    this.beyond = o.beyond;
    this.values = o.maxValues;
    this.full = false; // whether a limit is reached, so that nothing more is read
    this.late = false;
    this.scope = null;
    this.scopeTrees = [];
    this.bare = undefined; // whether a frame in an element that was read as HTML could not be read
    const root = trees[0].firstElementChild;
    this.root = root;
    this.mixed = new Set(); // elements whose innerText cannot be used, see holdHosts
    this.judged = new Set(); // elements that were already searched for hidden text
    if (o.hidden !== '') judgeUnseen();
    for (const shadow of trees.slice(1)) {
      addAround(shadow.host, root, this.mixed);
      for (const slot of shadow.querySelectorAll('slot')) addAround(slot, root, this.mixed);
    }
  }

  // read returns the value of a node. The selector of the node applies inside the scope, which is
  // an element or the document.
  read(node, scope) {
    if (node.list) return this.list(node, scope);
    const el = this.first(node, scope);
    return el === null ? null : this.one(node, el);
  }

  // first returns the element for a node of the schema, or null if there is none that counts. A node
  // names the element by a ref or a selector. For a selector, it is the first match that counts.
  first(node, scope) {
    if (node.ref > 0) {
      const el = element(node.ref);
      return this.counts(el) ? el : null;
    }
    if (node.selector === '') return scope === document ? this.trees[0].firstElementChild : scope;
    for (const tree of this.treesIn(scope)) {
      const el = tree.querySelector(node.selector);
      if (el !== null && this.counts(el)) return el;
      if (el !== null) for (const next of tree.querySelectorAll(node.selector)) if (this.counts(next)) return next;
    }
    return null;
  }

  // list returns the values of all elements that match.
  list(node, scope) {
    const found = this.matching(node, scope), all = [], limit = node.limit || Infinity;
    let passed = 0;
    for (const el of found) {
      if (all.length === limit || this.isFull()) break;
      if (!this.counts(el)) {
        passed++;
        continue;
      }
      const value = this.one(node, el);
      if (this.full && all.length > 0) break;
      all.push(value);
    }
    return { of: found.length - passed, all };
  }

  // matching returns the elements that a list matches, first in the document and then in shadow
  // roots.
  matching(node, scope) {
    const trees = this.treesIn(scope);
    if (trees.length === 1) return scope.querySelectorAll(node.selector);
    return trees.flatMap(tree => [...tree.querySelectorAll(node.selector)]);
  }

  // treesIn returns the roots in which elements are searched: the scope itself, and the shadow
  // roots in it.
  treesIn(scope) {
    if (scope === document) return this.trees;
    if (this.scope === scope) return this.scopeTrees;
    const trees = [scope];
    if (this.mixed.has(scope)) {
      if (shadowOf(scope) !== null) trees.push(shadowOf(scope));
      for (let i = 0; i < trees.length; i++) {
        for (const el of trees[i].querySelectorAll('*')) if (shadowOf(el) !== null) trees.push(shadowOf(el));
      }
    }
    [this.scope, this.scopeTrees] = [scope, trees];
    return trees;
  }

  // counts reports whether the reader may read an element. With o.hidden the reader wants what a
  // person sees, so an element that is not rendered does not count. An example is the second form
  // of a price, for small screens. Elements that are never rendered count in any case.
  counts(el) { return this.o.hidden === '' || SILENT.has(el.localName) || isDrawn(el); }

  // one returns the value of a node, read from one element.
  one(node, el) {
    if (--this.values <= 0) this.full = true;
    this.chars -= node.name.length + 4; // JSON puts four characters around a name
    if (node.fields.length > 0) return node.fields.map(each => this.read(each, el));
    return this.isFull() ? false : this.scalar(node, el);
  }

  isFull() {
    if (!this.full && performance.now() >= this.by) this.full = this.late = true;
    return this.full;
  }

  // scalar returns the text of an element, or the value of its attribute that the node names; null
  // if it lacks the attribute.
  scalar(node, el) {
    let value = node.attr === '' ? this.valueOf(node, el) : this.attribute(node, el);
    if (node.type === 'number' && value !== null && UNCLEAR_NUMBER.test(value)) {
      const lang = closest(el, e => e.hasAttribute('lang'))?.getAttribute('lang');
      if (lang) value = { text: value, lang };
    }
    return value === null ? null : this.within(value);
  }

  // within returns a value. If it has more characters than are left (room), it is cut o.beyond
  // characters later. Go then cuts it at the right place, and masks the secrets in it. The value of
  // an element that was not copied to its end says why in cut, see Copier.
  within(value) {
    const text = value.text ?? value, { room } = this, kept = room + this.beyond, isLong = text.length > room || value.cut === 'length';
    this.chars = isLong ? 0 : this.chars - text.length;
    this.late ||= value.cut === 'time';
    this.full ||= isLong || this.late;
    if (text.length <= room && !value.cut) return value;
    return { text: text.slice(0, splitsPair(text, kept) ? kept - 1 : kept), room, of: value.cut ? 0 : text.length };
  }

  get room() { return Math.max(this.chars, 0); }

  // attribute returns the value of an attribute. If the type is boolean, an attribute without a
  // value counts as 'true'.
  attribute({ attr, type }, el) {
    const says = el.getAttribute(attr);
    if (says === null) return null;
    if (attr.toLowerCase() === 'value' && isMasked(el)) return says && MASK; // frameworks write there what is typed
    if (type === 'url') return addressOrWrong(says, el.baseURI);
    if (type === 'boolean' && (says === '' || says === attr)) return 'true';
    return ADDRESSES.has(attr) ? URL.parse(says, el.baseURI)?.href ?? says : says;
  }

  // valueOf returns what an element shows, in the form that the type of the field needs.
  valueOf({ type }, el) {
    switch (type) {
      case 'exists': return '';
      case 'url': return this.link(el);
      case 'html': return this.html(el, copy => copy);
      case 'markdown': return this.html(el, wrapRows);
      case 'date': return el.getAttribute('datetime') ?? this.text(el);
      case 'boolean': return yesOrNo(el) ?? this.text(el);
    }
    return this.text(el);
  }

  // link returns the address to which an element leads, or which it shows.
  link(el) {
    const name = LINKS.find(each => el.hasAttribute(each));
    return name === undefined ? addressOrWrong(this.text(el)) : addressOrWrong(el.getAttribute(name), el.baseURI);
  }

  // text returns what an element shows as text: for a control its value, for a picture its
  // alternative text.
  text(el) {
    const tag = el.localName;
    switch (tag) {
      case 'meta': return el.getAttribute('content') ?? '';
      case 'img': case 'area': return el.getAttribute('alt') ?? '';
      case 'input': case 'textarea': case 'select': case 'progress': case 'meter': return valueOf(el, '');
    }
    if (!isDrawn(el)) return el.textContent;
    if (this.o.hidden !== '') this.judge(el);
    return renderedText(el, this.o.hidden === 'mark', this.mixed);
  }

  // judge finds out which text in an element a person cannot see. Only the elements that are read
  // are judged: judging all of a large page would take longer than reading it.
  judge(el) {
    if (this.judged.has(el)) return;
    this.judged.add(el);
    for (const text of unseenBelow(el)) addAround(parentOf(text), this.root, this.mixed);
    for (const option of el.querySelectorAll('option,optgroup')) if (showsNoText(option)) addAround(option, this.root, this.mixed);
  }

  // html returns an element as HTML with absolute addresses. The contents of shadow roots and
  // frames stand in their place. The function wrapped puts something around the copy. Of a large
  // element only the beginning is looked at, see htmlOf.
  html(el, wrapped) {
    const copier = new Copier(this.o.hidden, this.room + this.beyond, this.by), box = copier.inert.createElement('div');
    box.append(wrapped(copier.copyOf(el, copier.lackingIn(el), 0)));
    if (this.o.hidden === 'omit') {
      removeUnshown(box);
      for (const text of copier.unseen) leaveOut(text);
    }
    this.bare ||= copier.bare;
    makeAbsolute(box, document);
    return copier.cut === '' ? box.innerHTML : { text: box.innerHTML, cut: copier.cut };
  }
}

// removeUnshown removes elements from a copy that are never shown, whatever their style.
function removeUnshown(copy) {
  const comments = document.createTreeWalker(copy, NodeFilter.SHOW_COMMENT), found = [...copy.querySelectorAll('script,style,noscript,template')];
  while (comments.nextNode() !== null) found.push(comments.currentNode);
  for (const node of found) node.remove();
}

// isDrawn reports whether an element is rendered. An option in a closed list counts as rendered if
// its select is.
function isDrawn(el) {
  return isOption(el) ? shown(el) : isRendered(el);
}

// yesOrNo returns 'true' or 'false' for what can be checked, else null.
function yesOrNo(el) {
  if (el.localName === 'input' && (el.type === 'checkbox' || el.type === 'radio')) return String(el.checked);
  const says = STATES.map(name => el.getAttribute(name));
  return says.find(state => state === 'true' || state === 'false') ?? null;
}

// addressOrWrong returns an address as an absolute one. For an invalid address it returns the text
// and wrong: true.
function addressOrWrong(says, base) {
  return URL.parse(says.trim(), base)?.href ?? { text: says, wrong: true };
}

Object.assign(chela, { fields });
