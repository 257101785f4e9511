// Hints: why an element without a control's role can be acted on, such as cursor:pointer, onclick
// or tabindex. A snapshot shows them as marks, see snapshot/marks.go.

const listened = new WeakMap(); // element -> hints of its listeners, as Go has reported them
let listening = false;          // whether any listener is known

// setListeners notes the listeners of some elements. Scripts cannot ask for listeners; Go does, by
// DOMDebugger.getEventListeners. The last argument has one string for each element: the types of
// events that it listens for, separated by spaces. It has only those types that show that the
// element can be acted on.
chela.setListeners = (...elements) => {
  const types = elements.pop();
  elements.forEach((el, i) => listened.set(el, types[i] === '' ? NO_HINTS : types[i].split(' ').map(t => 'on' + t)));
  listening = true;
};

const NO_HINTS = [];

let handled = new WeakMap(); // element -> hints of the events for which a framework calls its handlers
let handlers = null;         // the last answer of handlers.js; null if the page has no framework
let handlersFit = true;      // whether its indexes were those of the document when it came

// setHandlers notes which elements have handlers that the page's frameworks call, and for which
// events: see handlers.js. The answer null says that it is the same as the last one. The elements may
// still be others: a framework can replace all of them.
//
// The elements are given by their index among the elements of the document. The field total is the
// number of elements when Go asked. If the document now has another number, the indexes are wrong.
// Then each element keeps what was known of it. The answer comes from the world of the page, which
// can answer anything, so only words count as types.
chela.setHandlers = answer => {
  handlers = answer ?? handlers;
  const all = document.getElementsByTagName('*');
  handlersFit = all.length === handlers.total;
  if (!handlersFit) return;
  handled = new WeakMap();
  for (const [i, types] of handlers.handled) handled.set(all[i], types.split(' ').filter(type => /^[a-z]+$/.test(type)).map(type => 'on' + type));
  listening = true;
};

// handlersAreOld reports whether elements have come or gone since Go asked for their handlers.
function handlersAreOld() {
  return handlers !== null && !(handlersFit && document.getElementsByTagName('*').length === handlers.total);
}

// ownListeners returns the hints of the listeners that el has itself, undefined if none are known.
function ownListeners(el) {
  const own = listened.get(el), called = handled.get(el);
  return own && called ? [...new Set([...own, ...called])] : own ?? called;
}

// followsMouse reports whether an element, something around it or the document listens for moves of
// the mouse, as far as that is known.
function followsMouse(el) {
  const follows = n => (ownListeners(n) ?? NO_HINTS).some(hint => HOVERS.has(hint) || MOUSE_MOVES.has(hint));
  return follows(document) || closest(el, follows) !== null;
}

const MOUSE_MOVES = words('onmousemove onpointermove');

