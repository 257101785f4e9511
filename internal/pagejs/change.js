// Changes: whether documents changed while something was done to them, and
// when they have come to rest.

let watcher = null;
let changedAt = 0; // when the first change came, as Date.now tells it; 0: none did

// watch begins to look out for changes of all documents of this origin.
function watch() {
  for (const each of everywhere()) each.watchHere();
}

function watchHere() {
  watcher?.disconnect();
  changedAt = 0;
  submitting = false;
  filesAsked = [];
  watcher = new MutationObserver(noteChange);
  observeWith(watcher);
}

// noteChange ends the watch: the first change is all that is asked for.
function noteChange() {
  changedAt = Date.now();
  watcher.disconnect();
  watcher = null;
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
  const files = everywhere().reduce((sum, each) => sum + each.filesHere(), 0);
  return { at: times.length > 0 ? Math.min(...times) : 0, files };
}

// changed is changesSoFar that ends the watch.
async function changed() {
  const changes = await changesSoFar();
  for (const each of everywhere()) each.endWatchHere();
  return changes;
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

// rest waits until no document of this origin has changed for idle
// milliseconds, at most for most.
function rest(idle, most) {
  return new Promise(resolve => {
    const observer = new MutationObserver(() => { clearTimeout(calm); calm = setTimeout(end, idle); });
    let calm = setTimeout(end, idle);
    const limit = setTimeout(end, most);
    function end() {
      observer.disconnect();
      clearTimeout(calm);
      clearTimeout(limit);
      resolve();
    }
    for (const each of everywhere()) each.observeWith(observer);
  });
}

// observeWith has an observer told of every change in this document and the
// shadow roots in it that are known.
function observeWith(observer) {
  for (const root of [document, ...shadowRoots()]) {
    observer.observe(root, { subtree: true, childList: true, characterData: true, attributes: true });
  }
}

Object.assign(chela, { watch, watchHere, changed, changedHere, endWatchHere, submits: () => submitting, filesHere, rest, observeWith });
