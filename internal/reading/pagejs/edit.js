// Editing: putting text into controls.

const textTypes = new Set(['', 'text', 'search', 'tel', 'url', 'email', 'password', 'number']);

// edit waits until element n takes text, at most until the time o.by. Then it focuses the element
// and selects its text (or, with o.atEnd, puts the caret at its end). It returns how Go must enter
// the text:
//
//	insert  by trusted input
//	erase   by the Delete key: the text is empty; empty if the element has none already
//	keys    by one key for each character, see wantsKeys; apace if without pauses between them
//	model   by paste, see hasModel
//	slides  by keys: the element is a slider, and the text is a position on it
//	aside   not yet: the mouse must be moved to this point before, see isUnderMouse
//	done    not at all: the element has the text already; holds is the text, if the element changed it
//
// If the text cannot be entered, edit returns what is missing (see missing.go): gone, hidden,
// disabled, covered, readonly, untyped, slider, unfillable, number, format, unfocusable. The other
// options are:
//
//	value    what an input without text, such as a date, gets in place of the text
//	mouse    where the mouse is, if that matters
//	moved    the mouse was moved for this edit, so the page first gets a frame to handle that
//	painted  the document must have been painted before, see firstPainted
//	clear    a combobox is erased even if it is empty: it may show its value beside its text
//	fill     a control that is not filled with text is left as it is; sort in the answer is its sort, see sortOf
async function edit(n, text, o) {
  const wait = beginWait(n);
  if (o.moved) await nextFrame(o.by);
  if (o.painted) await firstPainted(o.by);
  await selectionHandled(o.by);
  await pressesHandled();
  if (isOver(wait, o.by)) throw TOO_LATE;
  for (;;) {
    const el = element(n) && controlOf(element(n));
    if (el && takesValue(el) && unfitFor(el, text) === null) await focusFirst(el, wait, o.by);
    const answer = await editNow(n, text, o);
    if (answer.erase && el?.isContentEditable) await selectionTold(o.by); // some editors delete the text of the selection themselves
    if (!waitable.has(answer.missing) || !await waitFor(wait, answer, o.by)) return answer;
  }
}

// refusesText returns what keeps element n from taking text for good, if there is such a thing. For
// the input of an editor (hasModel) it returns {model}.
function refusesText(n, text) {
  const given = element(n);
  if (!given) return { missing: 'gone' };
  const el = controlOf(given);
  if (isSlider(el)) return { missing: 'slider' };
  const unfit = unfitFor(el, text);
  return unfit === null || waitable.has(unfit.missing) ? { model: hasModel(el) } : unfit;
}

const waitable = new Set(['hidden', 'disabled', 'covered', 'readonly']);

// editNow does what edit does, but does not wait for the element. For an input whose value is set, it
// returns a promise.
function editNow(n, text, o) {
  const given = element(n);
  if (!given) return { missing: 'gone' };
  const el = controlOf(given), sort = o.fill ? sortOf(el, text) : 'text';
  if (sort !== 'text') return { sort };
  const unfit = unfitFor(el, text);
  if (unfit !== null) return unfit;
  if (isSlider(el)) return o.atEnd ? { missing: 'slider' } : { slides: true };
  return takesValue(el) ? setValue(el, text, o.value) : prepare(el, text, o);
}

// unfitFor returns what an element lacks to take this text, null if nothing.
function unfitFor(el, text) {
  const input = el.localName === 'input';
  if (input && !takesText(el) && !takesValue(el)) return { missing: 'unfillable' };
  const slides = isSlider(el);
  if (slides && !isPosition(text) && !showsWords(el)) return { missing: 'slider' };
  if (!input && !slides && !takesText(el)) return { missing: 'untyped' };
  if (input && el.type === 'number' && text !== '' && !Number.isFinite(Number(text))) return { missing: 'number' };
  if (!isRendered(el)) return { missing: 'hidden' };
  const barred = barredFrom(el);
  if (barred !== null) return barred;
  if (el.readOnly || el.getAttribute('aria-readonly') === 'true') return { missing: 'readonly' };
  return null;
}

// takesText reports whether text can be typed into an element.
function takesText(el) {
  if (el.localName === 'input') return textTypes.has(el.type);
  return el.localName === 'textarea' || el.isContentEditable === true || Boolean(el.editContext);
}

