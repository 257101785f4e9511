// Changes: whether documents changed while something was done to them.
//
// An act answers when its effect can be seen. So its documents are watched from before the input,
// for the first change of any kind. If the call waits until the page is quiet (settleMs), they are
// also watched for the first change that comes later than the input. The input's own handlers
// change some things at once, such as the class of a pressed button. Such a change does not tell
// whether the page is still to answer.

let watcher = null; // the MutationObserver, while this document is watched
let changedAt = 0;  // when the first change came, by Date.now; 0: there was none

// The watch for changes that are later than the input, null if there is none:
//	input   when the input came, as Date.now counts; 0: not to this document, or not yet
//	counts  whether changes count as later by now
//	at      when the first of them came; 0: none did
//	wake    called when the first of them comes
let later = null;

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
  later = andLater ? { input: 0, counts: false, at: 0, wake: null } : null;
  beginWatch();
}

function beginWatch() {
  if (watcher) return;
  watcher = new MutationObserver(noteChange);
  observeWith(watcher);
}

// noteChange notes the first change. That ends the watch, unless someone waits for a later one.
function noteChange() {
  changedAt ||= Date.now();
  if (later && !later.counts) return;
  endWatchHere();
  if (!later) return;
  later.at = Date.now();
  later.wake?.();
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
// time of the input is at: 0 if the act has ended without any.
function inputTakenHere(at) {
  if (!later || later.input && !at) return;
  const mine = later = { input: at, counts: false, at: 0, wake: null };
  beginWatch();
  nextTask().then(() => setTimeout(() => {
    if (watcher?.takeRecords().length) changedAt ||= Date.now();
    mine.counts = true;
  }, AT_ONCE));
}

// laterHere calls wake when this document has changed later than the input. In a
// document that was loaded after the input every change is later.
function laterHere(wake) {
  later ??= { input: 0, counts: true, at: 0, wake: null };
  later.wake = wake;
  if (later.at) wake();
  else beginWatch();
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
  const times = everywhere().map(each => each.changedHere()).filter(at => at > 0);
  const input = Math.max(...everywhere().map(each => each.inputAt()));
  for (const each of everywhere()) each.inputTakenHere(0);
  const files = everywhere().reduce((sum, each) => sum + each.downloadsHere(), 0);
  return { at: times.length > 0 ? Math.min(...times) : 0, files, input };
}

// takeChanges returns changesSoFar and ends the watch, unless later changes are waited for.
async function takeChanges() {
  const changes = await changesSoFar();
  if (!later) for (const each of everywhere()) each.endWatchHere();
  return changes;
}

function inputAt() { return later?.input ?? 0; }

// laterAt returns when this document first changed later than the input, 0: not yet.
function laterAt() { return later?.at ?? 0; }

// forgetLaterHere ends the watch for later changes.
function forgetLaterHere() {
  endWatchHere();
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
  watchChanges, watchHere, takeChanges, changedHere, inputTakenHere, endWatchHere, submitsHere, downloadsHere, observeWith,
  laterHere, inputAt, laterAt, forgetLaterHere,
});
