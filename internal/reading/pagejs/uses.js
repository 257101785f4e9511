// Uses: what style sheets say about how elements are used.
//
// A rule such as ".menu:hover ul { display: block }" shows a part of an element while the mouse is
// over it. Until then nothing on the page says that there is more. Some code drags elements by
// pointer events of the page. Such code turns off the browser's own gestures on these elements with
// "touch-action: none". Nothing else shows that they can be dragged.

const MOST_USES = 100; // maximum number of selectors that are queried, and of elements that are marked

let uses = new Map(); // element -> the hint for its use, during a look (see look.js)

// revealing returns selectors for the elements whose hover makes a rule show what is in them, or
// beside them. Such a rule sets display or visibility.
function revealing({ selectorText, style, parentRule }) {
  const shows = style.visibility === 'visible' || style.display !== '' && style.display !== 'none';
  if (!shows || parentRule?.selectorText || /[(:]:|\(/.test(selectorText)) return NONE;
  return selectorText.split(',').map(selector => /^([^:]*[^:\s>+~]):hover\s*([\s>+~][^:]+)$/.exec(selector))
    .flatMap(parts => parts === null ? NONE : `${parts[1]}:has(${parts[2].trim()})`);
}

// findUses marks the elements of a document or shadow root. Elements are marked as draggable only
// if the page itself listens for presses.
function findUses(root, revealing, dragged) {
  if (pagePresses !== '') {
    const selectors = ['[style*="touch-action: none"]', '[style*="touch-action:none"]', ...dragged];
    mark(root, selectors, 'draggable', el => !belongsToSlider(el));
  }
  mark(root, revealing, 'onmouseenter', el => !isWhole(el) && !holdsVisibleControl(el));
}

function mark(root, selectors, hint, wanted) {
  if (selectors.length === 0 || selectors.length > MOST_USES) return;
  try {
    for (const el of root.querySelectorAll(selectors.join(','))) {
      if (uses.size >= MOST_USES) return;
      if (wanted(el)) uses.set(el, hint);
    }
  } catch { /* a selector of no elements, such as ::part: they stay unmarked */ }
}

// belongsToSlider reports whether an element is around a slider, without words, or inside one. What
// is dragged there is the slider, which has a line of its own.
function belongsToSlider(el) {
  if (el.matches(SLIDERS)) return false;
  return el.closest(SLIDERS) !== null || el.querySelector(SLIDERS) !== null && !/\p{L}/u.test(el.textContent);
}

const SLIDERS = '[role=slider], input[type=range]';

// holdsVisibleControl reports whether an element holds a visible control. Moving the mouse over
// that control also moves it over the element.
function holdsVisibleControl(el) {
  return Array.prototype.some.call(el.querySelectorAll(CONTROLS), control => control.checkVisibility({ visibilityProperty: true }));
}
