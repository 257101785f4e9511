// States of an element, as words: "checked", "checked=mixed", "level=2".

const CHECKABLE = words('checkbox radio switch menuitemcheckbox menuitemradio option treeitem');
// Roles that show aria-selected. ARIA does not have it for the last three, but calendars and lists use
// it there, and nothing else says which day is chosen.
const SELECTABLE = words('gridcell option row tab columnheader rowheader treeitem button cell listitem');
const DISABLEABLE = words('button input select textarea fieldset');

let active = null; // the focused element, during a walk
let pointed = null; // the element that the focused one names as the one keys act on (aria-activedescendant)

// findActive finds the element that has the focus, also inside shadow roots, and the one it points to.
function findActive() {
  active = document.activeElement;
  for (let inner; active && (inner = shadowOf(active)?.activeElement);) active = inner;
  if (active === document.body || active === document.documentElement) active = null;
  pointed = active === null ? null : activeOf(active);
}

// statesOf returns the states of el, separated by spaces. The parameter plain says that el is bare,
// see dom.js.
function statesOf(el, tag, role, plain) {
  let states = '';
  plain ||= !mayHaveStates(el);
  if (CHECKABLE.has(role)) states += state('checked', checkedState(el));
  if (isDisabled(el, tag, plain)) states += ' disabled';
  if (role === 'heading') states += ' level=' + levelOf(el, 2);
  else if (!plain && attributeOf(el, 'aria-level') !== null) states += ' level=' + levelOf(el, 1);
  if (SELECTABLE.has(role)) states += state('selected', selectedState(el, tag, plain));
  states += state('expanded', expandedState(el, tag, plain));
  if (tag === 'li') states += numberState(el);
  else if ((tag === 'td' || tag === 'th') && el.rowSpan > 1) states += ' rowspan=' + el.rowSpan;
  if (!plain) states += attributeStates(el, role);
  if (el === active || el === pointed) states += ' active';
  return states && states.slice(1);
}

// mayHaveStates reports whether an element that is not bare has an attribute that can be a state.
// Most elements only have a name or a description. Listing their attributes costs less than asking
// for each of a dozen attributes.
function mayHaveStates(el) {
  if (hasSemantics(el)) return true;
  for (const name of el.getAttributeNames()) if (!MUTE.has(name) && !STATELESS.has(name) && !name.startsWith('data-')) return true;
  return false;
}

// The most frequent attributes that are not states, beside those that are MUTE.
const STATELESS = words('role tabindex title alt placeholder value onclick aria-label aria-labelledby aria-describedby aria-controls');

// attributeStates returns the states that only an attribute can give.
function attributeStates(el, role) {
  return state('pressed', oneOf(el, 'aria-pressed', PRESSED))
    + state('invalid', oneOf(el, 'aria-invalid', INVALID))
    + state('current', oneOf(el, 'aria-current', CURRENT))
    + popupState(el, role)
    + state('sort', oneOf(el, 'aria-sort', SORTED))
    + (el.required === true || oneOf(el, 'aria-required', TRUE) ? ' required' : '')
    + (el.readOnly === true && el.hasAttribute('readonly') || oneOf(el, 'aria-readonly', TRUE) ? ' readonly' : '')
    + (oneOf(el, 'aria-busy', TRUE) ? ' busy' : '')
    + positions(el, role)
    + (CELLS.has(role) ? state('checked', oneOf(el, 'aria-checked', TRISTATE)) : '')
    + (oneOf(el, 'aria-hidden', TRUE) ? ' aria-hidden' : '')
    + (el.hasAttribute('inert') ? ' inert' : '');
}

// popupState returns the state of an element that opens a menu or the like. It is left out beside the
// state expanded, which says as much, and on a combobox.
function popupState(el, role) {
  return role === 'combobox' || el.hasAttribute('aria-expanded') ? '' : state('haspopup', oneOf(el, 'aria-haspopup', POPUPS));
}

// numberState returns the number of a list item, if an attribute sets it. The other items count on.
function numberState(el) {
  if (el.hasAttribute('value') && el.value > 0) return ' number=' + el.value;
  const list = el.previousElementSibling === null ? el.parentNode : null;
  return list?.localName === 'ol' && list.start > 1 ? ' number=' + list.start : '';
}

// positions returns how large a grid is and where in it a row or column is. Only a part of the grid
// may be in the document.
function positions(el, role) {
  let states = '';
  for (const name of POSITIONS) {
    const value = el.getAttribute('aria-' + name);
    if (value === null || !/^(-1|\d{1,9})$/.test(value)) continue;
    if (name === 'colindex' && CELLS.has(role) && follows(el, value)) continue;
    states += ' ' + name + '=' + value;
  }
  return states;
}