// hasModel reports whether an element only receives the input of an editor, which keeps its text in
// a model and draws it elsewhere. Such an element has an EditContext (Monaco), or is a text area
// that nobody can see (CodeMirror 5, Ace, older Monaco). What it holds says little about the
// editor's text, and selecting it selects nothing in the editor. A text area with
// aria-multiline=false belongs to a terminal, which has no text to replace.
function hasModel(el) {
  if (el.editContext) return true;
  return el.localName === 'textarea' && el.getAttribute('aria-multiline') !== 'false' && isUnseen(el);
}

// offerText returns how text must be entered into what has the focus:
//
//	insert  by trusted input; even when the focus is where this script cannot look
//	pasted  not at all: it was pasted already
//	none    nothing that takes text has the focus
async function offerText(text) {
  if (!await focusIfLate(() => everywhere().some(each => each.awaitsTextHere() !== false))) return 'none';
  let answer = 'none';
  for (const each of everywhere()) {
    const awaits = each.awaitsTextHere();
    if (awaits === true) return each.offerTextHere(text) ? 'pasted' : 'insert';
    if (awaits === null) answer = 'insert';
  }
  return answer;
}

function offerTextHere(text) { return hasModel(focused()) && paste(text); }

function prepare(el, text, o) {
  bringOut(el);
  if (o.mouse && isUnderMouse(el, o.mouse)) return { aside: middlePoint(el) };
  const host = hostOf(el);
  const taken = giveFocus(host);
  if (focused() !== host) return whyUnfocused(taken);
  if (el.localName === 'input' && !takesText(el)) return { missing: 'unfillable' }; // the page has changed its type at the focus
  const before = content(el), model = hasModel(el);
  if (!model) select(el, o.atEnd);
  const empty = !model && text === '' && (before === '' || o.atEnd), clears = empty && o.clear && opensList(el);
  if (empty && !clears) return { done: true };
  if (clears) shownBefore = textAround(el);
  const code = codeFields(el, text), replaces = !model && !o.atEnd && text !== '', keyed = replaces && wantsKeys(el, text, code), inserted = replaces && !keyed;
  const apace = keyed && code.length === 0 && followsKeys(el);
  guardElement(host, o.guard, o.by, { each: model || apace || text === '' });
  guardBesides(o.guard);
  edited = { el, before, model, atEnd: o.atEnd, inserted, keyed, code: keyed ? code : [], by: o.by, asked: null, wanted: o.atEnd ? before + text : text, taken: false, wake: () => {} };
  awaitText(el);
  if (model) return { model: true };
  if (keyed) return { keys: true, apace };
  return text !== '' ? { insert: true } : { erase: true, empty };
}

// bringOut scrolls to a field that is out of view, or covered by something from which scrolling may free
// it. A person could not type there, and some pages then refuse the text. A field that has the focus
// may be covered by what it has opened itself.
function bringOut(el) {
  if (!inView(...middle(el))) reveal(el, 'center');
  for (const alignment of alignments) {
    const [x, y] = middle(el), hit = deepest(x, y);
    if (!inView(x, y) || focused() === el || reaches(el, hit) || !scrollUncovers(el, hit)) return;
    reveal(el, alignment);
  }
}

let shownBefore = ''; // what the latest combobox that was empty already showed around its text

// afterDelete returns what the Delete key has done to combobox n, which was empty already. It waits
// for the page to render, at most until the deadline (by). The answer is same if the combobox still
// shows what it showed before. If it shows something else, and takes a key now, the answer is again.
async function afterDelete(n, by) {
  await twoFrames(by);
  const el = element(n) && controlOf(element(n));
  const same = el !== null && textAround(el) === shownBefore;
  return { same, again: el !== null && !same && unfitFor(el, '') === null };
}

// isUnderMouse reports whether a field's popup is under the mouse, or will be once the field opens
// it. The page would treat this as a choice by the mouse. A date picker, for example, would put the
// day under the mouse into its field in place of the text.
function isUnderMouse(el, { x, y }) {
  if (el.isContentEditable) return false;
  const hit = deepest(x, y);
  if (hit === null || reaches(el, hit)) return false;
  return opensPopup(el) || closest(hit, n => /absolute|fixed/.test(getComputedStyle(n).position) && !isInside(el, n)) !== null;
}

// wantsKeys reports whether a text must be typed into an element by keys. The segments of some dates
// take nothing else. If each character of a code has a field of its own, the page moves the focus on.
// Elsewhere the page may follow the single keys, see followsKeys.
// A text with line breaks is inserted, because a key would send the form. The parameter code is what
// codeFields returns.
function wantsKeys(el, text, code) {
  if (/\p{Cc}/u.test(text)) return false;
  return code.length > 0 || el.isContentEditable && attributeOf(el, 'role') === 'spinbutton' || followsKeys(el);
}

