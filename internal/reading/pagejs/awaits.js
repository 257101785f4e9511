// This file tells whether the focused element takes text or keys.

// awaitsTextHere reports whether the focused element takes text. It returns null if the focus is in
// another frame or a closed shadow root, where this script cannot look.
function awaitsTextHere() {
  const el = document.hasFocus() ? focused() : null;
  if (!el) return false;
  if (el.localName === 'iframe' || el.localName === 'frame') return el.contentDocument ? false : null;
  if (document.designMode === 'on') return true;
  if (takesText(el)) return !el.readOnly && !isInert(el);
  return el.tabIndex < 0 && el !== document.body ? null : false; // the focus is on something in a closed shadow root of el
}

// awaitsKeys reports whether the focused element of the tab takes characters. That is a field, or a
// list, game or terminal that handles keys itself.
function awaitsKeys() { return everywhere().some(each => each.awaitsKeysHere()); }

function awaitsKeysHere() {
  const text = awaitsTextHere();
  if (text !== false) return true; // null also counts: this script cannot look there
  const el = document.hasFocus() ? focused() : null;
  return el !== null && el !== document.body && el.tabIndex >= 0 && !el.contentDocument && !takesText(el) && !isPressed(el);
}

// Roles of elements that are only pressed: a typed character does nothing there.
const pressedRoles = new Set(['button', 'link', 'checkbox', 'radio', 'switch']);

// isPressed reports whether an element can only be pressed, so that a typed character does nothing
// there. That is not so for the items of a menu, where a character chooses an item.
function isPressed(el) {
  const own = el.getAttribute('role');
  if (own) return pressedRoles.has(own);
  if (el.nodeName === 'INPUT') return ['button', 'submit', 'reset', 'image', 'file', 'checkbox', 'radio', 'color', 'range'].includes(el.type);
  return ['BUTTON', 'A', 'AREA', 'SUMMARY', 'VIDEO', 'AUDIO'].includes(el.nodeName);
}

Object.assign(chela, { awaitsTextHere, awaitsKeys, awaitsKeysHere });
