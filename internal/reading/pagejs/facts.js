// Facts: what an element holds. Assertions compare these facts with what is expected.

// factsOf returns the facts about element n:
//
//	values   the texts that count as its content: for a select, its values and its labels
//	shown    one of these texts, for messages: a password is masked
//	checked  true, false or mixed, null if it cannot be checked
//	enabled  whether it can be acted on
//
// If the element is gone, it returns {missing: 'gone'}. For the parameter fresh, see checked in
// check.js.
function factsOf(n, fresh) {
  const given = element(n);
  if (!given) return { missing: 'gone' };
  const el = controlOf(given);
  if (statesItself(el) && !fresh) return askAgain(el);
  look();
  // The value of a sealed field is compared with nothing: it could be guessed character by character.
  const values = isSealed(el) ? [MASK] : heldBy(el, roleOf(el));
  const shown = isMasked(el) ? values[0] && MASK : values[values.length - 1];
  return { values, shown, checked: checkedOf(el), enabled: barredFrom(el) === null && disabledItself(el) === null };
}

function heldBy(el, role) {
  switch (el.localName) {
    case 'input':
      if (el.type === 'checkbox' || el.type === 'radio') return [String(el.checked)];
      if (el.type === 'file') return [valueOf(el, role)];
      if (el.type === 'color') return [el.value.toUpperCase(), el.value];
      return [el.value];
    case 'textarea': return [el.value];
    case 'select': return [Array.from(el.selectedOptions, o => o.value).join(', '), chosenLabels(el, ', ')];
    case 'progress': case 'meter': return [valueOf(el, role)];
  }
  const range = VALUED.has(role) ? rangeText(el) : null;
  if (range !== null) return [attributeOf(el, 'aria-valuenow') ?? range, range];
  if (el.editContext) return [el.editContext.text];
  const text = el.innerText ?? el.textContent;
  if (CHOICES.has(role)) return [text, chosen(el) || text];
  const checked = isChecked(el);
  return checked === null ? [text] : [String(checked), text];
}

// checkedOf returns whether an element is checked or, of an option, selected.
function checkedOf(el) {
  if (el.indeterminate || attributeOf(el, 'aria-checked') === 'mixed' || attributeOf(el, 'aria-pressed') === 'mixed') return 'mixed';
  if (el.localName === 'option') return el.selected;
  const checked = isChecked(el), selected = attributeOf(el, 'aria-selected');
  return checked ?? (selected === null ? null : selected === 'true');
}

Object.assign(chela, { factsOf });
