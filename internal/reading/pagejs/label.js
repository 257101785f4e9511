// Labels, and the hidden checkboxes and radio buttons that they are shown for.

const BOXES = words('checkbox radio');
const BOX_ROLES = words('checkbox radio switch');

// standIn returns the label that is shown in place of a checkbox or radio button, null if there is
// none. Custom designs hide the real box and style its label.
function standIn(box) {
  if (shown(box)) return null;
  return labelsOf(box).find(label => roleOf(label) === '' && takesSpace(label)) ?? null;
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

// labelBeside returns the words beside a field or button (el) without a name, '' if none are about it.
// They are in its line, or else in the closest box around it that has some. A checkbox or radio button
// has those after it there, or else before. Other controls have those before. No other control may be
// in that box.
function labelBeside(el, role) {
  const kind = kindOfControl(role);
  let box = blockAround(parentOf(el)), words = labelInLine(el, kind, box);
  if (words === UNCLEAR) return '';
  for (let level = 0; words === '' && box !== null && level < LEVELS_OF_FIELD; level++, box = parentOf(box)) {
    const before = linesBeside(el, box, true).flat(), after = linesBeside(el, box, false).flat();
    if ([...before, ...after].some(isControlOfLine)) return '';
    if (kind === BOXES && before.length > 0 && after.length > 0) return '';
    words = (kind === BOXES && after.length > 0 ? after : before).join(' ');
    if (box.matches(HOLDS_A_FIELD)) break;
  }
  return words.length <= LONGEST_HEADER ? words : '';
}

const LEVELS_OF_FIELD = 3; // boxes around a field that may hold nothing but the field and its label
const HOLDS_A_FIELD = 'li,td,th,tr,form,fieldset,article,dialog,body,[role=row],[role=listitem],[role=gridcell]'; // words outside are about more
const MOST_BESIDE = 30; // nodes of a box that are read before or after a field

const isControlOfLine = part => typeof part !== 'string';
const wordsOfPart = part => typeof part === 'string' ? part : '';

// kindOfControl returns BOXES for a checkbox or radio button, FIELDS for another field, else the role.
function kindOfControl(role) {
  if (role === 'radio' || BOX_ROLES.has(role)) return BOXES;
  return FIELDS.has(role) ? FIELDS : role;
}

let lineLabels = new Map(); // control -> what labelInLine returns for it, during a look

// labelInLine returns the words that a field or button (el) has in its line of text, '' if there are none.
// It returns UNCLEAR if they may be about another one.
function labelInLine(el, kind, box) {
  if (!lineLabels.has(el)) {
    const line = [...linesBeside(el, box, true, true)[0], el, ...linesBeside(el, box, false, true)[0]];
    const isAlike = part => part === el || isControlOfLine(part) && kindOfControl(roleOf(part)) === kind;
    const at = Array.from(line.keys()).filter(i => isAlike(line[i]));
    const labels = labelsInLine(at.map(i => wordsOfPart(line[i - 1])), at.map(i => wordsOfPart(line[i + 1])), kind === BOXES);
    at.forEach((i, n) => {
      if (line[i] === el || blockAround(parentOf(line[i])) === box) lineLabels.set(line[i], labels[n]);
    });
  }
  return lineLabels.get(el);
}

// labelsInLine returns the labels of the controls of a kind that are in one line. Its parameters are the
// words before and after each. If there are several, all have their words behind them, and there are
// none before the first. Or all have them before, and there are none behind the last. If both ends have
// words, a colon tells which are labels. If that is not clear, all labels are UNCLEAR.
function labelsInLine(before, after, areBoxes) {
  const isTitle = words => /[:?：？]$/.test(words), isSome = words => words !== '';
  if (before.length === 1) return [!areBoxes || after[0] === '' ? before[0] : before[0] === '' || isTitle(before[0]) ? after[0] : UNCLEAR];
  if (before.every(isTitle)) return before;
  if (after.every(isSome) && (before[0] === '' || areBoxes && isTitle(before[0]))) return after;
  return before.every(isSome) && after.at(-1) === '' ? before : before.map(() => UNCLEAR);
}

const UNCLEAR = null;

// linesBeside returns the lines in a box before or after a field (el). A line is a list of its parts:
// words and controls. If ofLine is true, there is one line, the rest of the field's own. Otherwise the
// first control ends the lines. The box itself stands for what is too much.
function linesBeside(el, box, back, ofLine = false) {
  const row = box === parentOf(el) && isRow(getComputedStyle(box)) ? box : null;
  const lines = [[]];
  let node = el, block = box, inner = box, words = '', left = MOST_BESIDE, enters = false;
  const end = () => {
    if (/[\p{L}\p{N}]/u.test(words)) lines.at(-1).push(squash(words));
    words = '';
  };
  while ((node = nodeBeside(node, box, back, enters)) !== null) {
    const isText = node.nodeType === TEXT, isBreak = node.localName === 'br';
    const isControl = node.nodeType === ELEMENT && isOtherControl(node);
    enters = node.nodeType === ELEMENT && !isControl;
    if (!isText && !enters && !isControl) continue;
    const isTooMuch = !ofLine && left-- === 0;
    if (!isTooMuch && (isText ? !/\S/.test(node.data) || !isPartOfLabel(node) : enters && !isBreak)) {
      if (isText) words = back ? ' ' + words : words + ' ';
      continue;
    }
    const around = blockAround(parentOf(node), row), apart = partAround(parentOf(node));
    if (around !== block || isBreak) {
      if (ofLine) break;
      end();
      lines.push([]);
    }
    if (isControl || isTooMuch) {
      end();
      lines.at(-1).push(isControl ? node : box);
      if (!ofLine) break;
    }
    const gap = apart === inner ? '' : ' ';
    if (isText) words = back ? node.data + gap + words : words + gap + node.data;
    [block, inner] = [around, apart];
  }
  end();
  return back ? lines.reverse().map(line => line.reverse()) : lines;
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

// partAround returns the closest box from el upwards that separates its text from the text before.
function partAround(el) {
  return closest(el, e => !SEPARATES_NOTHING.has(getComputedStyle(e).display));
}

const SEPARATES_NOTHING = words('inline contents ruby');

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
