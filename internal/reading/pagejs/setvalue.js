// Inputs that are not for text, such as a date, a color or a range: a script sets their value.

// The types of these inputs, with the forms of their values. Chromium writes a warning of any other
// form to the page's console.
const VALUE_FORMS = {
  color: /^#[0-9a-f]{6}$/i, date: /^(\d{4,}-\d\d-\d\d)?$/, month: /^(\d{4,}-\d\d)?$/, week: /^(\d{4,}-W\d\d)?$/,
  range: /^/, time: /^(\d\d:\d\d(:\d\d(\.\d{1,3})?)?)?$/, 'datetime-local': /^(\d{4,}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,3})?)?)?$/,
};

// takesValue reports whether an element is an input whose value is set, as it has no text to select.
function takesValue(el) { return el.localName === 'input' && el.type in VALUE_FORMS; }

// isSet reports whether element n is an input whose value is set.
function isSet(n) { return element(n) !== null && takesValue(element(n)); }

// setValue sets the value of an input that is not for text, such as a date. It returns what the
// input holds now, if that is not the text. If the input does not accept the value, setValue
// returns {missing: 'format'}. Go may know which value the text means; then it calls edit again
// with that value (meant).
async function setValue(el, text, meant) {
  const value = el.type === 'color' ? colorOf(text.trim()) : meant || text.trim();
  const before = el.value;
  const taken = giveFocus(el);
  if (focused() !== el) return whyUnfocused(taken);
  const formed = VALUE_FORMS[el.type]?.test(value) !== false;
  if (formed) el.value = value;
  const exact = el.type === 'range' || el.type === 'color'; // other types refuse a value by becoming empty; these two replace it by another value
  if (!formed || (exact ? el.value !== value.toLowerCase() : el.value === '' && value !== '')) {
    el.value = before;
    return { missing: 'format', which: text, input: { type: el.type, min: el.min, max: el.max, step: el.step } };
  }
  if (el.value !== before) await (el.type === 'range' ? slideRange(el, before) : announce(el));
  return { done: true, holds: otherThan(text, el) };
}

// colorOf returns a CSS color in the form that a color input takes, if it is opaque and in sRGB,
// else the text. A canvas ignores a fillStyle that is not a color, which shows whether the text is
// one.
function colorOf(text) {
  const context = new OffscreenCanvas(1, 1).getContext('2d');
  const [dark, light] = ['#000000', '#ffffff'].map(before => {
    context.fillStyle = before;
    context.fillStyle = text;
    return context.fillStyle;
  });
  return dark === light ? dark : text;
}

// slideRange moves a range input from the value before to the one that it holds, as a click of the mouse on
// its track would. Many pages only use the value when the mouse is released. The release is a task later: by
// then, frameworks know the value. If the mouse would not hit the input, only its value changes. What a
// person presses in its place would handle the mouse itself.
async function slideRange(el, before) {
  const { value } = el, at = pointOfShare(el);
  if (at === null || deepest(...middle(el)) !== el) return announce(el);
  el.value = before;
  dispatchMouse(el, 'down', at);
  el.value = value;
  el.dispatchEvent(inputEvent());
  await nextTask();
  const now = inPlaceOf(el) ?? el;
  dispatchMouse(now, 'up', at);
  now.dispatchEvent(changeEvent());
}

// pointOfShare returns the point at which the value of a range input is its share of the input's width. Some
// pages take the value from there. It returns null if the input is vertical, or hardly wider than a thumb:
// then it is in the thumb of another slider.
function pointOfShare(el) {
  const { left, width } = el.getBoundingClientRect(), share = shareOf(el);
  return share === null || width < 3 * THUMB ? null : { x: left + width * share, y: middle(el)[1] };
}

// dispatchMouse dispatches a press (down) or release (up) of the mouse at a point to an element.
function dispatchMouse(el, way, { x, y }) {
  const at = { bubbles: true, cancelable: true, composed: true, view: window, clientX: x, clientY: y, detail: 1, buttons: way === 'down' ? 1 : 0 };
  el.dispatchEvent(new PointerEvent('pointer' + way, { ...at, detail: 0, pointerId: 1, pointerType: 'mouse', isPrimary: true }));
  el.dispatchEvent(new MouseEvent('mouse' + way, at));
}

function announce(el) {
  el.dispatchEvent(inputEvent());
  el.dispatchEvent(changeEvent());
}

function inputEvent() { return new Event('input', { bubbles: true, composed: true }); }
function changeEvent() { return new Event('change', { bubbles: true }); }

Object.assign(chela, { isSet });