// hintsOf returns the hints of an element (place), separated by commas, '' if there are none. If
// the parameter all is true, weak hints are included: those for which an element gets a line only
// if all lines get refs. The parameter signs includes isSmallSign as such a hint.
function hintsOf(place, all, signs) {
  const { el, tag, role, parent } = place;
  if (INTERACTIVE.has(role)) return isReplaced(place) ? 'unseen' : unclickable(place);
  const pointer = beginsPointer(place);
  const drag = all ? dragCursor(place) : '';
  const delegated = parent !== null && parent.delegation !== null;
  const use = uses.size === 0 ? undefined : uses.get(el);
  const known = pointer || drag !== '' || use !== undefined || listening || delegated;
  const edited = tag === 'body' && document.designMode === 'on';
  if (place.bare && !known && !place.isLabel && !MEDIA.has(tag) && el !== active && !edited) return '';
  const hints = [];
  if (pointer) hints.push('cursor:pointer');
  if (drag !== '') hints.push('cursor:' + drag);
  if (!place.bare) {
    if (role === '' && INTERACTIVE.has(el.getAttribute('role'))) hints.push('role:' + el.getAttribute('role'));
    for (const handler of HANDLERS) if (el.hasAttribute(handler)) hints.push(handler);
    if (el.hasAttribute('tabindex')) {
      if (el.tabIndex >= 0 && !isGuard(el)) hints.push('tabindex');
      else if (el === active) hints.push('focused');
    }
    if (el.hasAttribute('contenteditable') && el.isContentEditable && !parent?.el.isContentEditable) hints.push('contenteditable');
    if (el.getAttribute('draggable') === 'true') hints.push('draggable');
    for (const state of SIGNS_OF_CLICKS) if (el.hasAttribute(state) && el.querySelector(CONTROLS) === null) hints.push(state);
  }
  if (edited && !hints.includes('contenteditable')) hints.push('contenteditable');
  if (use !== undefined && !hints.includes(use)) hints.push(use);
  if (listening) for (const hint of listenersOf(el, role)) if (!hints.includes(hint)) hints.push(hint);
  if (role === '' && MEDIA.has(tag)) hints.push(tag);
  if (hints.length > 0 && isHandle(el, place.style.cursor)) hints.push('resize');
  if (hints.length > 0 && place.style.cursor === 'not-allowed') hints.push('cursor:not-allowed'); // the only sign that an entry without a role is disabled
  if (hints.length === 0 && listening && isToggle(place)) hints.push('cursor:pointer');
  if (place.isLabel) return labelHints(el.control, hints);
  if (hints.length > 0) return place.style.pointerEvents === 'none' ? ignored(el) : hints.join(', ');
  const hint = place.style.pointerEvents === 'none' ? '' : delegatedHint(place) || (signs && delegated && isSmallSign(place) ? parent.delegation.hint : '');
  place.isTarget = hint !== '';
  return hint;
}

// isReplaced reports whether a field can neither be seen nor reached by the keyboard, because a widget
// of the page is shown in its place. An example is the select that Tom Select was made of.
function isReplaced({ el, tag, bare }) {
  if (bare || el.tabIndex >= 0 || !(tag === 'select' || isNativeField(el) && takesText(el)) || !isUnseen(el) || isAriaHidden(el)) return false;
  return tag === 'select' || widgetOf(el) === null;
}

// unclickable returns a hint for a control that ignores the mouse. It returns none if the control
// is disabled, or has a label to click in its place. It also returns none if the control is in a
// component that takes its clicks.
function unclickable({ el, subject, style }) {
  if (style.pointerEvents !== 'none' || subject !== el || el.matches(':disabled') || labelsFor(el).length > 0) return '';
  const { host } = el.getRootNode();
  return host !== undefined && isInsideComponent(el, host) && !ignoresMouse(host) ? '' : 'pointer-events:none';
}

// ignored returns a hint for an element that has hints but ignores the mouse. It returns none for
// an element without readable text, such as a scroll bar drawn by an editor. But if the whole page
// ignores the mouse, as behind an open menu, the element can be used later.
function ignored(el) {
  return /\S/.test(el.textContent) || pageIgnoresMouse() ? 'pointer-events:none' : '';
}

// isGuard reports whether an element takes the focus only to pass it on. Such elements are at the
// ends of a dialog or grid and keep the focus inside. They are empty and have no size.
function isGuard(el) {
  return el.firstChild === null && isThin(el, 1);
}

// listenersOf returns the hints of an element's listeners. If a list listens for its entries, an
// entry has the hints of the list. A row whose cells look like the keys of a keypad has no hints:
// users click the cells, not the row.
function listenersOf(el, role) {
  if (isWhole(el)) return NO_HINTS;
  const own = ownListeners(el);
  if (own?.length === 1 && own[0] === 'onkeydown' && !mayHaveFocus(el)) return NO_HINTS;
  if (own || !ENTRIES.has(role)) return own ?? NO_HINTS;
  for (let e = el.parentElement, level = 0; e && level < ENTRY_LEVELS && !isWhole(e); e = e.parentElement, level++) {
    const shared = listened.get(e)?.filter(hint => ON_ENTRIES.has(hint));
    if (shared?.length) return role === 'row' && areKeys(el) ? NO_HINTS : shared;
  }
  return NO_HINTS;
}

