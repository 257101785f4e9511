// Changes: whether documents changed while something was done to them.

let watcher = null;
let changedAt = 0; // when the first change came, as Date.now tells it; 0: none did
let later = null;  // {input, counts, at, wake}: what changes later than the input; null: nobody asks

// watch begins to look out for changes of all documents of this origin; with
// andLater, also for the first that comes later than the input.
function watch(andLater) {
  for (const each of everywhere()) each.watchHere(andLater);
}

function watchHere(andLater) {
  endWatchHere();
  changedAt = 0;
  submitting = false;
  filesAsked = [];
  later = andLater ? { input: 0, counts: false, at: 0, wake: null } : null;
  beginWatch();
}

function beginWatch() {
  if (watcher) return;
  watcher = new MutationObserver(noteChange);
  observeWith(watcher);
}

// noteChange notes the first change. That ends the watch, unless there is
// another to come.
function noteChange() {
  changedAt ||= Date.now();
  if (later && !later.counts) return;
  endWatchHere();
  if (!later) return;
  later.at = Date.now();
  later.wake?.();
}

// What a document does within this time of its input is what the input did at
// once: frameworks show that in the next frame, and begin transitions in the one
// after it.
const AT_ONCE = 50; // milliseconds

// The time counts from the last input event: the act's own answer may come much
// later on a busy machine. Its handlers have run before the next task.
function takeInput(event) {
  if (!later || !event.isTrusted) return;
  const at = Date.now();
  for (const each of everywhere()) each.inputTakenHere(at);
}

for (const type of ['pointermove', 'mousemove', 'input', ...pointerEvents, ...keyEvents]) {
  addEventListener(type, takeInput, { capture: true, passive: true });
}

// inputTakenHere has what changes in this document from a moment after the input
// count as later; at is when that came, 0 if this document was told nothing of it.
function inputTakenHere(at) {
  if (!later || later.input && !at) return;
  const mine = later = { input: at, counts: false, at: 0, wake: null };
  beginWatch();
  nextTask().then(() => setTimeout(() => {
    if (watcher?.takeRecords().length) changedAt ||= Date.now();
    mine.counts = true;
  }, AT_ONCE));
}

// laterHere calls wake when this document has changed later than the input; it
// has for a document that was not there then as soon as that changes.
function laterHere(wake) {
  later ??= { input: 0, counts: true, at: 0, wake: null };
  later.wake = wake;
  if (later.at) wake();
  else beginWatch();
}

// What a document asks for is announced to it: downloads, too, of which nobody
// else can tell before their server has answered.
let filesAsked = []; // the announcements, which the page may have canceled

self.navigation?.addEventListener('navigate', event => {
  if (event.downloadRequest !== null && filesAsked.length < 100) filesAsked.push(event);
});

function filesHere() { return filesAsked.filter(event => !event.defaultPrevented).length; }

let submitting = false; // a form is sent in a task of its own
addEventListener('submit', () => { submitting = true; }, { capture: true });

for (const type of ['input', 'change', 'toggle']) {
  addEventListener(type, () => { if (watcher) noteChange(); }, { capture: true });
}

// changesSoFar says when the first change came, 0 if none did, how many files the
// documents asked for, and when the last input came. What the page had put off till after its
// handlers, such as the sending of a form, has begun by then.
async function changesSoFar() {
  if (everywhere().some(each => each.submits())) await nextTask();
  const times = everywhere().map(each => each.changedHere()).filter(at => at > 0);
  const input = Math.max(...everywhere().map(each => each.inputAt()));
  for (const each of everywhere()) each.inputTakenHere(0);
  const files = everywhere().reduce((sum, each) => sum + each.filesHere(), 0);
  return { at: times.length > 0 ? Math.min(...times) : 0, files, input };
}

// changed is changesSoFar that ends the watch, unless what comes later counts too.
async function changed() {
  const changes = await changesSoFar();
  if (!later) for (const each of everywhere()) each.endWatchHere();
  return changes;
}

function inputAt() { return later?.input ?? 0; }

// laterAt is when this document first changed later than the input, 0: not yet.
function laterAt() { return later?.at ?? 0; }

// forgetLaterHere ends the wait for that.
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

function nextTask() {
  return new Promise(resolve => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => { port1.close(); resolve(); };
    port2.postMessage(null);
  });
}

// observeWith has an observer told of every change in this document and the
// shadow roots in it that are known.
function observeWith(observer) {
  for (const root of [document, ...shadowRoots()]) {
    observer.observe(root, { subtree: true, childList: true, characterData: true, attributes: true });
  }
}

Object.assign(chela, { watch, watchHere, changed, changedHere, inputTakenHere, endWatchHere, submits: () => submitting, filesHere, observeWith, laterHere, inputAt, laterAt, forgetLaterHere });
