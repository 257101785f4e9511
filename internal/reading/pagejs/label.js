// Labels, and the hidden checkboxes and radio buttons that they are shown for.

const BOXES = words('checkbox radio');

// standIn returns the label that is shown in place of a checkbox or radio button, null if there is
// none. Custom designs hide the real box and style its label.
function standIn(box) {
  if (shown(box)) return null;
  return labelsOf(box).find(label => roleOf(label) === '' && isRendered(label) && rectsOf(label).length > 0) ?? null;
}

// boxBehind returns the hidden box for which label stands in, or null.
function boxBehind(label) {
  const { control } = label;
  return BOXES.has(control.type) && standIn(control) === label ? control : null;
}

// nameFrom returns the name that contains the text of an element (place). The element is a label, a
// legend, a caption, or what the element around it refers to by aria-labelledby. The result is '' if
// no line of the snapshot shows all of that name.
function nameFrom(place) {
  const { el, isLabel, isLegend } = place;
  const named = isLabel ? labelled(el) : isLegend ? parentOf(el) : labelledAround(place);
  const name = named === null ? '' : nameOf(named);
  return name.length > LONGEST_NAME ? '' : name;
}

// labelledAround returns the nearest element around that has a role, if it is labelled by an element
// (place), or null.
function labelledAround({ el, parent }) {
  if (el.id === '') return null;
  let around = parent;
  while (around !== null && around.role === '') around = around.parent;
  return around !== null && !around.bare && labelledBy(around.el).includes(el) ? around.el : null;
}

// labelled returns the control of a label, if the control has a line.
function labelled({ control }) {
  return shown(control) && !(control.localName === 'input' && isOfForm(control)) || BOXES.has(control.type) && standIn(control) !== null ? control : null;
}

// labelOfGroup returns the label of a group of options. If it has no attribute for it, the label is
// the text of its legend.
function labelOfGroup(group) {
  return squash(group.label) || squash(childOf(group, 'legend')?.textContent ?? '');
}

const WIDGETS = words('application dialog alertdialog grid listbox menu menubar tablist table tree treegrid');

// isWidget reports whether el, inside the label of another control, is more than words: a picker, a
// list of suggestions, a table. Such text is left out of the control's name. Chromium includes it:
// "Date March 2026 Sun Mon Tue …".
//
// A widget without a role is known by its listeners. It listens for clicks on the elements in it,
// or all of its children listen. A box around such a widget, after the control, is also a widget.
// An example is the calendar with the names of days and months around its days.
function isWidget(el, role) {
  if (WIDGETS.has(role)) return el.localName !== 'select';
  if (!listening || el.getElementsByTagName('*').length < FEWEST_ENTRIES) return false;
  const control = el.closest('label')?.control ?? null;
  if (el.contains(control)) return false;
  if (listensForEntries(el)) return true;
  if (control === null || !isAfter(el, control) || !isWordless(el)) return false;
  return Array.prototype.some.call(el.children, child => isWidget(child, roleOf(child)));
}

function listensForEntries(el) {
  if (listensForPresses(el)) return true;
  return el.childElementCount >= FEWEST_ENTRIES && Array.prototype.every.call(el.children, child => ownListeners(child)?.length > 0);
}

function isAfter(el, other) {
  return (other.compareDocumentPosition(el) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
}

const FEWEST_ENTRIES = 3;
