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
    const before = runsFrom(el, box, true), after = runsFrom(el, box, false, isBox && level === 0);
    const last = after.find(run => run.end !== CONTROL) ?? after[0]; // of the line, if that is not too long
    if (level === 0 && isBox && last.words !== '') return labelIn(after[0]);
    if (level === 0 && before[0].words !== '') return labelIn(before[0]);
    if ([...before, ...after].some(run => run.end === CONTROL)) return '';
    const named = isBox && after.find(run => run.words !== '') || before.findLast(run => run.words !== '');
    if (named) return labelIn(named);
    if (box.matches(HOLDS_A_FIELD)) return '';
  }
  return '';
}

const LEVELS_OF_FIELD = 3; // boxes around a field that may hold nothing but the field and its label
const HOLDS_A_FIELD = 'li,td,th,tr,form,fieldset,article,dialog,body,[role=row],[role=listitem],[role=gridcell]'; // words outside are about more
const LINE_END = 1, CONTROL = 2, BOX_END = 3;

// runsFrom returns the words of a box from a field (el) to the end of the box, or back to its start.
// They are in runs. A run ends with the line, with a control or with the box. The result ends with
// the first control or, if wholeLine is true, with the line of that.
function runsFrom(el, box, back, wholeLine = false) {
  const nodes = document.createTreeWalker(box, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT), runs = [];
  const row = box === parentOf(el) && isRow(getComputedStyle(box)) ? box : null;
  let words = '', block = box, left = MOST_BESIDE;
  const end = how => {
    runs.push({ words: squash(words), end: how });
    words = '';
  };
  nodes.currentNode = el;
  while ((back ? nodes.previousNode() : nodes.nextNode()) !== null) {
    const node = nodes.currentNode;
    if (node.contains(el) || el.contains(node)) continue;
    if (left-- === 0) end(CONTROL); // too much to be the label of one field
    const isText = node.nodeType === TEXT, isBreak = node.localName === 'br';
    if (isText ? !/\S/.test(node.data) || !isPartOfLabel(node, el) : !isBreak && !isOtherControl(node)) {
      if (isText && words !== '') words = back ? ' ' + words : words + ' ';
      continue;
    }
    const around = blockAround(parentOf(node), row);
    if (around !== block || isBreak) end(LINE_END);
    if ((around !== block || isBreak || left < 0) && runs.some(run => run.end === CONTROL)) return runs;
    block = around;
    if (isText) words = back ? node.data + words : words + node.data;
    else if (!isBreak) end(CONTROL);
    if (!wholeLine && runs.at(-1)?.end === CONTROL) return runs;
  }
  end(BOX_END);
  return runs;
}

const MOST_BESIDE = 30; // nodes

// blockAround returns the closest box from el upwards that is not part of a line of text. The
// children of a row of boxes are parts of one line.
function blockAround(el, row = null) {
  return closest(el, e => !inlineDisplay(getComputedStyle(e).display) && (row === null || parentOf(e) !== row));
}

function isRow({ display, flexDirection }) {
  return display.endsWith('flex') && flexDirection.startsWith('row');
}

// isPartOfLabel reports whether a text can be seen, and is not inside a control other than el.
function isPartOfLabel(text, el) {
  const owner = parentOf(text);
  if (!owner.checkVisibility({ visibilityProperty: true }) || isAriaHidden(owner)) return false;
  if (judges && unseenIn(placeOf(owner), text) !== '') return false;
  return closest(owner, e => e.contains(el) || isOtherControl(e)).contains(el);
}

// isOtherControl reports whether an element is a control that ends the words about a field. A bound
// label belongs to such a control. A link may be one of the words.
function isOtherControl(el) {
  if (el.localName === 'label') return el.control !== null;
  return el.localName !== 'a' && INTERACTIVE.has(roleOf(el)) && el.checkVisibility();
}

function labelIn({ words }) {
  return words.length <= LONGEST_HEADER && /[\p{L}\p{N}]/u.test(words) ? words : '';
}
