// Dragging: whether the page took a press and a move for the start of a drag and
// drop of HTML. If it did, Go goes on with drag events, otherwise with the mouse.

let dragStart = null;

function noteDrag(event) {
  if (event.isTrusted) dragStart = event;
}

// awaitDrag begins to listen for dragstart.
function awaitDrag() {
  dragStart = null;
  addEventListener('dragstart', noteDrag, { capture: true });
}

// dragging reports whether a drag has begun since then.
function dragging() {
  return dragStart !== null && !dragStart.defaultPrevented;
}

Object.assign(chela, { awaitDrag, dragging });
