// This file tells whether the focused element takes text or keys.

// awaitsTextHere reports whether the focused element takes text. It returns null if the focus is in
// another frame or a closed shadow root, where this script cannot look.
function awaitsTextHere() {
  const el = document.hasFocus() ? focused() : null;
  if (!el) return false;
  if (el.localName === 'iframe' || el.localName === 'frame') return el.contentDocument ? false : null;
  if (document.designMode === 'on') return true;
  if (takesText(el)) return !el.readOnly && !isInert(el);
  // If the focused element cannot take the focus itself, the focus is in a closed shadow root
  // inside it.
  return el.tabIndex < 0 && el !== document.body ? null : false;
}

// awaitsText reports whether the focused element takes text, in any document of this origin.
function awaitsText() { return everywhere().some(each => each.awaitsTextHere() === true); }

// awaitsKeys reports whether the tab's focused element takes typed characters. It is a text field,
// or an element that handles keys itself, such as a list, a game or a terminal.
function awaitsKeys() { return focusIfLate(() => everywhere().some(each => each.awaitsKeysHere())); }

// focusIfLate waits until a field that the page focuses late has the focus, but not longer than
// FOCUS_TIME. The browser focuses an element with autofocus shortly before the next picture. Many
// pages focus the field of a dialog when the dialog's animation ends. The function awaits tells
// whether a field has the focus. The result is its last answer.
function focusIfLate(awaits) { return new Reaction(FOCUS_TIME).until(awaits); }

const FOCUS_TIME = 500; // milliseconds

function awaitsKeysHere() {
  const text = awaitsTextHere();
  if (text !== false) return true; // null also counts: this script cannot look there
  const el = document.hasFocus() ? focused() : null;
  return el !== null && el !== document.body && el.tabIndex >= 0 && !el.contentDocument && !takesText(el) && !isPressed(el);
}

// Roles, types of inputs and names of elements that are only pressed: a typed character does nothing
// there.
const pressedRoles = words('button link checkbox radio switch');
const pressedTypes = words('button submit reset image file checkbox radio color range');
const pressedTags = words('button a area summary video audio');

// isPressed reports whether an element can only be pressed, so that a typed character does nothing
// there. That is not so for the items of a menu, where a character chooses an item.
function isPressed(el) {
  const own = el.getAttribute('role');
  if (own) return pressedRoles.has(own);
  return el.localName === 'input' ? pressedTypes.has(el.type) : pressedTags.has(el.localName);
}

Object.assign(chela, { awaitsText, awaitsTextHere, awaitsKeys, awaitsKeysHere });
