// Modal dialogs: while one is open, nothing outside of it can be acted on.

let modal = null;           // the dialog on top, in a walk
let aroundModal = new Set(); // what it is in

// findModal starts a walk.
function findModal() {
  modal = topModal();
  aroundModal = new Set();
  if (modal !== null) for (let e = parentOf(modal); e; e = parentOf(e)) aroundModal.add(e);
}

// topModal returns the modal dialog that takes the input, or null. Of several it
// is the one that is hit, wherever that is: what it blocks is not.
function topModal() {
  const open = [document, ...shadowRoots()].flatMap(root => [...root.querySelectorAll('dialog:modal')]);
  if (open.length < 2) return open[0] ?? null;
  return closest(deepest(innerWidth / 2, innerHeight / 2), el => open.includes(el)) ?? open[open.length - 1];
}

// blockedByModal says whether el is the outermost element, here, that the modal
// dialog takes the input from.
function blockedByModal(el, parent) {
  return el !== modal && !aroundModal.has(el) && parent !== null && aroundModal.has(parent.el);
}
