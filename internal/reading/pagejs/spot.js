// Spots: a point of an element that the caller has chosen for an action.

// The element that is acted on, and the point in it that the caller has chosen. The point is in
// pixels from the top left corner of the padding box. Without a chosen point, spot is null.
let spot = null;

// spotOf returns where the spot (the point that the caller has chosen) is in this frame's viewport.
function spotOf(el) {
  const box = boxOf(el);
  return { x: box.left + el.clientLeft + spot.x, y: box.top + el.clientTop + spot.y };
}

// holdsSpot reports whether the spot (the point that the caller has chosen) is inside of the
// element's box.
function holdsSpot(el) {
  const box = boxOf(el), { x, y } = spotOf(el);
  return x >= box.left && y >= box.top && x < box.right && y < box.bottom;
}

function sizeOf(el) {
  const { width, height } = boxOf(el);
  return `${Math.round(width)}x${Math.round(height)}`;
}

// revealSpot scrolls each box around the element until the spot (the point that the caller has
// chosen) is in the middle of the box. The spot of a large element may be out of view although the
// element's middle is not.
function revealSpot(el) {
  closest(parentOf(el), scroller => {
    const page = scroller === document.documentElement;
    if (page || scrollable(scroller)) scrollToMiddle(scroller, page, spotOf(el));
    return false;
  });
}
