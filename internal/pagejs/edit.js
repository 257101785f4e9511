// Editing: putting text and choices into controls.

const setTypes = new Set(['color', 'date', 'datetime-local', 'month', 'time', 'week', 'range']);
const textTypes = new Set(['', 'text', 'search', 'tel', 'url', 'email', 'password', 'number']);

// edit waits until element n takes text, but not beyond o.by, then focuses it and
// selects what it holds (or, with o.append, puts the caret at its end). It
// answers how the text goes in:
//
//   insert: by trusted input, now; erase: by a key; done: it is in already
//
// or what is missing: gone, hidden, disabled, readonly, untyped (no text control),
// unfillable (another interaction), number, format, unfocusable.
async function edit(n, text, o) {
  for (;;) {
    const given = element(n);
    if (!given) return { missing: 'gone' };
    const el = given.control || given;
    const missing = unfit(el, text);
    if (!missing) return setTypes.has(el.type) && el.nodeName === 'INPUT' ? setValue(el, text) : prepare(el, text, o);
    if (!waitable.has(missing) || Date.now() >= o.by) return { missing };
    await nextFrame();
  }
}

const waitable = new Set(['hidden', 'disabled', 'readonly']);

// unfit says why an element does not take this text, or ''.
function unfit(el, text) {
  const input = el.nodeName === 'INPUT';
  if (input && !textTypes.has(el.type) && !setTypes.has(el.type)) return 'unfillable';
  if (!input && !takesText(el)) return 'untyped';
  if (input && el.type === 'number' && text !== '' && !Number.isFinite(Number(text))) return 'number';
  if (!isRendered(el)) return 'hidden';
  if (isInert(el)) return 'disabled';
  if (el.readOnly || el.getAttribute('aria-readonly') === 'true') return 'readonly';
  return '';
}

// takesText reports whether text can be typed into an element.
function takesText(el) {
  return el.nodeName === 'INPUT' ? textTypes.has(el.type) : el.nodeName === 'TEXTAREA' || el.isContentEditable === true;
}

// awaitsText reports whether what has the focus takes text; null if that is
// where this script can not look.
function awaitsText() {
  const answers = everywhere().map(each => each.awaitsTextHere());
  return answers.includes(true) || (answers.includes(null) ? null : false);
}

function awaitsTextHere() {
  const el = document.hasFocus() ? focused() : null;
  if (!el) return false;
  if (el.localName === 'iframe' || el.localName === 'frame') return el.contentDocument ? false : null;
  if (document.designMode === 'on' || el.editContext) return true;
  if (takesText(el)) return !el.readOnly && !isInert(el);
  return el.tabIndex < 0 && el !== document.body ? null : false; // it has the focus for what is in a closed shadow root
}

function setValue(el, text) {
  const value = text.trim();
  const before = el.value;
  el.focus();
  el.value = value;
  if (el.value !== (el.type === 'color' ? value.toLowerCase() : value)) {
    el.value = before;
    return { missing: 'format' };
  }
  if (el.value !== before) announce(el);
  return { done: true };
}

function announce(el) {
  el.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  el.dispatchEvent(new Event('change', { bubbles: true }));
}

function prepare(el, text, o) {
  if (!inView(...middle(el))) reveal(el, 'center');
  const host = hostOf(el);
  host.focus();
  if (focused() !== host) return { missing: 'unfocusable' };
  const before = content(el);
  select(el, o.append);
  arm(host, o.guard, o.by);
  edited = { el, before, wanted: o.append ? null : text, came: false, wake: () => {} };
  removeEventListener('input', textCame);
  addEventListener('input', textCame); // the last who hears of it
  if (text !== '') return { insert: true };
  return before === '' ? { done: true } : { erase: true };
}

// hostOf returns what has the focus when an element is edited: of rich text, all of it.
function hostOf(el) {
  let host = el;
  while (host.isContentEditable && host.parentElement?.isContentEditable) host = host.parentElement;
  return host;
}

let edited = null; // the element that edit prepared, what it held, and what it is to hold

function textCame(event) {
  if (!edited || !event.isTrusted) return;
  edited.came = true;
  edited.wake();
}

