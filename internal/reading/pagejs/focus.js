// Focus: giving it to an element.

// focusOn waits until element n can take the focus, but not longer than until the given time (by),
// and focuses it. If n is a label, its control is focused. It returns {}, or what is missing (see
// missing.go): gone, hidden, disabled, inert, unfocusable, refocused.
async function focusOn(n, by) {
  const wait = beginWait(n);
  await selectionHandled(by);
  await pressesHandled();
  if (isOver(wait, by)) throw TOO_LATE;
  for (;;) {
    const given = element(n);
    if (!given) return { missing: 'gone' };
    const el = controlOf(given);
    const unfit = !isRendered(el) ? { missing: 'hidden' } : isInert(el) ? whyInert(el) : null;
    if (unfit === null) return takeFocus(el, by);
    if (!await waitFor(wait, unfit, by)) return unfit;
  }
}

// takeFocus focuses an element that can be seen. A document in a frame of another process asks the
// browser's process for the focus, so takeFocus waits until the document has it.
async function takeFocus(el, by) {
  if (!inView(...middle(el))) reveal(el, 'center');
  const taken = giveFocus(el);
  if (!hasFocus(el)) return whyUnfocused(taken);
  while (!document.hasFocus() && performance.now() < by) await nextFrame(by);
  return {};
}

// giveFocus focuses an element. If the page at once moves the focus to another element, giveFocus tries
// once more. A popup that closes when it loses the focus may have given it back to its button. The result
// says whether the element got the focus, even if only for a moment.
function giveFocus(el) {
  let taken = false;
  const note = () => { taken = true; };
  el.addEventListener('focus', note, { capture: true });
  el.focus?.(); // elements of unknown XML have no such method
  if (!hasFocus(el) && !isWhole(focused())) el.focus?.();
  el.removeEventListener('focus', note, { capture: true });
  return taken;
}

// whyUnfocused returns why an element does not have the focus that giveFocus gave it, as {missing, …}.
function whyUnfocused(taken) {
  return taken ? { missing: 'refocused', ...inTheWay(focused()) } : { missing: 'unfocusable' };
}

// hasFocus reports whether an element, or one inside it, has the focus.
function hasFocus(el) { return isInside(focused(), el); }

// focusFirst focuses an element whose value a script will set or choose, and waits until the page has
// handled that. Pages take over what was typed in a field when the field loses the focus. Some do so
// in a microtask after the event, and one task has no microtasks before its end. If the value were
// set in the same task, such a page would combine it with what it had before the typing. If the
// wait is over meanwhile, focusFirst throws TOO_LATE.
async function focusFirst(el, wait, by) {
  if (focused() === el) return;
  giveFocus(el);
  await nextTask();
  if (isOver(wait, by)) throw TOO_LATE;
}

// movedFocus returns the number of the text field that has the focus, 0 if that is element n or there
// is none.
function movedFocus(n) {
  const el = focused();
  return document.hasFocus() && el !== null && takesText(el) && element(n) !== null && el !== controlOf(element(n)) ? refOf(el) : 0;
}

Object.assign(chela, { focusOn, movedFocus });
