// Changes: whether documents changed while an act, such as a click, was done to them.
//
// An act answers when its effect can be seen. So the documents are watched for the first change of
// any kind, from before the input. If the call waits until the page is quiet (settleMs), they are
// also watched for the first change that comes later than the input. The input's own handlers
// change some things at once, such as the class of a pressed button. Such a change does not show
// whether the page will change again.

let watcher = null; // the MutationObserver, while this document is watched
let changedAt = 0;  // when the first change came, by Date.now; 0: there was none

// The watch for changes that are later than the input, null if there is none. Times are as Date.now
// counts; 0: not yet, or never.
//	input   when the input came to this document
//	asked   when Go first asked for changes, if no input came to this document
//	counts  whether a change that comes now counts as later
//	last    when the last change came
//	at      when the first change came that counts as later
//	wake    called when such a change comes
let later = null;

const noneLater = () => ({ input: 0, asked: 0, counts: false, last: 0, at: 0, wake: null });

// watchChanges begins to watch all documents of this origin for their first change. With andLater,
// it also watches for the first change that comes later than the input.
function watchChanges(andLater) {
  for (const each of everywhere()) each.watchHere(andLater);
}

function watchHere(andLater) {
  endWatchHere();
  changedAt = 0;
  submitting = false;
  sends = null;
  invalid = [];
  downloads = [];
  later = andLater ? noneLater() : null;
  beginWatch();
}

function beginWatch() {
  if (watcher) return;
  watcher = new MutationObserver(noteChange);
  observeWith(watcher);
}

// noteChange notes a change. The first change ends the watch, unless a caller waits for a change
// that comes later than the input.
function noteChange() {
  const now = Date.now();
  changedAt ||= now;
  if (later) later.last = now;
  if (later && !later.counts) return;
  endWatchHere();
  if (later) foundLater(later, now);
}

function foundLater(watch, at) {
  watch.at = at;
  watch.wake?.();
}

// Changes within this time after the input are its immediate effect: frameworks render in the next
// frame, and begin transitions in the one after it.
const AT_ONCE = 50; // milliseconds

// takeInput handles each event of the input: in all documents, the time AT_ONCE starts again. The
// listener on the window runs before the listeners of the page, and all of them have run before the
// next task. A clock in Go would start too late: on a busy machine the reply to the input may take
// seconds.
function takeInput(event) {
  if (!later || !event.isTrusted) return;
  const at = Date.now();
  for (const each of everywhere()) each.inputTakenHere(at);
}

listen(['pointermove', 'mousemove', 'input', ...pointerEvents, ...keyEvents, ...wheelEvents, ...dragEvents], takeInput, { capture: true, passive: true });

// inputTakenHere notes that input came at a time (at). Changes of this document count as later than
// the input from AT_ONCE after its handlers have run.
function inputTakenHere(at) {
  if (!later) return;
  const mine = later = { ...noneLater(), input: at };
  beginWatch();
  nextTask().then(() => setTimeout(() => {
    if (watcher?.takeRecords().length) changedAt ||= Date.now();
    mine.counts = true;
  }, AT_ONCE));
}

// laterHere calls wake when this document has changed later than the input. The input may have come
// to another document. The parameter input is then the time when it came; 0 if that is not known.
// In a document that was loaded after the input every change is later.
function laterHere(wake, input) {
  later ??= { ...noneLater(), counts: true };
  later.wake = wake;
  if (later.at) return wake();
  beginWatch();
  if (!later.counts && !later.input) countAfter(later, (input || later.asked) + AT_ONCE);
}

// countAfter makes a watch count all changes after a time as later than the input, also those that
// have already come.
function countAfter(watch, time) {
  const left = time - Date.now();
  if (left > 0) {
    setTimeout(() => countAfter(watch, time), left);
    return;
  }
  if (watcher?.takeRecords().length) noteChange();
  watch.counts = true;
  if (watch.last > time) foundLater(watch, watch.last);
}

// Navigations of this document to downloads; the page may have canceled some. Go waits for this
// number of downloads, since Chromium reports a download only when the server of the file answers.
let downloads = [];
const MOST_DOWNLOADS = 100;

self.navigation?.addEventListener('navigate', event => {
  if (event.downloadRequest !== null && downloads.length < MOST_DOWNLOADS) downloads.push(event);
});

function downloadsHere() { return downloads.filter(event => !event.defaultPrevented).length; }

// Whether a form was submitted: Chromium navigates for that in a later task.
let submitting = false;
listen(['submit'], () => { submitting = true; }, { capture: true });

