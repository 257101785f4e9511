// A Place is an element on the way from the root to where the walker is. There
// is one for each level, moved from element to element.
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
    this.visible = style.visibility === 'visible';
    this.style = style;
    this.hand = undefined;
    this.depth = parent === null ? 0 : parent.inner;
    this.inner = this.depth; // depth of the lines inside
    this.at = 0;             // index of the own line, or of the first one inside
    this.line = null;
    this.leaf = false;       // whether it holds text at most
    this.said = '';          // the text in it, when there are no lines inside
    this.hints = '';
    this.delegation = null; // who listens around it for what is done in it, see delegate.js
    this.isTarget = false; // of that
    this.subject = el;     // what its line is about
    this.pre = undefined;  // whether its text is preformatted, once asked
    this.blocked = false;  // by a modal dialog that is open
    this.takesClicks = false; // it or what it is in has the hand of the pointer
    this.isLabel = tag === 'label' && el.control !== null;
    this.isLegend = tag === 'legend' || tag === 'figcaption';
    this.summary = tag === 'details' && !el.open ? summaryOf(el) : undefined; // all that a closed details shows
    this.list = ownedBy(el); // nodes that come after next and its siblings
    this.taken = 0;
    this.late = null;      // the child that comes after the others
    this.next = REPLACED.has(tag) ? null : this.firstChild(el, tag);
    return this;
  }

  // pointer says whether the mouse pointer is a hand here. Many are never asked.
  get pointer() {
    return this.hand ??= this.style.cursor === 'pointer';
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

  // postpones says whether child comes after its siblings: a select that is clipped away
  // has what is seen of it beside itself.
  postpones(child) {
    if (child.localName !== 'select' || child === this.late || child.nextElementSibling === null || !clippedAway(child)) return false;
    this.late = child;
    this.list = [...this.list, child];
    return true;
  }

  // shows says whether child is to be looked at here.
  shows(child) {
    return this.summary === undefined ? !isOwned(child) || owned.get(child) === this.el : child === this.summary;
  }
}
