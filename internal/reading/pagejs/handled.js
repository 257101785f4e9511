// Handled: whether the page has done what it puts off after input. A person's next act comes later
// than that, but the next act of a batch may come earlier.

let lastSelection = [];                    // the selection of this document as of the last selectionchange, see selectionNow
let selectionHandling = Promise.resolve(); // ends when the page has handled that event
let wakeAtSelection = () => {};            // called at the next of these events
let pressHandling = Promise.resolve();     // ends when the page has handled the last press of the mouse

listen(['selectionchange'], noteSelection, { capture: true });
listen(['mousedown', 'click'], event => { if (event.isTrusted) pressHandling = eventHandled(); }, { capture: true, passive: true });

// eventHandled waits until the page has handled the event of this task, maybe by a timer. Timers of the
// same delay run in the order of their start, and the page's listeners are called after ours.
function eventHandled() { return nextTask().then(laterTasks); }

function noteSelection() {
  lastSelection = selectionNow();
  selectionHandling = eventHandled();
  wakeAtSelection();
}

function selectionNow() {
  const { anchorNode, anchorOffset, focusNode, focusOffset } = getSelection() ?? {}; // null: the document is not shown
  return [anchorNode, anchorOffset, focusNode, focusOffset];
}

// selectionHandledHere waits until an editor of rich text knows its selection, at most until the deadline
// (by). Editors learn it from selectionchange, which Chromium dispatches later than the key or the press.
async function selectionHandledHere(by) {
  if (!focused()?.isContentEditable) return;
  if (selectionNow().some((part, i) => part !== lastSelection[i])) {
    await new Promise(resolve => { wakeAtSelection = resolve; setTimeout(resolve, Math.min(by - performance.now(), HANDLED_LATE)); });
    lastSelection = selectionNow(); // no event may come if the page has replaced the text
  }
  await selectionHandling;
}

const HANDLED_LATE = 200; // milliseconds

// selectionTold waits until the page has been told of a selection that was made in this task. Chromium
// sends that event with one of the next frames, and none if the selection is as it was.
async function selectionTold(by) {
  const before = selectionHandling;
  await twoFrames(Math.min(by, performance.now() + TOLD_WITHIN), () => selectionHandling !== before);
}

const TOLD_WITHIN = 1000; // milliseconds that two frames may take

function pressHandledHere() { return pressHandling; }

// selectionHandled waits for the editor of a document of this origin that has the focus. It is called
// before a press, and before an element gets the focus: a button for bold acts on what the editor knows.
async function selectionHandled(by) { await allHandled(everywhere().map(each => each.selectionHandledHere(by))); }

// pressesHandled waits until the page has handled the presses of the mouse. It is called before a key,
// and before an element gets the focus. After a press on an entry, a list may give the focus back.
async function pressesHandled() { await allHandled(everywhere().map(each => each.pressHandledHere())); }

// allHandled waits until all promises are kept. Those of a document that is removed meanwhile never are.
function allHandled(promises) { return Promise.race([Promise.all(promises), new Promise(resolve => { setTimeout(resolve, HANDLED_LATE); })]); }

Object.assign(chela, { selectionHandledHere, pressHandledHere });
