// Twins. Widgets have controls for screen readers, clipped away, beside those that
// are seen: a list of options without size, a native select of one pixel. What is
// seen can be pressed, so that it is what is offered, or offered first.

const MOST_TWINS = 10; // lines that say the same, beyond which they are the rows of a list
const CLIP_LEVELS = 4; // of ancestors that may clip

// clippedAway says whether el is rendered, and nothing of it can be seen.
function clippedAway(el) {
  if (!el.checkVisibility()) return false;
  const { clip, clipPath } = getComputedStyle(el);
  if (/^rect\(([01]px(, )?){4}\)$/.test(clip) || /^inset\((50|100)%\)$/.test(clipPath)) return true;
  for (let e = el, level = 0; e !== null && level < CLIP_LEVELS; e = parentOf(e), level++) {
    const box = e.getBoundingClientRect();
    if ((box.width <= 1 || box.height <= 1) && (e === el || getComputedStyle(e).overflow !== 'visible')) return true;
  }
  return false;
}

// clippedTwins returns those of lines whose control is clipped away while another line
// says the same, and the lists that have nothing else in them.
function clippedTwins(lines) {
  const same = new Map(); // what is said -> the lines with refs that say it
  for (const line of lines) {
    const said = line.ref ? line.name || line.text : '';
    if (said !== '') same.get(said)?.push(line) ?? same.set(said, [line]);
  }
  const twins = new Set();
  for (const group of same.values()) {
    if (group.length < 2 || group.length > MOST_TWINS) continue;
    const clipped = group.filter(isClippedControl);
    if (clipped.length < group.length) clipped.forEach(line => twins.add(line));
  }
  if (twins.size > 0) lines.forEach((line, i) => { if (line.role === 'listbox' && isEmptied(lines, i, twins)) twins.add(line); });
  return twins;
}

function isClippedControl({ role, ref }) {
  if (!INTERACTIVE.has(role)) return false;
  const el = element(ref);
  return labelsFor(el).length === 0 && clippedAway(el); // a label is seen and pressed in its place
}

// isEmptied says whether all lines inside the i-th are gone, and it is clipped away itself.
function isEmptied(lines, i, gone) {
  let next = i + 1;
  while (next < lines.length && lines[next].depth > lines[i].depth && gone.has(lines[next])) next++;
  const empty = next === lines.length || lines[next].depth <= lines[i].depth;
  return next > i + 1 && empty && isClippedControl(lines[i]);
}
