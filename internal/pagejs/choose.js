// Choosing: options, checked states and files of controls.

// choose waits, but not beyond o.by, until select element n has options with these values or labels
// and selects them alone. Missing: gone, hidden, disabled, untyped (no select),
// single (takes one), option (which: the first it has not, options: what it has),
// standin (by: what the user sees instead of it, which: what that still shows).
async function choose(n, values, o) {
  for (;;) {
    const given = element(n);
    if (!given) return { missing: 'gone' };
    const el = controlOf(given);
    if (el.nodeName !== 'SELECT') return { missing: 'untyped' };
    if (values.length > 1 && !el.multiple) return { missing: 'single' };
    const found = findOptions(el, values);
    if (!found.missing) return isUnseen(el) ? pickBehind(el, found.wanted, o.by) : pickIn(el, found.wanted);
    if (performance.now() >= o.by) return found;
    await nextFrame(o.by);
  }
}

function findOptions(el, values) {
  if (!isRendered(el)) return { missing: 'hidden' };
  if (isInert(el)) return { missing: 'disabled' };
  const options = [...el.options];
  const wanted = values.map(v => options.find(o => o.value === v) || options.find(o => squash(o.label) === squash(v) || squash(o.text) === squash(v)));
  const lacking = wanted.findIndex(o => !o || o.matches(':disabled'));
  if (lacking < 0) return { wanted };
  return { missing: wanted[lacking] ? 'disabled' : 'option', which: values[lacking], options: options.slice(0, 20).map(o => squash(o.label)) };
}

function pickIn(el, wanted) {
  el.focus();
  pick(el, wanted);
  return {};
}

// pick selects these options alone, and dispatches the events of a choice if that
// is a change. It reports whether it is.
function pick(el, wanted) {
  const options = [...el.options];
  const differs = options.some(o => o.selected !== wanted.includes(o));
  for (const option of options) option.selected = wanted.includes(option);
  if (differs) announce(el);
  return differs;
}

// pickBehind selects options of an element that a styled control stands in for.
// It leaves the focus, since many such controls open when the select gets it. A
// control that does not hear of changes of its select keeps showing what was
// chosen before: then nothing is changed.
async function pickBehind(el, wanted, by) {
  const before = [...el.selectedOptions];
  const showing = before.length === 1 ? whatShows(squash(before[0].label), el) : [];
  if (!pick(el, wanted) || showing.length === 0 || await showOther(showing, by)) return {};
  const [{ shows, text }] = showing;
  pick(el, before);
  return { missing: 'standin', by: describe(shows), which: text };
}

const NEIGHBOURHOOD = 3; // how many ancestors of a select may be what its stand-in is in

// whatShows returns the visible elements beside a select whose whole text is this one.
function whatShows(text, el) {
  let around = el;
  for (let i = 0; i < NEIGHBOURHOOD; i++) {
    around = around.parentElement;
    if (!around || around === document.body || around.querySelectorAll('select').length > 1) return [];
    const found = [...around.querySelectorAll('*')].filter(e => !el.contains(e) && squash(e.textContent) === text && shown(e));
    if (found.length) return found.map(shows => ({ shows, text }));
  }
  return [];
}

// showOther waits for half a second, but not beyond by, until one of these elements shows something else.
async function showOther(showing, by) {
  for (const end = Math.min(by, performance.now() + 500);;) {
    if (showing.some(({ shows, text }) => !shows.isConnected || squash(shows.textContent) !== text || !shown(shows))) return true;
    if (performance.now() >= end) return false;
    await nextFrame(end);
  }
}

// checked says whether element n is checked: true, false, or null if it is
// nothing that can be. Given what is wanted, it waits for that, but not beyond by.
async function checked(n, wanted, by) {
  for (;;) {
    const given = element(n);
    if (!given) return { missing: 'gone' };
    const now = isChecked(controlOf(given));
    if (wanted === undefined || now === wanted || performance.now() >= by) return { checked: now };
    await nextFrame(by);
  }
}

function isChecked(el) {
  if (el.type === 'checkbox' || el.type === 'radio') return el.checked;
  const aria = el.getAttribute('aria-checked') || el.getAttribute('aria-pressed');
  return aria === null ? null : aria === 'true';
}

// sortOf says how element n is filled: select, check, or text.
function sortOf(n) {
  const given = element(n);
  const el = given && controlOf(given);
  if (!el) return 'text';
  if (el.nodeName === 'SELECT') return 'select';
  return el.type === 'checkbox' || el.type === 'radio' || el.getAttribute('role') === 'switch' ? 'check' : 'text';
}

// fileInput says whether element n takes files, several of them, or a folder.
function fileInput(n) {
  const given = element(n);
  if (!given) return { missing: 'gone' };
  const el = controlOf(given);
  return { file: el.localName === 'input' && el.type === 'file', multiple: el.multiple === true, folder: el.webkitdirectory === true };
}

Object.assign(chela, { fileInput, sortOf, choose, checked });
