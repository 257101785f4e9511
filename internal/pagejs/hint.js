// Hints: why an element that is no control by its role can be acted on.

const listened = new WeakMap(); // element -> hints of its listeners
let listening = false;          // whether any is known

// listens notes what listeners Go has found on some elements, which a script
// cannot ask for: the last argument has, for each, the events that tell that
// something may be done to it.
chela.listens = (...elements) => {
  const types = elements.pop();
  elements.forEach((el, i) => listened.set(el, types[i] === '' ? NO_HINTS : types[i].split(' ').map(t => 'on' + t)));
  listening = true;
};

const NO_HINTS = [];

let handled = new WeakMap(); // element -> hints of what a framework calls for its events

// handles notes what the page's frameworks call for which elements, by their place
// among total ones. It does not when the document has changed since.
chela.handles = ({ total, handled: found }) => {
  handled = new WeakMap();
  const all = document.getElementsByTagName('*');
  if (all.length !== total) return;
  for (const [i, types] of found) handled.set(all[i], types.split(' ').map(type => 'on' + type));
  listening = true;
};

// heardOn returns the hints of the listeners that el has itself, undefined if none are known.
function heardOn(el) {
  const own = listened.get(el), called = handled.get(el);
  return own && called ? [...new Set([...own, ...called])] : own ?? called;
}

// hintsOf returns the hints of a place, parted by commas, '' if there are none.
function hintsOf(place) {
  const { el, tag, role, parent } = place;
  if (INTERACTIVE.has(role)) return unclickable(place);
  const pointer = beginsPointer(place);
  if (place.bare && !pointer && !listening && !place.isLabel && !MEDIA.has(tag) && el !== active && (parent === null || parent.delegation === null)) return '';
  const hints = [];
  if (pointer) hints.push('cursor:pointer');
  if (!place.bare) {
    if (role === '' && INTERACTIVE.has(el.getAttribute('role'))) hints.push('role:' + el.getAttribute('role'));
    for (const handler of HANDLERS) if (el.hasAttribute(handler)) hints.push(handler);
    if (el.hasAttribute('tabindex') && (el.tabIndex >= 0 || el === active)) hints.push('tabindex');
    if (el.hasAttribute('contenteditable') && el.isContentEditable && !parent?.el.isContentEditable) hints.push('contenteditable');
    if (el.getAttribute('draggable') === 'true') hints.push('draggable');
  }
  if (listening) for (const hint of listenersOf(el, role)) if (!hints.includes(hint)) hints.push(hint);
  if (role === '' && MEDIA.has(tag)) hints.push(tag);
  if (hints.length > 0 && /(col|row|[news]{1,4})-resize/.test(place.style.cursor)) hints.push('resize');
  if (place.isLabel) return labelHints(el.control, hints);
  if (hints.length > 0) return hints.join(', ');
  const delegated = delegatedHint(place);
  place.isTarget = delegated !== '';
  return delegated;
}

// unclickable returns the hint of a control that the pointer goes through, unless it is
// disabled anyway, or clicked by its label.
function unclickable({ el, subject, style }) {
  return style.pointerEvents === 'none' && subject === el && !el.matches(':disabled') && labelsFor(el).length === 0 ? 'pointer-events:none' : '';
}

// listenersOf returns the hints of an element's listeners. The entries of a list
// that listens for what is done to them have those of the list, but for a row
// whose cells are pressed one by one.
function listenersOf(el, role) {
  if (isWhole(el)) return NO_HINTS;
  const own = heardOn(el);
  if (own || !ENTRIES.has(role)) return own ?? NO_HINTS;
  for (let e = el.parentElement, level = 0; e && level < ENTRY_LEVELS && !isWhole(e); e = e.parentElement, level++) {
    const shared = listened.get(e)?.filter(hint => ON_ENTRIES.has(hint));
    if (shared?.length) return role === 'row' && areKeys(el) ? NO_HINTS : shared;
  }
  return NO_HINTS;
}

const HANDLERS = ['onclick', 'onmousedown', 'ondblclick', 'onmouseover', 'ondrop'];
const MEDIA = words('audio canvas embed video');

// isWhole says whether el is the page itself, which everything is done to.
function isWhole(el) {
  return el === document.body || el === document.documentElement;
}

// beginsPointer says whether the hand of the mouse pointer begins here. Inside
// a plain element with that hand, what has a role of its own may be clicked
// for itself: the entries of a list whose clicks the list takes.
function beginsPointer({ el, role, pointer, parent }) {
  if (!pointer || isWhole(el)) return false;
  if (parent === null || !parent.pointer) return true;
  return ENTRIES.has(role) && parent.takesClicks;
}

// labelHints replaces the hints of a label: it is worth a ref when it opens a
// hidden file input's chooser, or listens itself. Clicks on others are those on
// their control, which has a line of its own.
function labelHints(control, hints) {
  if (control.type === 'file' && !canBeHit(control)) return 'hidden-file';
  return hints.filter(hint => hint.startsWith('on')).join(', ');
}

function canBeHit(el) {
  if (!shown(el)) return false;
  const box = el.getBoundingClientRect();
  return box.width > 1 && box.height > 1;
}

// genericName returns the name of an element that only hints make worth a line.
function genericName(el) {
  if (!el.hasAttributes()) return '';
  return nameOf(el) || squash(tooltip(el));
}

// namedByAuthor says whether el has a name that does not come from its content.
function namedByAuthor(el) {
  return (el.hasAttributes() || hasSemantics(el)) && (attributeOf(el, 'aria-label') !== null || el.hasAttribute('aria-labelledby'));
}
