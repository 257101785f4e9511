// Widgets. A control that cannot be seen is clicked on what is shown in its place. That is its
// label, or the widget around it. Examples are the drawn box of a checkbox, and the lines of a code
// editor that hides a textarea.

const FIELD_ROLES = words('textbox searchbox combobox checkbox radio switch spinbutton slider listbox');

// Elements that a user may mean to click on.
const TAKES_CLICKS = 'a[href], button, input:not([type=hidden]), select, textarea, summary, iframe, audio[controls], video[controls],'
  + '[contenteditable]:not([contenteditable=false]), [tabindex], [role=button], [role=link], [role=option], [role=menuitem], [role=tab]';

function isField(el) {
  return isNativeField(el) || el.isContentEditable === true || Boolean(el.editContext) || FIELD_ROLES.has(el.getAttribute('role'));
}

// widgetOf returns the nearest box around an invisible field that has a size and contains no other
// control. It returns null if there is none, or if the field can be seen.
function widgetOf(el) {
  if (!isField(el) || !invisible(el)) return null;
  for (let box = parentOf(el); box && partOf(box, el); box = parentOf(box)) {
    const [r] = isRendered(box) ? rectsOf(box) : [];
    if (r && r.width > 4 && r.height > 4) return box;
  }
  return null;
}

// partOf reports whether a box around a field belongs to it: it holds no other control, and is not
// the page.
function partOf(box, field) {
  if (box === document.body || box === document.documentElement) return false;
  const own = el => areRelated(el, field);
  return !holdsControl(shadowOf(box) ?? box, own) && (!shadowOf(box) || !holdsControl(box, own));
}

// holdsControl reports whether there is a control within root that the keyboard reaches. Controls
// for which the function own returns true do not count. A control with tabindex -1 is a part of
// another one, such as the button that clears a combobox.
function holdsControl(root, own) {
  for (const el of root.querySelectorAll('*')) {
    if (el.getAttribute('tabindex') === '-1' || own(el)) continue;
    if (el.matches(TAKES_CLICKS) && el.tabIndex >= 0 && isRendered(el)) return true;
    if (shadowOf(el) && !el.parentElement?.closest('[tabindex="-1"]') && holdsControl(shadowOf(el), own)) return true;
  }
  return false;
}

// invisible reports whether a field that is rendered cannot be seen. It is too small, or isUnseen,
// or painted behind the element that contains it (by a negative z-index).
function invisible(el) { return isTiny(el) || isUnseen(el) || getComputedStyle(el).zIndex < 0; }

// isUnseen reports whether an element is rendered so that nobody can see it, or is inside of such an
// element. The native control behind a styled one is an example.
function isUnseen(el) { return closest(el, n => unseen(n, n === el)) !== null; }

// unseen reports whether an element is transparent, clipped away or has next to no area. The
// parameter itself is false if the element is only an ancestor of the element in question. The area
// of an ancestor counts only if it clips its content.
function unseen(el, itself) {
  const style = getComputedStyle(el), { opacity, overflow, display } = style;
  if (Number(opacity) === 0 || isCutOff(style)) return true;
  if (!itself && overflow === 'visible') return false;
  return display !== 'contents' && display !== 'inline' && isThin(el);
}

// isCutOff reports whether the style of an element clips all of it.
function isCutOff({ clip, clipPath }) { return NO_RECT.test(clip) || NO_SHAPE.test(clipPath); }

