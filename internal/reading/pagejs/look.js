// A look is a period in which facts about the document are computed once and used for many
// elements. The facts are dropped before scripts of the page run again, so they are never out of
// date.

let labels = null; // control -> its labels; null: not computed yet

// look drops the facts computed so far, and begins to compute them again for reading single
// elements.
function look() {
  forget();
  findOwned();
}

// lookAround does the same as look, for reading all elements. It also finds the elements that get
// text from style sheets.
function lookAround() {
  look();
  readSheets();
}

// forget frees what a look has found.
function forget() {
  decorated = null;
  uses = new Map();
  active = null;
  edges = moved = null;
  owned = new Map();
  owners = new Map();
  tableRoles = new Map();
  cellRoles = new Map();
  dataRows = new Map();
  names = new Map();
  ariaHidden = new Map();
  lineLabels = new Map();
  labels = null;
}

// labelsOf returns the labels of a control. With el.labels Chromium would search the whole document
// for each control again. So the labels of all controls are found at once.
function labelsOf(el) {
  if (el.getRootNode() !== document) return Array.from(el.labels ?? []);
  labels ??= findLabels();
  return labels.get(el) ?? NONE;
}

// lookAtLabels finds the labels of one control only, for reading a single element: in a form of a
// thousand fields, finding all labels takes milliseconds.
function lookAtLabels(el) { labels = new Map([[el, Array.from(el.labels ?? [])]]); }

function findLabels() {
  const found = new Map();
  for (const label of document.getElementsByTagName('label')) {
    const { control } = label;
    if (control === null) continue;
    const others = found.get(control);
    if (others) others.push(label);
    else found.set(control, [label]);
  }
  return found;
}
