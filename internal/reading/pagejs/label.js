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

// labelBeside returns the words beside a field or button (el) without a name, '' if none are about it. In
// a line of text, words follow a checkbox or radio button, and come before another control. If no
// words end the line, those of all its checkboxes also come before. Without words in its line, a control
// has the words of the closest box around it that has some. No other control may be in that box.
function labelBeside(el, role) {
  const isBox = role === 'radio' || BOX_ROLES.has(role);
  let box = blockAround(parentOf(el));
  for (let level = 0; box !== null && level < LEVELS_OF_FIELD; level++, box = parentOf(box)) {
    const before = linesBeside(el, box, true), after = linesBeside(el, box, false, isBox && level === 0);
    if (level === 0 && isBox && after[0].at(-1) !== '') return labelIn(after[0][0]);
    if (level === 0 && before.at(-1).at(-1) !== '') return labelIn(before.at(-1).at(-1));
    if ([...before, ...after].some(line => line.length > 1)) return ''; // another control
    const hasWords = ([words]) => words !== '', line = isBox && after.find(hasWords) || before.find(hasWords);
    if (line) return labelIn(line[0]);
    if (box.matches(HOLDS_A_FIELD)) return '';
  }
  return '';
}

const LEVELS_OF_FIELD = 3; // boxes around a field that may hold nothing but the field and its label
const HOLDS_A_FIELD = 'li,td,th,tr,form,fieldset,article,dialog,body,[role=row],[role=listitem],[role=gridcell]'; // words outside are about more
const MOST_BESIDE = 30; // nodes of a box that are read before or after a field
const LINE_END = '\n', CONTROL = '\f'; // in what linesBeside reads

// linesBeside returns the words in a box before or after a field (el). Each line is a list: its words
// up to a control, those up to the next control, and so on. It reads no further than the first control,
// or the end of its line if wholeLine is true. What is too much ends with a control and more words.
function linesBeside(el, box, back, wholeLine = false) {
  const row = box === parentOf(el) && isRow(getComputedStyle(box)) ? box : null;
  let read = '', node = el, block = box, left = MOST_BESIDE, enters = false, met = false;
  const add = what => { read = back ? what + read : read + what; };
  while ((wholeLine || !met) && (node = nodeBeside(node, box, back, enters)) !== null) {
    const isText = node.nodeType === TEXT, isBreak = node.localName === 'br';
    enters = node.nodeType === ELEMENT && !isOtherControl(node);
    if (!isText && node.nodeType !== ELEMENT) continue;
    if (left-- === 0) {
      add(back ? '…' + CONTROL : CONTROL + '…');
      break;
    }
    if (isText ? !/\S/.test(node.data) || !isPartOfLabel(node) : enters && !isBreak) {
      if (isText) add(' ');
      continue;
    }
    const around = blockAround(parentOf(node), row);
    if (around !== block || isBreak) {
      if (met) break;
      add(LINE_END);
    }
    block = around;
    met ||= !isText && !isBreak;
    add(isText ? node.data.replace(/\s+/g, ' ') : isBreak ? '' : CONTROL);
  }
  return read.split(LINE_END).map(line => line.split(CONTROL).map(squash));
}

// nodeBeside returns the node after another one in a box of the flat tree, or before it if back is true.
// It may be inside that one if enters is true. The result is null at the end of the box.
function nodeBeside(node, box, back, enters) {
  const children = enters ? childrenOf(node) : [];
  if (children.length > 0) return children[back ? children.length - 1 : 0];
  for (let e = node; e !== box; e = parentOf(e)) {
    const assigned = e.assignedSlot?.assignedNodes();
    const beside = assigned ? assigned[assigned.indexOf(e) + (back ? -1 : 1)] : back ? e.previousSibling : e.nextSibling;
    if (beside) return beside;
  }
  return null;
}

// blockAround returns the closest box from el upwards that is not part of a line of text. The
// children of a row of boxes are parts of one line.
function blockAround(el, row = null) {
  return closest(el, e => !inlineDisplay(getComputedStyle(e).display) && (row === null || parentOf(e) !== row));
}

function isRow({ display, flexDirection }) {
  return display.endsWith('flex') && flexDirection.startsWith('row');
}

// isPartOfLabel reports whether a text can be seen.
function isPartOfLabel(text) {
  const owner = parentOf(text);
  return (shown(owner) || isRendered(owner)) && !isAriaHidden(owner) && !(judges && unseenIn(placeOf(owner), text) !== '');
}

// isOtherControl reports whether an element is a control that ends the words about a field. A bound
// label belongs to such a control. A link may be one of the words.
function isOtherControl(el) {
  if (el.localName === 'label') return el.control !== null;
  return el.localName !== 'a' && INTERACTIVE.has(roleOf(el)) && el.checkVisibility();
}

function labelIn(words) {
  return words.length <= LONGEST_HEADER && /[\p{L}\p{N}]/u.test(words) ? words : '';
}
