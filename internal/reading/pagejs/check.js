// The checked state of checkboxes, radio buttons and switches, by HTML, ARIA and ElementInternals.

// checked returns the checked state of element n: true, false or 'mixed', or null if it can have
// none. It also returns the number of the element that has the state (box), and whether that is a
// radio button. If the parameter wanted has a state, checked waits for that state. It waits for a
// limited time (most), as a Reaction does, and not longer than until the deadline (by).
//
// No script can read the state that a custom element sets through ElementInternals. So Go reads
// that state and passes it to this script. If fresh is false, the state that Go passed last may be
// outdated. Then checked returns the result of askAgain, which makes Go read the state and call
// again, with the time that is left of the wait. While it waits, it does so after each frame.
//
// Some sheets draw a cell again when its checkbox was clicked. If element n has gone, the only box in
// its cell confirms the wanted state.
async function checked(n, wanted, most, by, fresh) {
  for (const reaction = new Reaction(most, by);;) {
    const given = element(n);
    if (!given) {
      const box = wanted === null ? null : onlyBoxOfCell(n);
      if (box === null || reaction.isOver()) return { missing: 'gone' };
      if (isChecked(box) === wanted) return { checked: wanted, box: refOf(box), radio: isRadio(box) };
      await reaction.frame();
      continue;
    }
    if (wanted === null) noteCell(n, given);
    const el = boxOfState(controlOf(given)), internal = statesItself(el);
    if (internal && !fresh) return { ...askAgain(el), left: reaction.left };
    const now = isChecked(el);
    if (wanted === null || now === wanted || reaction.isOver()) return { checked: now, box: refOf(el), radio: isRadio(el) };
    await reaction.frame();
    fresh = false;
  }
}

// The number of the element for which checked was last called without a wanted state, and the cell
// that the element was in.
let cellOfChecked = { n: 0, cell: null };

function noteCell(n, given) {
  const cell = closest(given, el => el.matches('td, [role=gridcell], [role=cell]'));
  cellOfChecked = { n, cell: cell && new WeakRef(cell) };
}

// onlyBoxOfCell returns the only checkbox, radio button or switch in the cell that element n was in,
// null if there is no such box.
function onlyBoxOfCell(n) {
  const cell = cellOfChecked.n === n ? cellOfChecked.cell?.deref() : undefined, boxes = cell?.isConnected ? boxesIn(cell) : [];
  return boxes.length === 1 ? boxes[0] : null;
}

// boxOfState returns the element that has the checked state: usually el itself. If el has no such
// state, it is the only checkbox, radio button or switch in its shadow root. If el only has the role of
// one, it is the only one inside, if that is of the same kind. Another toggle inside, such as the star
// of a card, is not what el says.
function boxOfState(el) {
  const root = shadowOf(el), role = attributeOf(el, 'role');
  if (isChecked(el) !== null || root === null && !BOX_ROLES.has(role)) return el;
  const boxes = boxesIn(root ?? el).filter(box => root !== null || (isBox(box) ? isRadio(box) === isRadio(el) : attributeOf(box, 'role') === role));
  return boxes.length === 1 ? boxes[0] : el;
}

function boxesIn(root) {
  return [...root.querySelectorAll('*')].flatMap(el => {
    if (isChecked(el) !== null) return [el];
    return shadowOf(el) === null ? [] : boxesIn(shadowOf(el));
  });
}

function isChecked(el) {
  if (isBox(el)) return el.indeterminate ? 'mixed' : el.checked;
  const aria = attributeOf(el, 'aria-checked') || attributeOf(el, 'aria-pressed');
  return aria === null ? null : aria === 'mixed' ? 'mixed' : aria === 'true';
}

function isBox(el) { return el.localName === 'input' && BOXES.has(el.type); }

function isRadio(el) { return isBox(el) ? el.type === 'radio' : RADIOS.has(roleOf(el)); }

const RADIOS = words('radio menuitemradio');

// statesItself reports whether an element may be checked through ElementInternals.
function statesItself(el) {
  if (!el.localName.includes('-') || !el.matches(':defined')) return false;
  return !el.hasAttribute('aria-checked') && !el.hasAttribute('aria-pressed');
}

Object.assign(chela, { checked });