// followsKeys reports whether a page may follow the single keys in an input. The list of a combobox may
// do so. A terminal draws each key elsewhere, and nobody sees its field. Comments and editors also have
// completions, which would change a text that comes by keys. They are no inputs.
function followsKeys(el) {
  return el.localName === 'input' && (isUnseen(el) || attributeOf(el, 'role') === 'combobox' || /^(inline|list|both)$/.test(attributeOf(el, 'aria-autocomplete')));
}

// codeFields returns the fields from el on that take the characters of a text, one for each. It returns
// [] for one character, and if there are not enough such fields. The rest of the text would then go to
// a field for something else.
function codeFields(el, text) {
  if (el.maxLength !== 1 || text.length < 2) return [];
  const all = [...el.getRootNode().querySelectorAll('input')].filter(field => field.type !== 'hidden'), from = all.indexOf(el);
  const fields = from < 0 ? [] : all.slice(from, from + text.length);
  return fields.length === text.length && fields.every(field => field.maxLength === 1) ? fields : [];
}

// When the page moves the focus on in a code, the text of the next field is selected, as by Tab. So the
// next key replaces it.
listen(['focusin'], event => {
  const [el] = event.composedPath();
  if (edited?.code.includes(el)) el.select();
}, { capture: true });

// opensPopup reports whether a field opens something to choose from. It says so by ARIA, or has a
// class like that of a picker.
function opensPopup(el) {
  if (el.hasAttribute('aria-haspopup') || el.hasAttribute('aria-expanded') || attributeOf(el, 'role') === 'combobox') return true;
  for (let e = el, level = 0; e !== null && level < 3; e = parentOf(e), level++) if (/picker|calendar/i.test(e.getAttribute('class'))) return true;
  return false;
}

// What edit has prepared, null if nothing:
//	el, before, wanted   the element, what it held, and what it is to hold
//	model, atEnd         see hasModel, and the option of edit
//	inserted             the text is entered without keys
//	keyed                the text is entered by keys, see wantsKeys
//	code                 the fields for its characters, see codeFields
//	by                   when the call must have been answered
//	asked                the latest beforeinput event, null if none came
//	taken                an input event has come, or a paste was taken
//	wake                 called when taken becomes true
let edited = null;

// textTaken makes input events known to editResult. It receives them before the page does, so no
// page can hide them.
function textTaken(event) {
  if (edited && event.isTrusted) edited.taken = true;
}

listen(['input'], textTaken, { capture: true });

// textAsked is called before the page is asked whether it lets a text in.
function textAsked(event) {
  if (!edited || !event.isTrusted) return;
  if (edited.asked === null) selectAgain(edited);
  edited.asked = event;
}

listen(['beforeinput'], textAsked, { capture: true });

// selectAgain selects the whole text of a field again if the page has changed the selection since, as
// some time pickers do after the focus. Chromium inserts the text where the selection is after this
// event. If the page has put a mask into the field, its caret stays where the page has put it.
function selectAgain({ el, before, inserted, keyed }) {
  if (!inserted && !keyed || el.isContentEditable || focused() !== el || el.selectionStart === null) return;
  const { value, selectionStart, selectionEnd } = el;
  if (selectionStart === 0 && selectionEnd === value.length) return;
  if (selectionStart !== selectionEnd || value === before) el.select();
}

// awaitText has textHandled called for the text that comes. The listener is added again for each
// edit. So it is the last to receive an event: the page has handled the text by then.
function awaitText(el) {
  removeEventListener('input', textHandled);
  addEventListener('input', textHandled);
  el?.editContext?.addEventListener('textupdate', textHandled);
}

function textHandled(event) {
  if (!edited || !event.isTrusted) return;
  edited.taken = true;
  edited.wake();
}

// paste dispatches a paste of text to what has the focus, and reports whether the page took it. An
// editor inserts pasted text unchanged. Many editors handle trusted text input as if a person typed
// it: they add closing brackets and indentation.
function paste(text) {
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', text);
  const taken = !focused().dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true, composed: true }));
  if (taken && edited) edited.taken = true;
  return taken;
}

// pasteInto pastes text into the editor that edit prepared, and reports whether the editor took it.
// If not, Go enters the text next by trusted input, which replaces the selection. So pasteInto then
// selects all that the EditContext of the editor holds. If the page has moved the focus to another
// element, nothing is pasted, and the guard stops that input.
function pasteInto(_, text) {
  if (edited === null || focused() !== hostOf(edited.el)) return false;
  if (paste(text)) return true;
  const context = edited.el.editContext;
  if (context && !edited.atEnd) context.updateSelection(0, context.text.length);
  return false;
}

