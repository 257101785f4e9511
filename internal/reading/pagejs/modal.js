// Modal dialogs: while one is open, nothing outside of it can be acted on.

let modal = null;            // the dialog on top, during a walk
let aroundModal = new Set(); // the elements around the dialog

// findModal finds the modal dialog that takes the input, and the elements around it, for one walk.
function findModal() {
  modal = topModal();
  aroundModal = new Set();
  if (modal !== null) for (let e = parentOf(modal); e; e = parentOf(e)) aroundModal.add(e);
}

// topModal returns the modal dialog that takes the input, or null. If several are open, no property
// shows which of them was opened last. But all others are inert, so deepest finds none of them: it
// finds something in the last one, or its backdrop.
function topModal() {
  const open = [document, ...shadowRoots()].flatMap(root => [...root.querySelectorAll('dialog:modal')]);
  if (open.length < 2) return open[0] ?? null;
  return closest(deepest(innerWidth / 2, innerHeight / 2), el => open.includes(el)) ?? open[open.length - 1];
}

// blockedByModal reports whether the modal dialog takes the input from el. It is true only for the
// outermost of such elements. All that is in them is inert as well.
function blockedByModal(el, parent) {
  return el !== modal && !aroundModal.has(el) && parent !== null && aroundModal.has(parent.el);
}
