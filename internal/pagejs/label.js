// Labels, and the hidden boxes that they stand for.

const BOXES = words('checkbox radio');

// standIn returns the label that is shown in place of a checkbox or radio button
// which is not rendered itself, as styled ones are made; null if there is none.
function standIn(box) {
  if (shown(box)) return null;
  return labelsOf(box).find(label => roleOf(label) === '' && isRendered(label) && rectsOf(label).length > 0) ?? null;
}

// boxBehind returns the hidden box that label is shown for, or null.
function boxBehind(label) {
  const { control } = label;
  return BOXES.has(control.type) && standIn(control) === label ? control : null;
}

// toldBy returns the name that the text of a label, legend or caption went into,
// '' when no line says all of it.
function toldBy(el) {
  const named = el.localName === 'label' ? labelled(el) : parentOf(el);
  const name = named === null ? '' : nameOf(named);
  return name.length > LONGEST_NAME ? '' : name;
}

// labelled returns the control of a label, if there is a line for it.
function labelled({ control }) {
  return shown(control) || BOXES.has(control.type) && standIn(control) !== null ? control : null;
}

const WIDGETS = words('application dialog alertdialog grid listbox menu menubar tablist table tree treegrid');

// isWidget says whether el, inside the label of another control, is more than
// words: a picker, a list of suggestions, a table. Its text is no part of the
// control's name.
function isWidget(el, role) {
  if (WIDGETS.has(role)) return el.localName !== 'select';
  if (!listening || el.getElementsByTagName('*').length < FEWEST_ENTRIES || el.contains(el.closest('label')?.control ?? null)) return false;
  if (heardOn(el)?.some(hint => PRESSES.has(hint))) return true;
  return el.childElementCount >= FEWEST_ENTRIES && Array.prototype.every.call(el.children, child => heardOn(child)?.length > 0);
}

const FEWEST_ENTRIES = 3;
