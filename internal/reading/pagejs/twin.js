// Twins. Some widgets have two sets of controls. One is for screen readers and is clipped away: a
// list of options without size, a native select of one pixel. The other is seen. Only a control
// that is seen can be clicked. So the lines of clipped controls are left out, or come later.

const MOST_TWINS = 10; // twins of one line; if more lines say the same, they are the rows of a list
const CLIP_LEVELS = 4; // how many ancestors are checked for clipping

// clippedAway reports whether el is rendered, and nothing of it can be seen. A box without size clips only what it
// holds: an absolute element is held by the nearest positioned one. The page itself clips nothing.
function clippedAway(el) {
  if (!el.checkVisibility()) return false;
  const style = getComputedStyle(el);
  if (isCutOff(style) || isThin(el, 1)) return true;
  let { position } = style; // of the box whose holder is looked for
  for (let e = parentOf(el), level = 1; e !== null && e !== document.body && level < CLIP_LEVELS; e = parentOf(e), level++) {
    const around = getComputedStyle(e), isOut = position === 'fixed' || position === 'absolute' && around.position === 'static';
    if (isOut && !holdsFixed(around)) continue;
    if (around.overflow !== 'visible' && isThin(e, 1)) return true;
    ({ position } = around);
  }
  return false;
}

// clippedTwins returns the lines whose control is clipped away while another line stands for it. It
// also returns the lines of lists that contain only such lines.
function clippedTwins(lines) {
  const twins = new Set();
  for (const group of alike(lines)) {
    if (group.length > MOST_TWINS) continue;
    const clipped = group.filter(isClippedControl), seen = group.filter(line => !clipped.includes(line));
    clipped.filter(line => seen.some(other => standsFor(other, line))).forEach(line => twins.add(line));
  }
  if (twins.size === 0) return twins;
  lines.forEach((line, i) => {
    if (twins.has(line)) addOptions(lines, i, twins);
    else if (line.role === 'listbox' && isEmptied(lines, i, twins)) twins.add(line);
  });
  return twins;
}

// standsFor reports whether the control of a clipped line can be left out beside a line that is seen
// and says the same. A click on almost anything may do what a click on the control does. But a value
// can be given only to a control of the same role. The seen line may be the control's label or group.
// A control from which options are chosen stands for a select.
function standsFor(seen, { role, subject }) {
  if (subject.localName === 'select') return CHOOSES.has(seen.role);
  return seen.role === role || !TAKES_VALUE.has(role);
}

const TAKES_VALUE = words('slider spinbutton textbox searchbox');
const CHOOSES = words('combobox listbox button');

// addOptions adds the lines of a select's options and groups to twins. The line of the select, with
// index i, is already in that set.
function addOptions(lines, i, twins) {
  for (let at = i + 1; at < lines.length && lines[at].depth > lines[i].depth && OPTIONS.has(lines[at].role); at++) twins.add(lines[at]);
}

const OPTIONS = words('option group');

// alike returns the groups of lines with refs that say the same. Most lines are alone in what they
// say, so a group is made only when a second line says the same.
function alike(lines) {
  const first = new Map(), groups = new Map(); // keys are the words of the lines
  for (const line of lines) {
    if (!line.ref) continue;
    const words = line.name || line.text;
    if (words === '') continue;
    const before = first.get(words);
    if (before === undefined) first.set(words, line);
    else if (groups.has(words)) groups.get(words).push(line);
    else groups.set(words, [before, line]);
  }
  return groups.values();
}

function isClippedControl({ role, subject: el }) {
  if (!INTERACTIVE.has(role)) return false;
  const pressed = el.localName !== 'select' && labelsFor(el).length > 0; // a label is seen and pressed in its place
  return !pressed && clippedAway(el);
}

// isEmptied reports whether all lines inside the line with index i are gone, and its own control is
// clipped away.
function isEmptied(lines, i, gone) {
  let next = i + 1;
  while (next < lines.length && lines[next].depth > lines[i].depth && gone.has(lines[next])) next++;
  const empty = next === lines.length || lines[next].depth <= lines[i].depth;
  return next > i + 1 && empty && isClippedControl(lines[i]);
}
