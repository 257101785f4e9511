// Choosers: listboxes made with ARIA, and the comboboxes and buttons that open one.

function isChooser(el) { return el.localName !== 'select' && (attributeOf(el, 'role') === 'listbox' || opensList(el)); }

// opensList reports whether an element opens a list. Some such elements have the role of the list
// that they open.
function opensList(el) {
  if (el.localName === 'select') return false;
  switch (attributeOf(el, 'role')) {
    case 'combobox': return true;
    case 'listbox': return el.hasAttribute('aria-expanded');
  }
  return attributeOf(el, 'aria-haspopup') === 'listbox' || el.getAttribute('aria-autocomplete') === 'list';
}

// chooserOf returns the chooser for an element: a list, or a control that opens one. It is the
// element itself, the list that it is an option of, or the only chooser that it contains. It is
// null if there is none.
function chooserOf(el) {
  if (isChooser(el)) return el;
  const list = closest(el, isChooser);
  if (list !== null && OPTION_ROLES.has(attributeOf(el, 'role'))) return list;
  const inside = [...flat(el)].filter(isChooser);
  const openers = inside.filter(opensList), all = openers.length > 0 ? openers : inside;
  return all.length === 1 ? all[0] : null;
}

// chooserBeside returns what is shown in place of a select element that cannot be seen, if that is
// a chooser. If none is next to the select, it is the only one in one of the closest boxes around.
function chooserBeside(select) {
  return chooserNextTo(select) ?? closeAncestors(select).map(chooserOf).find(found => found !== null) ?? null;
}

// chooserNextTo returns the chooser that a select element is in. Without such a chooser, it is the one
// right before or right after the select. It is null if there is none, or if there is one on both sides.
function chooserNextTo(select) {
  const around = closeAncestors(select).find(isChooser);
  if (around !== undefined) return around;
  const beside = [select.previousElementSibling, select.nextElementSibling].filter(el => el !== null).map(box => ({ box, chooser: chooserOf(box) }))
    .filter(({ box, chooser }) => chooser !== null && (chooser === box || partOf(box, chooser)));
  return beside.length === 1 ? beside[0].chooser : null;
}

// closeAncestors returns the closest ancestors of a select element, the innermost first.
function closeAncestors(select) {
  const around = [];
  for (let box = parentOf(select); box && box !== document.body && around.length < NEIGHBORHOOD; box = parentOf(box)) around.push(box);
  return around;
}

const LIST_ROLES = words('listbox tree grid');

// placesOf returns the elements that a control names as its list, and the list of its active
// option.
function placesOf(el) {
  const active = activeOf(el);
  const around = active ? closest(active, e => LIST_ROLES.has(attributeOf(e, 'role'))) : null;
  const named = [...referenced(el, 'aria-controls', 'ariaControlsElements'), ...referenced(el, 'aria-owns', 'ariaOwnsElements')];
  return around === null ? named : [...named, around];
}

// activeOf returns the active option that an element names (aria-activedescendant), null if none.
function activeOf(el) {
  const id = el.getAttribute('aria-activedescendant');
  return el.ariaActiveDescendantElement ?? (id ? el.getRootNode().getElementById?.(id) ?? null : null);
}