function submitsHere() { return submitting; }

// The last input, if it can send a form: a click on a button for it, or Enter in one of its fields; else null.
let sends = null;
listen(['click', 'keydown'], event => { if (event.isTrusted) sends = canSend(event) ? event : null; }, { capture: true });

function canSend(event) {
  const control = targetOf(event)?.closest('button, input');
  if (!control?.form) return false;
  return event.type === 'keydown' ? event.key === 'Enter' : ['submit', 'image'].includes(control.type);
}

// Events of controls that did not hold what their form requires when it was to be sent. The field by has
// the input that was to send it. Chromium then sends nothing, puts the focus on the first of them, and
// shows its message. It can do neither for one that is not rendered.
let invalid = [];
listen(['invalid'], event => { if (event.isTrusted && sends && invalid.length < MOST_INVALID) invalid.push({ event, by: sends }); }, { capture: true });
const MOST_INVALID = 100;

// invalidHere describes the control of this document that kept a form from being sent; null if there
// is none. The page may handle the event itself, or only ask whether a form is complete.
function invalidHere() {
  if (invalid.length === 0 || submitting) return null;
  const keeps = ({ event: { target, defaultPrevented }, by }) => !defaultPrevented && target.matches(':invalid')
    && (target === target.getRootNode().activeElement || !by.defaultPrevented && !isRendered(target));
  const found = invalid.filter(keeps).map(({ event }) => event.target);
  const control = found.find(isRendered) ?? found[0];
  if (control === undefined) return null;
  // A custom element has its name and message for the scripts of the page only.
  return { name: cutName(nameOf(control) || attributeOf(control, 'name') || ''), message: control.validationMessage ?? '', hidden: !isRendered(control), number: refOf(control) };
}

// invalidControl returns invalidHere of one of the documents of this origin. A number means an element
// of this document.
function invalidControl() {
  for (const each of everywhere()) {
    const found = each.invalidHere();
    if (found) return each.invalidHere === invalidHere ? found : { ...found, number: 0 };
  }
  return undefined;
}

// Changes of form controls and of details elements are not mutations of the document.
listen(['input', 'change', 'toggle'], () => { if (watcher) noteChange(); }, { capture: true });

// changesSoFar reports on the documents of this origin. It returns when their first change came
// (at, 0 if none came), how many downloads they asked for, and when the last input came. It also
// returns whether a form was submitted (sent), and the control that kept one from being sent (invalid),
// if there is one. A page may put off work until after its handlers, such as submitting a form. Such
// work has begun when changesSoFar returns.
async function changesSoFar() {
  const sent = everywhere().some(each => each.submitsHere());
  if (sent) await nextTask();
  const at = firstChange();
  const input = Math.max(...everywhere().map(each => each.inputAt()));
  for (const each of everywhere()) each.askedHere();
  const files = everywhere().reduce((sum, each) => sum + each.downloadsHere(), 0);
  return { at, files, input, sent, invalid: invalidControl() };
}

// firstChange returns when the first change of the documents of this origin came, 0: none did.
function firstChange() {
  const times = everywhere().map(each => each.changedHere()).filter(at => at > 0);
  return times.length > 0 ? Math.min(...times) : 0;
}

function inputAt() { return later?.input ?? 0; }

function askedHere() { if (later) later.asked ||= Date.now(); }

// forgetLaterHere ends this document's watch for changes that come later than the input.
function forgetLaterHere() {
  const wake = later?.wake;
  later = null;
  wake?.();
}

function changedHere() {
  if (watcher?.takeRecords().length) noteChange();
  return changedAt;
}

function endWatchHere() {
  watcher?.disconnect();
  watcher = null;
}

// nextTask waits until the current task and its microtasks have ended. It uses a message, because
// browsers delay timers.
function nextTask() {
  return new Promise(resolve => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => { port1.close(); resolve(); };
    port2.postMessage(null);
  });
}

// observeWith lets an observer observe every change in this document and in its shadow roots, as
// far as they are known. The parameter more has further options of observe.
function observeWith(observer, more = {}) {
  for (const root of [document, ...shadowRoots()]) {
    observer.observe(root, { subtree: true, childList: true, characterData: true, attributes: true, ...more });
  }
}

Object.assign(chela, {
  watchChanges, watchHere, changesSoFar, changedHere, inputTakenHere, beginWatch, submitsHere, downloadsHere, invalidHere, observeWith,
  laterHere, inputAt, askedHere, forgetLaterHere,
});