// awaitEdit waits until the page has received the text, and returns editResult. If the text does
// not come, Go calls endEdit, which ends the wait. Once the element has its text, awaitEdit also
// prepares the field of the form that is filled next, if there is one.
async function awaitEdit(next) {
  if (edited && !edited.taken) await new Promise(resolve => { edited.wake = resolve; });
  const result = await editResult();
  if (next && result.passed && !result.refused && !result.beside) result.next = await editNext(next);
  return result;
}

// editNext does what edit does for the next field of a form, if that one is for text. It reports
// whether the text can be inserted there now; if not, Go calls edit. It begins one task later. The
// handlers of the text before may have put off work until then, such as to replace this field or to
// set its value.
async function editNext({ n, text, o }) {
  await nextTask();
  const given = element(n);
  if (given === null || takesValue(controlOf(given)) || performance.now() >= o.by) return false;
  return editNow(n, text, o).insert === true;
}

function endEdit() { edited?.wake(); }

// select selects the text of an element, or puts the caret at its end. All of an editor's text is
// then selected as by Ctrl+A, from its first to its last text. Some editors expect the selection in
// their paragraphs, and take back what replaces any other.
function select(el, atEnd) {
  if (el.isContentEditable) {
    const selection = el.getRootNode().getSelection ? el.getRootNode().getSelection() : getSelection();
    selection.selectAllChildren(el);
    if (el === hostOf(el)) document.execCommand('selectAll');
    if (atEnd) selection.collapseToEnd();
    return;
  }
  el.select();
  if (atEnd) try { el.setSelectionRange(el.value.length, el.value.length); } catch { /* number and e-mail have no caret to set */ }
}

// editResult ends the guards of the input, see guard.js. It returns the guard's verdict, and what
// happened to the text:
//
//	refused  no input event came, and the element holds what it held
//	beside   the text stands beside what it was to replace
//	holds    what the element holds now, if the page made something else of the text
//
// If nothing has the focus any more, Chromium inserts the text where the selection still is. Then only
// the input event comes, which no guard judges. The text itself shows that the element got it.
//
// An editor of rich text may compare the document with its own model a little later, and take back
// what it does not expect. So if the text is in the document, the result waits for two frames.
async function editResult() {
  const verdict = unguardHere();
  unguardAll(false);
  if (!edited) return verdict;
  const done = edited;
  edited = null;
  if (runsTogether(done)) await insertLines(done);
  else if (isBroken(done) && performance.now() < done.by) insertPlain(done);
  if (done.inserted && performance.now() < done.by && (done.taken || content(done.el) !== done.before)) releaseKey(done.wanted);
  if (done.el.isContentEditable && done.taken && !done.model) await editorDone();
  const now = content(done.el);
  if (done.taken && now === done.wanted && now !== done.before) verdict.passed = true;
  const refused = !done.taken && !done.model && now === done.before && now !== done.wanted && !(done.keyed && Number(now) === Number(done.wanted)); // 3 may be 03 already
  const beside = keptBeside(done, now);
  const spread = done.code.length > 0 && done.code.map(field => field.value).join('') === done.wanted;
  const holds = done.model || spread ? undefined : otherThan(done.wanted, done.el);
  return { ...verdict, refused, beside, holds, changes: await changesSoFar() };
}

// releaseKey dispatches the keyup event that a person would cause who types the last character of a
// text. Inserted text causes no key events, but many pages look for a filter, a format or an error
// only when a key is released. The event goes where the focus is by then, as a trusted one does. There
// is no keydown event: no keyboard has one after the input, and it may cancel what the input has begun.
function releaseKey(text) {
  const el = focused(), key = Array.from(text).at(-1);
  if (el === null || !takesText(el)) return;
  const keyCode = /[a-z0-9]/i.test(key) ? key.toUpperCase().charCodeAt(0) : UNKNOWN_KEY;
  el.dispatchEvent(new KeyboardEvent('keyup', { key, keyCode, bubbles: true, cancelable: true, composed: true, view: window }));
}

const UNKNOWN_KEY = 229; // the code of keys without a code, such as those of an input method

Object.assign(chela, { offerText, offerTextHere, pasteInto, edit, afterDelete, refusesText, awaitEdit, endEdit, editResult });
