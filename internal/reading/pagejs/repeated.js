// Repeated elements: which elements stand beside others of their kind, as the rows, cards and entries of a list do.

// isRepeated reports whether an element is made like one beside it.
function isRepeated(el) {
  const before = neighbour(el, 'previousElementSibling'), after = neighbour(el, 'nextElementSibling');
  return before !== null && isMadeLike(el, before) || after !== null && isMadeLike(el, after);
}

// topOf returns the outermost element that has nothing else in it than the given one, except for ornaments. It stops
// at list items, rows, cells and roles. A component counts as holding what is in its shadow tree.
function topOf(el) {
  let top = el;
  for (let levels = 0; levels < TOP_LEVELS && isAlone(top) && !HOLDS_ITEM.has(top.localName); levels++) {
    const up = top.parentElement ?? top.getRootNode().host ?? null;
    if (up !== null && isInGrid(up)) return up;
    if (up === null || up === document.body || HOLDS_ITEM.has(up.localName) || up.hasAttribute('role')) break;
    top = up;
  }
  return top;
}

const HOLDS_ITEM = words('li tr td th');
const TOP_LEVELS = 8;

const isAlone = el => neighbour(el, 'previousElementSibling') === null && neighbour(el, 'nextElementSibling') === null;

// neighbour returns the next element in a direction, or null. It passes over a few ornaments.
function neighbour(el, direction) {
  let other = el[direction];
  for (let i = 0; i < MOST_ORNAMENTS && other !== null && isOrnament(other); i++) other = other[direction];
  return other;
}

const MOST_ORNAMENTS = 3;

// isOrnament reports whether an element only divides or decorates what is beside it. An empty box with a ref, or with
// attributes that say what it is, does not.
function isOrnament(el) {
  if (el.firstChild === null && EMPTY_ORNAMENTS.has(el.localName)) return !numbers.has(el) && el.getAttributeNames().every(name => PLAIN_ATTRIBUTES.has(name));
  return ORNAMENTS.has(el.localName) || el.localName === 'img' && el.alt === '';
}

const ORNAMENTS = words('br hr style svg'), EMPTY_ORNAMENTS = words('b div i span'), PLAIN_ATTRIBUTES = words('aria-hidden class style');

// listOf returns the element that holds an item and those beside it. In a grid of items, it is the table.
const listOf = top => isInGrid(top) ? top.closest(TABLE) ?? top.parentNode : top.parentNode;

// isInGrid reports whether an element is a cell that holds a control, as the cell beside it does if it holds anything.
// Such cells are items: photos, or days of a month.
function isInGrid(el) {
  if (!el.matches(CELL)) return false;
  const kind = controlIn(el);
  return kind !== undefined && [el.previousElementSibling, el.nextElementSibling].some(beside => beside !== null && (controlIn(beside) === kind || !/\S/.test(beside.textContent)));
}

// controlIn returns the kind of the first control in a cell, or undefined.
const controlIn = el => el.querySelector('a[href], button, [role="button"]')?.localName;

// isMadeLike reports whether two elements have the same tag, and have a class in common or one has none.
// A class may only say which of them is chosen.
function isMadeLike(a, b) {
  if (a.localName !== b.localName) return false;
  const x = a.getAttribute('class'), y = b.getAttribute('class');
  return x === y || x === null || y === null || classesOf(a).some(name => b.classList.contains(name));
}
