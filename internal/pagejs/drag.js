// Dragging: whether the page took a press and a move for the start of a drag.

let dragStart = null;

addEventListener('dragstart', event => { if (event.isTrusted) dragStart = event; }, { capture: true });

// dragging reports whether a drag has begun since it was asked last, and forgets it.
function dragging() {
  const begun = dragStart !== null && !dragStart.defaultPrevented;
  dragStart = null;
  return begun;
}

Object.assign(chela, { dragging });