// editDone is editResult when the text has come, or editOver says that it will not.
async function editDone() {
  if (edited && !edited.came) await new Promise(resolve => { edited.wake = resolve; });
  return editResult();
}

function editOver() { edited?.wake(); }

function select(el, append) {
  if (el.isContentEditable) {
    const selection = el.getRootNode().getSelection ? el.getRootNode().getSelection() : getSelection();
    selection.selectAllChildren(el);
    if (append) selection.collapseToEnd();
    return;
  }
  el.select();
  if (append) try { el.setSelectionRange(el.value.length, el.value.length); } catch { /* number and e-mail have no caret to set */ }
}

// editResult ends the guard and says whether the text arrived: passed, or what it
// met; same: what should have changed is still there.
async function editResult() {
  const verdict = lowerHere();
  if (!edited) return verdict;
  const now = content(edited.el);
  const same = now === edited.before && edited.before !== edited.wanted || kept(edited, now);
  edited = null;
  return { ...verdict, same, changes: await changesSoFar() };
}

// kept says whether rich text still holds all that was to be replaced: Chromium
// does not delete a selection that begins or ends with what cannot be edited.
function kept({ el, before, wanted }, now) {
  return el.isContentEditable && wanted !== null && squash(before) !== '' && now.includes(before) && !wanted.includes(before);
}

function content(el) { return el.isContentEditable ? el.textContent : el.value; }

function middle(el) {
  const r = el.getBoundingClientRect();
  return [r.left + r.width / 2, r.top + r.height / 2];
}

// choose waits, but not beyond o.by, until select element n has options with these values or labels
// and selects them alone. Missing: gone, hidden, disabled, untyped (no select),
// single (takes one), option (which: the first it has not, options: what it has).
async function choose(n, values, o) {
  for (;;) {
    const given = element(n);
    if (!given) return { missing: 'gone' };
    const el = given.control || given;
    if (el.nodeName !== 'SELECT') return { missing: 'untyped' };
    if (values.length > 1 && !el.multiple) return { missing: 'single' };
    const answer = chooseNow(el, values);
    if (!answer.missing || Date.now() >= o.by) return answer;
    await nextFrame();
  }
}

function chooseNow(el, values) {
  if (!isRendered(el)) return { missing: 'hidden' };
  if (isInert(el)) return { missing: 'disabled' };
  const options = [...el.options];
  const wanted = values.map(v => options.find(o => o.value === v) || options.find(o => squash(o.label) === squash(v) || squash(o.text) === squash(v)));
  const lacking = wanted.findIndex(o => !o || o.matches(':disabled'));
  if (lacking >= 0) return { missing: wanted[lacking] ? 'disabled' : 'option', which: values[lacking], options: options.slice(0, 20).map(o => squash(o.label)) };
  el.focus();
  const differs = options.some(o => o.selected !== wanted.includes(o));
  for (const option of options) option.selected = wanted.includes(option);
  if (differs) announce(el);
  return { values: wanted.map(o => o.value) };
}

// checked says whether element n is checked: true, false, or null if it is
// nothing that can be. Given what is wanted, it waits for that, but not beyond by.
async function checked(n, wanted, by) {
  for (;;) {
    const given = element(n);
    if (!given) return { missing: 'gone' };
    const now = isChecked(given.control || given);
    if (wanted === undefined || now === wanted || Date.now() >= by) return { checked: now };
    await nextFrame();
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
  const el = given && given.control || given;
  if (!el) return 'text';
  if (el.nodeName === 'SELECT') return 'select';
  return el.type === 'checkbox' || el.type === 'radio' || el.getAttribute('role') === 'switch' ? 'check' : 'text';
}

// fileInput says whether element n takes files, several of them, or a folder.
function fileInput(n) {
  const given = element(n);
  if (!given) return { missing: 'gone' };
  const el = given.control || given;
  return { file: el.localName === 'input' && el.type === 'file', multiple: el.multiple === true, folder: el.webkitdirectory === true };
}

Object.assign(chela, { awaitsText, awaitsTextHere, fileInput, sortOf, edit, editDone, editOver, editResult, choose, checked });
