// Touched items: what changed in items (see phrases.js) since the last reading. An act reads the document again only
// if something did in an item around its element.

let touched = [];          // nodes that changed since then; null: too many
let clicked = new WeakSet();  // elements that were clicked since then, and those around them
let hoveredThen = new Set();  // elements under the mouse in the last reading
let typed = new Map();        // editable element in an item -> its Typing since then
let lookedSince = 0;       // when the latest call began, as performance.now counts
let looked = 0;            // milliseconds that it has spent with reading the document again
let tooLong = false;       // the document was too long to be read again

const MOST_TOUCHED = 100;   // changed nodes that are remembered
const LOOKING = 1 / 5;      // the part of a call's time that may be spent with reading again

// watchItems begins to note which nodes change in a way that may change the phrases of an item. Changes by style sheets
// and properties are not noted.
function watchItems() {
  touches.disconnect();
  touched = [];
  if (lastItems.size === 0) return;
  observeWith(touches, { attributeFilter: IN_PHRASES });
}

const touches = new MutationObserver(noteTouched);

function noteTouched(records) {
  if (touched === null) return;
  touched = [...new Set([...touched, ...records.map(record => record.target)])];
  if (touched.length <= MOST_TOUCHED) return;
  touched = null;
  touches.disconnect();
}

// changedItems returns the items around an element if something changed in them since the last reading. A change in its
// labels counts as well. If the head of a column told its day, so does a change near that head.
function changedItems(el) {
  if (lastItems.size === 0 || !carries()) return [];
  noteTouched(touches.takeRecords());
  if (touched?.length === 0) return [];
  const items = [], about = new Set([...el.labels ?? [], ...labelledBy(el)]), head = lastHeads.get(numbers.get(el));
  for (let up = el; up !== null; up = parentOf(up)) {
    if (lastItems.has(up)) items.push(lastItems.get(up));
  }
  for (const item of items) about.add(item.el);
  if (head !== undefined) about.add(head.around);
  return items.length > 0 && isTouched(about) ? items : [];
}

// mayReadAgain reports whether a call may read the document again. A page may change an item again
// and again, such as one with a clock. So a call spends only a part of its time with reading.
function mayReadAgain() {
  return !tooLong && looked <= LOOKING * (performance.now() - lookedSince);
}

// beginsAsBefore reports whether an item has its first text. It is a rough test for when the document
// cannot be read again: other texts of another item may be the same.
function beginsAsBefore({ el, phrases }) {
  return plainly(el.textContent + ' ' + (el.ariaLabel ?? '')).includes(plainly(phrases.find(isText) ?? ''));
}

// haveItemsChanged reports whether something changed in any item since the last reading.
function haveItemsChanged() {
  noteTouched(touches.takeRecords());
  return isTouched(lastItems);
}

// isTouched reports whether a node changed in one of the elements, which are keys of a Map or Set.
function isTouched(items) {
  return touched === null || touched.some(node => closest(node, up => items.has(up)) !== null);
}

// beginLooks begins to count the time that a call spends with reading again.
function beginLooks() {
  lookedSince = performance.now();
  looked = 0;
}

// isExplained reports whether an item may have other words because of the user. It is a control that was
// clicked, or the mouse has come to it or left it.
function isExplained({ el, kind }) { return kind.isControl && clicked.has(el) || hasMouseChanged(el); }

function hasMouseChanged(el) { return el.matches(HOVERED) !== hoveredThen.has(el); }

listen(['click'], event => {
  if (event.isTrusted) closest(targetOf(event), el => { clicked.add(el); });
}, { capture: true });

// A Typing is the text of an editable element before the user's input, and after it.
class Typing {
  constructor(el) { this.before = this.now = spoken(el); }

  // isWhole reports whether the user alone has changed the text.
  isWhole(el) { return this.now === spoken(el); }
}

// spoken returns the words and numbers in the text of an element.
const spoken = el => plainly(el.innerText ?? '');

listen(['beforeinput'], event => {
  const host = editedBy(event), typing = typed.get(host);
  if (host === null) return;
  if (typing === undefined) typed.set(host, new Typing(host));
  else if (!typing.isWhole(host)) typing.now = null; // the page has changed it: from now on, no text is only the user's
}, { capture: true });

listen(['input'], event => {
  const host = editedBy(event), typing = typed.get(host);
  if (typing !== undefined && typing.now !== null) typing.now = spoken(host);
}, { capture: true });

// editedBy returns the editable element in an item that the user's input goes to, or null.
function editedBy(event) {
  const host = event.isTrusted ? hostOf(event.composedPath()[0]) : null;
  return host?.isContentEditable && closest(host, el => lastItems.has(el)) !== null ? host : null;
}

// withoutTyped returns two maps from elements to their Items, before and now, without what the user has typed and what
// it replaced. Such words show neither that an item is another one, nor that it is the same.
function withoutTyped(before, now) {
  if (typed.size === 0) return [before, now];
  const [had, has] = [new Map(before), new Map(now)];
  for (const [host, typing] of typed) {
    if (!typing.isWhole(host)) continue;
    closest(host, el => {
      const was = had.get(el), is = has.get(el);
      if (was === undefined || is === undefined || !was.says(typing.before)) return;
      had.set(el, was.without(typing.before));
      has.set(el, is.without(typing.now));
    });
  }
  return [had, has];
}
