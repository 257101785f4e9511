// Changes: whether documents changed while something was done to them.
//
// An act answers when its effect can be seen. So its documents are watched from before the input,
// for the first change of any kind. If the call waits until the page is quiet (settleMs), they are
// also watched for the first change that comes later than the input. The input's own handlers
// change some things at once, such as the class of a pressed button. Such a change does not tell
// whether the page is still to answer.

let watcher = null; // the MutationObserver, while this document is watched
let changedAt = 0;  // when the first change came, by Date.now; 0: there was none

// The watch for changes that are later than the input, null if there is none. Times are as Date.now
// counts; 0: not yet, or never.
//	input   when the input came to this document
//	asked   when Go first asked for changes, if no input came to this document
//	counts  whether changes count as later by now
//	last    when the last change came
//	at      when the first change came that counts as later
//	wake    called when that comes
let later = null;

const noneLater = () => ({ input: 0, asked: 0, counts: false, last: 0, at: 0, wake: null });

// watchChanges begins to watch all documents of this origin; with andLater, also for the
// first change that comes later than the input.
function watchChanges(andLater) {
  for (const each of everywhere()) each.watchHere(andLater);
}

function watchHere(andLater) {
  endWatchHere();
  changedAt = 0;
  submitting = false;
  downloads = [];
  later = andLater ? noneLater() : null;
  beginWatch();
}

function beginWatch() {
  if (watcher) return;
  watcher = new MutationObserver(noteChange);
  observeWith(watcher);
}

// noteChange notes a change. The first one ends the watch, unless someone waits for a later one.
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

// takeInput starts the time AT_ONCE in all documents, again with each event of the input. Its
// listener on the window runs before the page's own, and the handlers of the page have run before
// the next task. Go's clock would start too late: on a busy machine the reply to the input may take
// seconds.
function takeInput(event) {
  if (!later || !event.isTrusted) return;
  const at = Date.now();
  for (const each of everywhere()) each.inputTakenHere(at);
}

for (const type of ['pointermove', 'mousemove', 'input', ...pointerEvents, ...keyEvents, ...wheelEvents, ...dragEvents]) {
  addEventListener(type, takeInput, { capture: true, passive: true });
}

// inputTakenHere makes changes of this document count as later, beginning AT_ONCE from now. The
// time of the input is at.
function inputTakenHere(at) {
  if (!later) return;
  const mine = later = { ...noneLater(), input: at };
  beginWatch();
  nextTask().then(() => setTimeout(() => {
    if (watcher?.takeRecords().length) changedAt ||= Date.now();
    mine.counts = true;
  }, AT_ONCE));
}

// laterHere calls wake when this document has changed later than the input, which may have come to
// another document: at input, 0 if nobody knows. In a document that was loaded after the input every
// change is later.
function laterHere(wake, input) {
  later ??= { ...noneLater(), counts: true };
  later.wake = wake;
  if (!later.at) beginWatch();
  if (later.at) wake();
  else if (!later.counts && !later.input) countAfter(later, (input || later.asked) + AT_ONCE);
}

// countAfter makes changes after a time count as later, also those that have come already.
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

// The navigations of this document to downloads, which the page may have canceled. Go expects as
// many downloads: Chromium reports one only when its server answers.
let downloads = [];
const MOST_DOWNLOADS = 100;

self.navigation?.addEventListener('navigate', event => {
  if (event.downloadRequest !== null && downloads.length < MOST_DOWNLOADS) downloads.push(event);
});

function downloadsHere() { return downloads.filter(event => !event.defaultPrevented).length; }

// Whether a form was submitted: Chromium navigates for that in a later task.
let submitting = false;
addEventListener('submit', () => { submitting = true; }, { capture: true });

function submitsHere() { return submitting; }

// Changes of form controls and of details elements are no mutations of the document.
for (const type of ['input', 'change', 'toggle']) {
  addEventListener(type, () => { if (watcher) noteChange(); }, { capture: true });
}

// changesSoFar returns when the first change of the documents of this origin came (at, 0: none
// did). It also returns how many downloads they asked for, and when the last input came. Work that
// the page has put off until after its handlers, such as submitting a form, has begun by then.
async function changesSoFar() {
  if (everywhere().some(each => each.submitsHere())) await nextTask();
  const at = firstChange();
  const input = Math.max(...everywhere().map(each => each.inputAt()));
  for (const each of everywhere()) each.askedHere();
  const files = everywhere().reduce((sum, each) => sum + each.downloadsHere(), 0);
  return { at, files, input };
}

// firstChange returns when the first change of the documents of this origin came, 0: none did.
function firstChange() {
  const times = everywhere().map(each => each.changedHere()).filter(at => at > 0);
  return times.length > 0 ? Math.min(...times) : 0;
}

function inputAt() { return later?.input ?? 0; }

function askedHere() { if (later) later.asked ||= Date.now(); }

// forgetLaterHere ends the watch for later changes.
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

// observeWith has an observer observe every change in this document and in its shadow roots, as far
// as they are known.
function observeWith(observer) {
  for (const root of [document, ...shadowRoots()]) {
    observer.observe(root, { subtree: true, childList: true, characterData: true, attributes: true });
  }
}

Object.assign(chela, {
  watchChanges, watchHere, changesSoFar, changedHere, inputTakenHere, beginWatch, submitsHere, downloadsHere, observeWith,
  laterHere, inputAt, askedHere, forgetLaterHere,
});
