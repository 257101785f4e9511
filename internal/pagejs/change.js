// Changes: whether documents changed while something was done to them.

let watcher = null;
let changedAt = 0; // when the first change came, as Date.now tells it; 0: none did
let later = null;  // {counts, at, wake}: what changes later than the input; null: nobody asks

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
  later = andLater ? { counts: false, at: 0, wake: null } : null;
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

// inputTakenHere marks that this document has taken the input. Frameworks show
// what it did in the next frame, and begin transitions in the one after that:
// what changes then counts as later.
function inputTakenHere() {
  if (!later) return;
  const mine = later = { counts: false, at: 0, wake: null };
  beginWatch();
  frames(2).then(() => {
    if (watcher?.takeRecords().length) changedAt ||= Date.now();
    mine.counts = true;
  });
}

// frames waits for so many frames; a document that is not drawn has none, so
// not for longer than they take elsewhere.
function frames(n) {
  return new Promise(resolve => {
    setTimeout(resolve, n * 25);
    const next = () => { if (n-- > 0) requestAnimationFrame(next); else nextTask().then(resolve); };
    next();
  });
}

// laterHere calls wake when this document has changed later than the input; it
// has for a document that was not there then as soon as that changes.
function laterHere(wake) {
  later ??= { counts: true, at: 0, wake: null };
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

// changesSoFar says when the first change came, 0 if none did, and how many
// files the documents asked for. What the page had put off till after its
// handlers, such as the sending of a form, has begun by then.
async function changesSoFar() {
  if (everywhere().some(each => each.submits())) await nextTask();
  const times = everywhere().map(each => each.changedHere()).filter(at => at > 0);
  for (const each of everywhere()) each.inputTakenHere();
  const files = everywhere().reduce((sum, each) => sum + each.filesHere(), 0);
  return { at: times.length > 0 ? Math.min(...times) : 0, files };
}

// changed is changesSoFar that ends the watch, unless what comes later counts too.
async function changed() {
  const changes = await changesSoFar();
  if (!later) for (const each of everywhere()) each.endWatchHere();
  return changes;
}

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

Object.assign(chela, { watch, watchHere, changed, changedHere, inputTakenHere, endWatchHere, submits: () => submitting, filesHere, observeWith, laterHere, laterAt, forgetLaterHere });