const NO_RECT = /^rect\((0px,? ?|1px,? ?){4}\)/; // values of clip that show nothing
const NO_SHAPE = /^inset\((50|100)%/; // values of clip-path that show nothing

function isTiny(el) { return isThin(el, 2); }

// reaches reports whether input acts on an element although it hits another one (hit). It does if
// hit is inside the element, inside a label of it, or a part of its widget. It also does if the
// element is what is drawn for hit. But another control in a label, such as a link, gets the click
// itself.
function reaches(element, hit) {
  if (hit === null) return false; // nothing is there
  if (isInside(hit, element)) return !takesFrom(element, hit);
  if (isDrawnFor(hit, element)) return true;
  const above = new Set();
  for (let e = element; e; e = parentOf(e)) above.add(e);
  const isLabel = el => el.control === element;
  const first = closest(hit, el => isLabel(el) || el.matches(TAKES_CLICKS) || above.has(el));
  if (first === null || isLabel(first)) return first !== null;
  return above.has(first) && (coversOwn(hit, element, first) || isInLabel(first, element) || isDrawnOn(element, hit) || isInsideComponent(element, hit));
}

// isDrawnFor reports whether an element is what a person sees of a transparent field, hit, that lies
// over it. Both are alone in one box. A button or link may lie below a file input only. Below any
// other field it would do something else.
function isDrawnFor(hit, element) {
  if (!isNativeField(hit) || getComputedStyle(hit).opacity !== '0') return false;
  if (hit.type !== 'file' && element.matches(TAKES_CLICKS)) return false;
  const box = hit.parentElement;
  if (box === null || box === document.body || !isInside(element, box)) return false;
  return !holdsControl(box, el => el === hit || areRelated(el, element));
}

// isInLabel reports whether a box around a control that cannot be seen is in the control's label. A
// click on the box then counts for the control, which may be a button.
function isInLabel(box, control) {
  if (!invisible(control)) return false;
  const el = closest(box, el => el.control === control || el.matches(TAKES_CLICKS));
  return el?.control === control;
}

// isDrawnOn reports whether an option that ignores the mouse is drawn on a surface, hit, which takes
// its clicks. An example is an hour on the face of a clock. A person clicks where the option is.
function isDrawnOn(option, hit) {
  return OPTION_ROLES.has(attributeOf(option, 'role')) && ignoresMouse(option) && !isInside(option, hit) && lies(option, hit);
}

// isInsideComponent reports whether an element that ignores the mouse is the one control in the shadow
// tree of a component, hit. Such a component takes the clicks of its control itself.
function isInsideComponent(element, hit) {
  return ignoresMouse(element) && element.getRootNode().host === hit && partOf(hit, element);
}

// takesFrom reports whether a click on hit, an element in a label, is not for the control of the
// label.
function takesFrom(label, hit) {
  if (label.localName !== 'label') return false;
  return closest(hit, el => el === label || el.matches(TAKES_CLICKS)) !== label && !(label.control && isInside(hit, label.control));
}

// coversOwn reports whether hit covers a field, but is a part of the field's own widget. The widget
// is all in box. Such a part is the decoration of the box or, if the field cannot be seen, what is
// shown for it. A combobox may also be covered by the words that it shows. An overlay is no part of the
// widget: it is larger than the box, or fixed.
function coversOwn(hit, field, box) {
  if (!isField(field) || !partOf(box, field)) return false;
  const drawn = invisible(field); // the widget is what is drawn for the field
  if (!drawn && ignoresMouse(field)) return opens(box, field);
  if (hit === box && box === parentOf(field)) return true;
  if (!drawn && (attributeOf(field, 'role') !== 'combobox' || !isValue(hit, box))) return false;
  const overlay = closest(hit, n => n !== box && !closest(box, m => m === n) && getComputedStyle(n).position === 'fixed');
  return overlay === null && lies(hit, box);
}

// isValue reports whether hit, in the box of a combobox, shows words as its value or placeholder does. A
// loading indicator or the sign that removes a value may have words as well, some only for assistants.
function isValue(hit, box) {
  if (![...hit.childNodes].some(n => n.nodeType === Node.TEXT_NODE && /[\p{L}\p{N}]/u.test(n.data))) return false;
  if (listensForPresses(hit)) return false;
  return closest(hit, n => !isInside(box, n) && (NO_VALUE.test(n.getAttribute('class')) || n.ariaBusy === 'true')) === null;
}

const NO_VALUE = /(^|[\s_-])(load(ing|er)?|spin(ner)?|busy|mask|overlay|(?<!(with|has)[_-])icons?|clear|remove|close|delete)($|[\s_-])/i; // classes

// opens reports whether a click on a box counts for a field inside it that ignores the mouse. Some
// drop-downs have an element with a field's role around their input.
function opens(box, field) {
  const outer = closest(box, n => FIELD_ROLES.has(n.getAttribute('role')));
  return outer !== null && partOf(outer, field);
}

// lies reports whether the box of the element inner is within the box of outer.
function lies(inner, outer) {
  const i = inner.getBoundingClientRect(), o = outer.getBoundingClientRect();
  return i.left >= o.left - 2 && i.top >= o.top - 2 && i.right <= o.right + 2 && i.bottom <= o.bottom + 2;
}

// isOfForm reports whether an input is there for its form alone: nobody can see, focus or click it.
// Components keep their value in such an input.
function isOfForm(el) {
  if (el.getAttribute('aria-hidden') !== 'true' || el.tabIndex >= 0 || el.type === 'file') return false;
  return (takesText(el) || ignoresMouse(el)) && isUnseen(el);
}

// isSeenOfBox reports whether an element is what is seen of the checkbox or radio button before it.
function isSeenOfBox({ previousElementSibling: box }) {
  return box !== null && isBox(box) && getComputedStyle(box).opacity === '0';
}
