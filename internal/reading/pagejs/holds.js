// What fields hold after a text was entered.

// holdsOther returns what element n holds after a text was typed, if it is an input and that is not
// the text.
function holdsOther(n, text) {
  return element(n)?.localName === 'input' ? otherThan(text, element(n)) : undefined;
}

// heldNow returns for each of these fields, {n, text}, what it holds now: {holds}, as otherThan does. For
// an element that cannot be judged, or is gone, it returns null.
function heldNow(fields) {
  return fields.map(({ n, text }) => {
    const el = element(n) && controlOf(element(n));
    if (el?.localName === 'select') return optionsNamed([...el.selectedOptions], text).length > 0 ? {} : { holds: squash(el.selectedOptions[0]?.label ?? '') };
    return el && !el.readOnly && (takesText(el) || takesValue(el)) && !hasModel(el) ? { holds: otherThan(text, el) } : null;
  });
}

// otherThan returns what an element holds, if that differs from the entered text in more than white
// space. If the page has replaced the element, the one that stands for it counts. Editors keep only
// the visible part of a long text in the document, so such a text cannot be compared.
function otherThan(wanted, entered) {
  const el = inPlaceOf(entered);
  if (el === null || el.isContentEditable && wanted.length > COMPARED_CHARS) return undefined;
  const now = el.isContentEditable ? el.innerText : el.value ?? el.textContent; // the page may have ended the editing
  const compared = text => text.replace(/[\s\u200b\ufeff]+/g, '');
  if (compared(now) === compared(wanted)) return undefined;
  if (isMasked(el)) return MASK;
  return now.length > HOLDS_CHARS ? `${now.slice(0, HOLDS_CHARS)}… (${now.length - HOLDS_CHARS} more characters)` : now;
}

const HOLDS_CHARS = 500; // how many characters of a text are returned
const COMPARED_CHARS = 2000; // longer rich text is not compared

// content returns the text of an element, to be compared with its text later.
function content(el) {
  if (el.editContext) return el.editContext.text;
  return el.isContentEditable ? el.textContent : el.value;
}

Object.assign(chela, { holdsOther, heldNow });