// follows reports whether a cell is in the column after the previous cell's. Most cells are, and
// the column of such a cell is not written.
function follows(cell, column) {
  return Number(column) === Number(cell.previousElementSibling?.getAttribute('aria-colindex') ?? 0) + 1;
}

const CELLS = words('cell gridcell');
const POSITIONS = ['rowcount', 'colcount', 'rowindex', 'colindex'];

// state returns the word of a state that has this value, '' when it has none.
function state(word, value) {
  if (!value) return '';
  return value === 'true' ? ' ' + word : ' ' + word + '=' + value;
}

const TRUE = words('true');
const TRISTATE = words('true mixed');
const PRESSED = words('true false mixed'); // false says that a button is a switch
const POPUPS = words('true menu listbox tree grid dialog');
const INVALID = words('true grammar spelling');
const CURRENT = words('true page step location date time');
const SORTED = words('ascending descending other');

// oneOf returns the value of an attribute when it is one of values, '' otherwise. Anything else
// that a page writes there must not become a state in a snapshot.
function oneOf(el, attribute, values) {
  const value = attributeOf(el, attribute)?.trim().toLowerCase();
  return values.has(value) ? value : '';
}

function checkedState(el) {
  if (isBox(el)) return el.indeterminate ? 'mixed' : el.checked && 'true';
  return oneOf(el, 'aria-checked', TRISTATE);
}

function selectedState(el, tag, plain) {
  if (tag === 'option') return el.selected ? 'true' : '';
  return plain ? '' : oneOf(el, 'aria-selected', TRUE);
}

// classOfChoice returns the state class=word for an element (place). The word is the one for chosen in
// a class of the element, or of an element that holds nothing else. It returns '' if ARIA or HTML says more, and for what
// is hidden from screen readers, such as the copy of a slide. Such a class is often the only sign of what
// a click has chosen.
function classOfChoice(place) {
  if (CHOOSES_NOTHING.has(place.role) || place.isLabel) return '';
  for (let p = place; p !== null && (p === place || !p.line?.ref); p = p.parent) {
    const { el } = p;
    if (choiceWord(el) !== '') {
      const name = place.el.matches(NO_CHOICE) ? undefined : choiceClasses(el).find(each => distinguishes(el, each));
      return name === undefined ? '' : 'class=' + choiceIn(name).word.toLowerCase();
    }
    if (el.nextElementSibling !== null || el.previousElementSibling !== null) break;
  }
  return '';
}

// Roles whose value, place or state says more: a handle of a slider is active if it was the last to be moved.
const CHOOSES_NOTHING = words('columnheader rowheader searchbox slider spinbutton tabpanel textbox');
const NO_CHOICE = 'option,input,select,[aria-selected],[aria-checked],[aria-pressed],[aria-current],[aria-expanded],[aria-hidden=true]';

// distinguishes reports whether a class (name) with a word for chosen says of an element that it
// is chosen. At least half of its peers lack the class. What stands before the word, such as
// tab in tab-active, must begin another class, or the peers have none: col-last-active is no choice. Nor
// is filter-active, if most of the others are filter-something.
function distinguishes(el, name) {
  const all = peersNear(el).map(classesOf), lacking = all.filter(classes => !classes.includes(name));
  if (lacking.length === 0 || 2 * lacking.length < all.length) return false;
  const { word, kind, isFirst } = choiceIn(name);
  if (ALONE.test(kind)) return true;
  const own = classesOf(el), ofKind = classes => classes.filter(other => other !== name && isOfKind(other, kind));
  const others = lacking.filter(classes => ofKind(classes).some(other => other !== kind && !other.endsWith(word) && !own.includes(other)));
  if (2 * others.length > lacking.length) return false;
  const isKnown = classes => ofKind(classes).some(other => other === kind || other.endsWith(word));
  return ofKind(own).length > 0 || lacking.some(isKnown) || !isFirst && lacking.every(classes => classes.length === 0);
}

// peersNear returns the nearest siblings of an element. The link in an item of a menu may be an only
// child. For such an element, it returns the first children of its parent's peers that have its tag.
function peersNear(el, levels = LEVELS_OF_PEERS) {
  const isOnly = el.nextElementSibling === null && el.previousElementSibling === null;
  if (!isOnly || levels === 0 || el.parentElement === null) return siblingsNear(el);
  return peersNear(el.parentElement, levels - 1).map(up => up.firstElementChild).filter(each => each?.localName === el.localName);
}

