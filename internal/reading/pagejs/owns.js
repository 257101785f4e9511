// aria-owns moves elements below another parent.

let owned = new Map();  // element -> its owner
let owners = new Map(); // owner -> its elements

// findOwned finds the elements that aria-owns moves, for one look (see look.js). An element has one
// owner, the first; a cycle is ignored. An element that is not rendered stays at its own place, such
// as the list of a closed combobox. An owner that is not rendered owns nothing: the walk would never
// reach what is moved below it.
function findOwned() {
  owned = new Map();
  owners = new Map();
  const hasPlace = el => el.checkVisibility() || isRendered(el);
  for (const owner of document.querySelectorAll('[aria-owns]')) {
    if (!hasPlace(owner)) continue;
    const children = referenced(owner, 'aria-owns', 'ariaOwnsElements').filter(el => !owned.has(el) && !above(el, owner) && hasPlace(el));
    for (const el of children) owned.set(el, owner);
    owners.set(owner, children);
  }
}

// above reports whether el is owner, or an ancestor of owner by its position in the document or by
// aria-owns.
function above(el, owner) {
  for (let e = owner; e; e = owned.get(e) ?? parentOf(e)) if (e === el) return true;
  return false;
}

const NONE = [];

function ownedBy(el) {
  return owners.size === 0 ? NONE : owners.get(el) ?? NONE;
}

function isOwned(node) {
  return owned.size !== 0 && owned.has(node);
}
