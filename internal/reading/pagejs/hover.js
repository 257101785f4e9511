// Hover: which element the mouse has to be over so that another is shown. The page's
// style sheets say so: "li:hover .menu { left: 0 }".
//
// An element with the attribute interestfor shows another one when the mouse has been over it for a
// time, by default half a second. The style of the element says how long.

// HOVERED matches what the mouse is over. Without a doctype, ":hover" alone matches only links.
const HOVERED = ':is(*):hover';

// Properties by which a rule shows an element, or moves it onto the page.
const SHOWING = words('display visibility position top right bottom left inset-inline-start inset-inline-end transform translate scale'
  + ' margin-top margin-right margin-bottom margin-left text-indent');

// Properties by which a rule gives a box a size.
const SIZING = words('width height max-width max-height block-size max-block-size grid-template-rows');

// hoverFor returns the ref of the element that must be hovered so that el, or the hidden element
// around it, is shown. It returns 0 if no rule with one of the properties says so, or if the mouse
// is there already.
function hoverFor(el, properties = SHOWING) {
  for (const rule of hoverRules(el.getRootNode())) {
    if (!Array.from(rule.style).some(property => properties.has(property))) continue;
    for (const selector of ruleSelector(rule).split(/,(?![^(]*\))/)) {
      const over = overWhich(el, selector);
      if (over !== null) return refToHover(over);
    }
  }
  return 0;
}

// hoverRules yields the rules about hovering that a document or shadow root has.
function* hoverRules(root) {
  for (const sheet of [...root.styleSheets, ...root.adoptedStyleSheets]) {
    try {
      yield* hoverRulesIn(sheet.cssRules);
    } catch { /* the style sheet is of another origin, so its rules cannot be read */ }
  }
}

function* hoverRulesIn(rules) {
  for (const rule of rules) {
    if (rule.media && !matchMedia(rule.media.mediaText).matches) continue;
    if (rule.style && rule.selectorText && ruleSelector(rule).includes(':hover')) yield rule;
    const inside = rule.styleSheet?.cssRules ?? rule.cssRules;
    if (inside?.length > 0) yield* hoverRulesIn(inside);
  }
}

// overWhich returns the element that must be hovered so that a selector matches an element or an
// ancestor of it. The returned element contains the match, or comes before it as a sibling. The
// result is null if there is none.
function overWhich(element, selector) {
  const parts = /^(.*?):hover([^\s>+~]*)(\s*[\s>+~].+)$/.exec(selector.trim());
  if (parts === null) return null;
  const over = parts[1] + parts[2] || '*', always = over + parts[3].replaceAll(':hover', '');
  try {
    const shown = closest(element, el => el.matches(always) && !el.matches(selector));
    if (shown === null) return null;
    const around = /^\s*[+~]/.test(parts[3]) ? besideAll(shown) : allAround(shown);
    return around.find(el => el.matches(over) && isRendered(el) && !isOffPage(el)) ?? null;
  } catch {
    return null; // the selector does not select elements
  }
}

function allAround(el) {
  const parent = el.parentElement;
  return parent === null ? [] : [parent, ...allAround(parent)];
}

// besideAll lists the earlier siblings of el and of its ancestors.
function besideAll(el) {
  return [el, ...allAround(el)].flatMap(n => [...n.parentElement?.children ?? []].filter(other => isAfter(n, other)));
}

// refToHover returns the ref to hover in order to hover an element. If snapshots have shown
// controls inside the element, but not the element itself, it is the ref of the first control.
// Hovering the control also hovers the element.
function refToHover(over) {
  if (numbers.has(over)) return refOf(over);
  const inside = [...over.querySelectorAll('*')].find(el => numbers.has(el) && takesSpace(el) && !isOffPage(el));
  return refOf(inside ?? over);
}

// inputSinceHover says whether keys, buttons or the wheel were used since the last hover. They may have closed
// what the mouse had opened.
let inputSinceHover = false;
listen(['pointerdown', 'keydown', 'wheel'], event => { inputSinceHover ||= event.isTrusted; }, { capture: true, passive: true });

// wayOut returns how far from a point of an element the mouse must move to leave the element, as {x, y}.
// If the mouse is over a closed menu already, it has to come again. So it has if it is over what listens
// for the mouse, and other input may have closed that since. Else the page may only be late to open it, and
// would begin again. The mouse stays in the closest box around the element that has room for it. There it
// is most likely still over the menu that the element is in. The result is null if the mouse need not leave.
function wayOut(el, at) {
  const mayBeClosed = inputSinceHover;
  inputSinceHover = false;
  if (!el.matches(HOVERED)) return null;
  const over = mayBeClosed && hoverListener(el) || (isCollapsed(el) ? el : null);
  if (over === null) return null;
  const { left, top, right, bottom } = boxOf(over);
  const out = [{ x: at.x, y: bottom + 2 }, { x: right + 2, y: at.y }, { x: at.x, y: top - 2 }, { x: left - 2, y: at.y }].filter(({ x, y }) => inView(x, y));
  const inside = n => {
    const box = boxOf(n);
    return out.find(({ x, y }) => x > box.left && x < box.right && y > box.top && y < box.bottom);
  };
  const around = closest(over, n => n !== over && inside(n) !== undefined), to = around === null ? out[0] : inside(around);
  return to === undefined ? null : { x: to.x - at.x, y: to.y - at.y };
}

// hoverListener returns the outermost element that listens for the mouse to come, null if there is none.
// It is el, or has nothing else in it that is shown. A box that also has other things, such as words, may
// close when the mouse leaves it, and el with it.
function hoverListener(el) {
  let found = null;
  for (let n = el; n !== null; n = parentOf(n)) {
    if ((ownListeners(n) ?? NO_HINTS).some(hint => HOVERS.has(hint))) found = n;
    const around = parentOf(n);
    const isOther = node => node !== n && (node.nodeType === ELEMENT ? isShown(node) : node.nodeType === TEXT && /\S/.test(node.data));
    if (around === null || [...childrenOf(around)].some(isOther)) break;
  }
  return found;
}

// invokerOf returns the element that shows interest when el is hovered, null if there is none.
function invokerOf(el) { return closest(el, n => n.interestForElement instanceof Element); }

// awaitInterest waits until interest is shown because element n is hovered. It does not wait longer
// than the delay of that, and at most until the deadline (by).
async function awaitInterest(n, by) {
  const hovered = element(n), invoker = hovered === null ? null : invokerOf(hovered);
  if (invoker === null) return;
  const delay = getComputedStyle(invoker).interestDelayStart;
  const end = Math.min(by, performance.now() + (delay === 'normal' ? NORMAL_DELAY : parseFloat(delay) * 1000) + INTEREST_LATE);
  while (performance.now() < end && !invoker.matches(':interest-source')) await nextFrame(end);
}

const NORMAL_DELAY = 500;  // milliseconds
const INTEREST_LATE = 200; // milliseconds by which interest may be later than its delay

Object.assign(chela, { awaitInterest });
