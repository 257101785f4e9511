// Dragging: whether the page took a press and a move for the start of a drag.

let dragStart = null;

function noteDrag(event) {
  if (event.isTrusted) dragStart = event;
}

// awaitDrag begins to look out for a drag.
function awaitDrag() {
  dragStart = null;
  addEventListener('dragstart', noteDrag, { capture: true });
}

// dragging reports whether a drag has begun since then.
function dragging() {
  return dragStart !== null && !dragStart.defaultPrevented;
}

Object.assign(chela, { awaitDrag, dragging });
