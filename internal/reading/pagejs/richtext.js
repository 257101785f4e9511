// Rich text: what editing it needs in addition, because editors keep a model of the text and of the
// selection. The page script and the page tell each other about both by events, which may come later.

// hostOf returns what has the focus when an element is edited. For rich text that is the editing
// host, which holds all of the text.
function hostOf(el) {
  let host = el;
  while (host.isContentEditable && host.parentElement?.isContentEditable) host = host.parentElement;
  return host;
}

// editorDone waits for two frames and for 25 ms. Some editors put text back with a timer, and two
// frames may follow each other at once. In a tab without frames it waits for 40 ms.
async function editorDone() {
  const began = performance.now();
  await twoFrames(began + 40);
  await new Promise(resolve => setTimeout(resolve, began + 25 - performance.now()));
}

// twoFrames waits for two frames, but not longer than until the given time (end), nor after the
// function isOver returns true.
async function twoFrames(end, isOver = () => false) {
  for (let frames = 0; !isOver() && frames < 2 && performance.now() < end;) if (await nextFrame(end)) frames++;
}

const TWO_LINES = /\S\s*\n\s*\S/;

// runsTogether reports whether an editor has put the lines of an inserted text into one node of text.
// Editors with a model of their own, such as Lexical and Slate, prevent the insertion and insert the
// text into their model themselves. They expect no line breaks there, since a person presses Enter.
function runsTogether({ el, inserted, asked, wanted }) {
  if (!inserted || !asked?.defaultPrevented || !el.isContentEditable || !TWO_LINES.test(wanted)) return false;
  const texts = document.createTreeWalker(el, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) if (TWO_LINES.test(node.data)) return true;
  return false;
}

// insertLines replaces the text of an editor once more, as a correction of the spelling does. Such an
// editor handles this by the same event as the insertion. But this text comes as a DataTransfer, and
// editors make a paragraph of each of its lines. If an editor does not handle it, nothing changes.
async function insertLines({ el, wanted, by }) {
  select(el, false);
  await selectionTold(by);
  if (performance.now() >= by) return;
  const dataTransfer = new DataTransfer();
  dataTransfer.setData('text/plain', wanted);
  el.dispatchEvent(new InputEvent('beforeinput', { inputType: 'insertReplacementText', dataTransfer, bubbles: true, cancelable: true, composed: true }));
  await nextFrame(by);
}

// isBroken reports whether the line breaks of an inserted text have become elements, in a host that is
// for plain text only. A person who presses Enter there inserts a line feed, and the page may read
// the text with textContent. But Chromium makes a block of each line that it inserts.
function isBroken({ el, inserted, wanted }) {
  return inserted && el.contentEditable === 'plaintext-only' && el.firstElementChild !== null && wanted.includes('\n') && !el.textContent.includes('\n');
}

// insertPlain inserts the text of an element once more, with line feeds.
function insertPlain({ el, wanted }) {
  select(el, false);
  wanted.split('\n').forEach((line, i) => {
    if (i > 0) document.execCommand('insertLineBreak');
    if (line !== '') document.execCommand('insertText', false, line);
  });
}

// keptBeside reports whether rich text still holds all that was to be replaced: Chromium
// does not delete a selection that begins or ends with what cannot be edited.
function keptBeside({ el, before, wanted, atEnd }, now) {
  return el.isContentEditable && !atEnd && squash(before) !== '' && now !== before && now.includes(before) && !wanted.includes(before);
}