// mayHaveFocus reports whether an element, or one inside it, can have the focus. No key reaches any
// other element, though libraries listen for keys on each of their icons. More elements than an icon
// has are not searched: then one of them may have it.
function mayHaveFocus(el) {
  const may = n => focusable(n) || n.localName === 'slot' || shadowOf(n) !== null;
  const inside = el.getElementsByTagName('*');
  return may(el) || inside[LARGEST_ICON] !== undefined || Array.prototype.some.call(inside, may);
}

const LARGEST_ICON = 100; // elements

const HANDLERS = ['onclick', 'onmousedown', 'ondblclick', 'onmouseover', 'ondrop'];
// Attributes that show that a click on the element does something, such as to open a menu or to
// sort. They are hints only if the element contains no control, which would get the click instead.
const SIGNS_OF_CLICKS = ['aria-expanded', 'aria-haspopup', 'aria-sort'];
const MEDIA = words('audio canvas embed video');

// isWhole reports whether el is the root element or the body, whose hints would say nothing.
function isWhole(el) {
  return el === document.body || el === document.documentElement;
}

// beginsPointer reports whether the cursor becomes a hand here. Elements inside an element with a
// hand inherit the cursor, so a hand says nothing about them. An exception is the entry of a list
// that handles clicks on its entries: such an entry counts.
function beginsPointer({ el, role, pointer, parent }) {
  if (!pointer || isWhole(el)) return false;
  if (parent === null || !parent.pointer) return !isAllOfButton(el);
  return ENTRIES.has(role) && parent.takesClicks;
}

// isAllOfButton reports whether el has all the text of the button around it. A click on it is a click
// on the button.
function isAllOfButton(el) {
  const button = el.closest('button');
  return button !== null && button !== el && squash(button.textContent) === squash(el.textContent);
}

// dragCursor returns the cursor over an element if it is a cursor for dragging that the element has
// not inherited. If such an element has no listener itself, a listener of an ancestor drags it.
function dragCursor({ style, parent }) {
  const { cursor } = style;
  return DRAG_CURSORS.has(cursor) && (parent === null || parent.style.cursor !== cursor) ? cursor : '';
}

const DRAG_CURSORS = words('move grab all-scroll');

// Cursors over a small box from which something is dragged, such as a line to another node. Over a
// large box they mean other things.
const PORT_CURSORS = words('crosshair alias copy cell grabbing');
const LARGEST_SIGN = 40; // pixels

// labelHints returns the hints that a label's line shows. Only a label with listeners, or one that
// opens the chooser of a hidden file input, has any. A click on any other label counts for its
// control, which has a line of its own. Labels of many libraries listen for the press alone, so that
// a double click does not select their text.
function labelHints(control, hints) {
  if (control.type === 'file' && !canBeHit(control)) return 'hidden-file';
  return hints.filter(hint => hint.startsWith('on') && !BEGINS_PRESS.has(hint)).join(', ');
}

const BEGINS_PRESS = words('onmousedown onpointerdown');

function canBeHit(el) {
  return shown(el) && !isThin(el, 1);
}

// genericName returns the name of an element that gets a line only because of its hints.
function genericName(el) {
  if (!el.hasAttributes()) return '';
  return nameOf(el) || squash(tooltip(el));
}

// namedByAuthor reports whether el has a name that does not come from its content.
function namedByAuthor(el) {
  return (el.hasAttributes() || hasSemantics(el)) && (attributeOf(el, 'aria-label') !== null || el.hasAttribute('aria-labelledby'));
}

// addsNothing reports whether an element that is empty and takes clicks needs no line. It may show
// nothing that could be clicked, as an anchor to which links in the page lead. Or it is what is seen
// of the checkbox before it, which is transparent and has a line of its own. Or it is one of the
// lines that are drawn around a cell, and only listens for the mouse being over it.
function addsNothing(el, hints) {
  if (isSeenOfBox(el) || rectsOf(el).length === 0 && !hasPseudo(el)) return true;
  return el.namespaceURI === HTML && hints.split(', ').every(hint => HOVERS.has(hint)) && isThin(el);
}

const HOVERS = words('onmouseover onmouseenter onpointerover onpointerenter');