const LEVELS_OF_PEERS = 2;

// siblingsNear returns the nearest siblings of an element that have its tag and are shown.
function siblingsNear(el) {
  const found = [];
  for (const next of ['previousElementSibling', 'nextElementSibling']) {
    for (let n = el[next], near = 0; n !== null && near < NEAR_SIBLINGS; n = n[next], near++) {
      if (n.localName === el.localName && n.checkVisibility()) found.push(n);
    }
  }
  return found;
}

const ALONE = /^(is)?$|[-_]$/; // before the word for chosen, if that is a word alone: in active, isActive, tab--active
const NEAR_SIBLINGS = 10;

// isOfKind reports whether a class is a word such as tab, or begins with it as tab-item and tabItem do.
function isOfKind(name, kind) { return name.startsWith(kind) && !/^[a-z\d]/.test(name.slice(kind.length)); }

function classesOf(el) { return Array.prototype.slice.call(el.classList, 0, MOST_CLASSES); }

const MOST_CLASSES = 20; // of an element; only hostile pages have more

// choiceClasses returns the classes of an element that end or begin with a word for chosen, such as
// is-selected and current-file.
// The class not-selected says the contrary.
function choiceClasses(el) { return classesOf(el).filter(name => CHOSEN_CLASS.test(name) && !UNCHOSEN_CLASS.test(name)); }

// choiceWord returns the word for chosen in a class of an element, such as selected in is-selected.
function choiceWord(el) {
  const classes = el.getAttribute('class');
  if (classes === null || !MAY_BE_CHOSEN.test(classes)) return '';
  const [name] = choiceClasses(el);
  return name === undefined ? '' : choiceIn(name).word.toLowerCase();
}

// choiceIn returns the word for chosen in a class, and what is chosen (kind): tab in tab-active, file in
// current-file. If the word is alone, the kind is ''. If it comes first, it may also say what a link leads
// to, as in current-students.
function choiceIn(name) {
  const [start, last, first] = CHOSEN_CLASS.exec(name);
  return last === undefined ? { word: first, kind: name.slice(start.length), isFirst: true } : { word: last, kind: name.slice(0, -last.length).replace(/[-_]$/, '') };
}

const MAY_BE_CHOSEN = /(selected|active|current|checked|chosen)(?=\s|$)|(^|\s)(selected|active|current)[-_]/i;
const CHOSEN_CLASS = /(?:^|[-_]|is)(selected|active|current|checked|chosen)$|^(selected|active|current)[-_](?=[a-z])/i;
const UNCHOSEN_CLASS = /(?:^|[-_])(?:no|not|non|un|in|de|dis|has|was|never|last)[-_]/i;

function isDisabled(el, tag, plain) {
  if (tag === 'option') return el.disabled || el.closest('optgroup')?.disabled === true;
  return DISABLEABLE.has(tag) && el.matches(':disabled') || !plain && oneOf(el, 'aria-disabled', TRUE) !== '';
}

// disabledAt reports whether aria-disabled is true for el. The attribute also holds for all that an
// element contains, so without it the element around decides.
function disabledAt(el, parent) {
  const own = attributeOf(el, 'aria-disabled');
  return own === null ? disabledAround(el, parent) : own === 'true';
}

// disabledAround does the same for the element around el, whose place is parent. For the element at
// which a walk begins, parent is null.
function disabledAround(el, parent) {
  if (parent !== null) return parent.off;
  const around = closest(parentOf(el), up => attributeOf(up, 'aria-disabled') !== null);
  return around !== null && attributeOf(around, 'aria-disabled') === 'true';
}

function expandedState(el, tag, plain) {
  switch (tag) {
    case 'details': return '';
    case 'summary': return el.parentElement?.localName === 'details' ? String(el.parentElement.open) : '';
    case 'select': if (el.matches(':open')) return 'true';
  }
  if (plain) return '';
  const value = attributeOf(el, 'aria-expanded');
  if (value === null && (tag === 'button' || tag === 'input') && el.popoverTargetElement) return String(el.popoverTargetElement.matches(':popover-open'));
  return value === 'true' || value === 'false' ? value : '';
}

function levelOf(el, otherwise) {
  const asked = parseInt(attributeOf(el, 'aria-level'), 10);
  if (asked > 0) return asked;
  return /^h[1-6]$/.test(el.localName) ? Number(el.localName[1]) : otherwise;
}

// isTakenOut reports whether el is taken from those who use a keyboard or a screen reader.
function isTakenOut(el) { return oneOf(el, 'aria-hidden', TRUE) !== '' || el.hasAttribute('inert'); }
