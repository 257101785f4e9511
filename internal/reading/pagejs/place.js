// A Place describes an element that the walk is in: the current element or one of its ancestors.
// One Place for each level is moved from element to element. If each element had a new one, the
// walk of a large page would spend a part of its time on collecting garbage.
class Place {
  // move puts the place on el and returns it.
  move(el, tag, parent, style, display) {
    this.el = el;
    this.tag = tag;
    this.bare = bare(el);
    const role = this.bare ? nativeRole(el, tag) : roleOf(el);
    this.role = role === 'none' ? '' : role;
    this.parent = parent;
    this.block = !inlineDisplay(display);
    this.isApart = !this.block && display !== 'inline' && display.startsWith('inline-'); // the box is an inline-block or the like, which separates its text from the word before it
    this.visible = style.visibility === 'visible';
    this.style = style;
    this.display = display;
    this.sight = null;       // the Sight of the element, which tells whether its text is seen: see unseen.js
    this.inset = -1;         // see flow.js for this field and those on the next two lines
    this.leads = this.width = this.room = this.seen = this.holds = undefined;
    this.whole = this.begins = undefined;
    this.large = this.color = this.below = this.scale = undefined; // see unseen.js, color.js, hiding.js and outline.js
    const isControl = INTERACTIVE.has(role);
    this.inControl = parent !== null && parent.inControl || isControl; // whether the element's text is part of a control's name or value
    this.isMute = parent !== null && parent.isMute || isControl && !TELLING.has(role); // whether the element's text only says what a control does
    this.isEdited = parent !== null && parent.isEdited || !this.bare && el.hasAttribute('contenteditable'); // whether the element's text is being edited
    this.hand = this.outermost = this.repeated = undefined;
    this.depth = parent === null ? 0 : parent.inner;
    this.inner = this.depth; // depth of the lines inside
    this.at = 0;             // index of the element's own line in lines, or of the first line inside
    this.line = null;
    this.leaf = false;       // whether the element holds nothing but text
    this.text = '';          // the text in the element, if there are no lines inside
    this.hints = '';
    this.delegation = null;  // the listener of an ancestor for clicks on this element, see delegate.js
    this.isTarget = false;   // whether the element has a hint only because of that listener
    this.subject = el;       // the element that the line is about: for a label, perhaps the hidden box
    this.preformatted = undefined; // whether the element's white space is preserved; undefined: not checked yet
    this.blocked = false;    // whether a modal dialog takes the input from the element, see blockedByModal
    this.off = this.bare ? disabledAround(el, parent) : disabledAt(el, parent);
    this.takesClicks = false; // whether the element, or one around it, has hints and the pointer is a hand there
    this.island = parent !== null && (parent.island || !this.bare && isIsland(el, parent.el)); // the element is inside the text of an editor, but cannot be edited
    this.mayBeOff = parent !== null && parent.mayBeOff || moved === null || moved.size > 0 && moved.has(el); // off the page, see reach.js
    this.isLabel = tag === 'label' && el.control !== null;
    this.isLegend = tag === 'legend' || tag === 'figcaption';
    this.summary = tag === 'details' && !el.open ? summaryOf(el) : undefined; // all that a closed details shows
    this.list = ownedBy(el); // nodes moved here by aria-owns, which come after its children
    this.taken = 0;          // how many nodes of list nextChild has returned
    this.late = null;        // the children that are read after their siblings, see postpones
    this.next = REPLACED.has(tag) ? null : this.firstChild(el, tag);
    return this;
  }

  // pointer reports whether the mouse pointer is a hand here. It is computed when first needed.
  get pointer() {
    return this.hand ??= this.style.cursor === 'pointer';
  }

  // top and isRepeated are what topOf and isRepeated in repeated.js return. They are computed when first needed.
  get top() {
    return this.outermost ??= topOf(this.el);
  }

  get isRepeated() {
    return this.repeated ??= isRepeated(this.top);
  }

  firstChild(el, tag) {
    if (tag === 'object' && !showsFallback(el)) return null;
    const shadow = shadowOf(el);
    if (shadow !== null) {
      decorate(shadow);
      return shadow.firstChild;
    }
    if (tag === 'slot') {
      const assigned = el.assignedNodes();
      if (assigned.length) {
        this.list = assigned;
        return null;
      }
    }
    if (el.firstElementChild === null && this.list.length === 0) {
      this.leaf = true;
      return null;
    }
    return el.firstChild;
  }

  // nextChild returns the children in the order in which they are rendered, then null.
  nextChild() {
    const node = this.next;
    if (node !== null) {
      this.next = node.nextSibling;
      return node;
    }
    return this.taken < this.list.length ? this.list[this.taken++] : null;
  }

  // postpones reports whether a child is read after its siblings. This holds for a select that is
  // clipped away: a person sees another element beside it in its place, and that element comes
  // first.
  postpones(child) {
    if (this.late?.has(child) || child.nextElementSibling === null || !clippedAway(child)) return false;
    (this.late ??= new Set()).add(child);
    this.list = [...this.list, child];
    return true;
  }

  // shows reports whether a child is read here and now. A child is not read here if another element
  // owns it by aria-owns, or if it is postponed. Of a closed details element, only the summary is
  // read.
  shows(child, tag) {
    if (tag === 'select' && this.postpones(child)) return false;
    return this.summary === undefined ? !isOwned(child) || owned.get(child) === this.el : child === this.summary;
  }
}
