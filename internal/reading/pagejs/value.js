// Values of controls, as a user sees them.

const MASK = '••••';

// Input types whose value is not text to read: it is a state, the name, or hidden.
const VALUELESS = words('button submit reset image checkbox radio hidden');

// valueOf returns the value of a control, '' when there is none to show.
function valueOf(el, role) {
  switch (el.localName) {
    case 'input':
      if (VALUELESS.has(el.type)) return '';
      if (isMasked(el)) return readable(el);
      if (el.type === 'file') return Array.from(el.files, f => f.name).join(', ');
      return el.value;
    case 'textarea': return readable(el);
    case 'select': return chosenLabels(el, ', ');
    case 'progress': return el.position < 0 ? '' : String(el.value);
    case 'meter': return String(el.value);
  }
  return VALUED.has(role) ? rangeText(el) ?? '' : '';
}

// readable returns the value of a field, with a mask in place of one that is not to be shown.
function readable(field) { return isMasked(field) ? field.value && MASK : field.value; }

// isOfEditor reports whether an element is a text area that only takes the input of an editor, in a
// box without a size (CodeMirror 5). It holds what was selected in the editor, which draws its text.
function isOfEditor(el) {
  const box = el.localName === 'textarea' ? el.parentElement : null;
  if (box === null || getComputedStyle(box).overflow === 'visible') return false;
  const { width, height } = box.getBoundingClientRect();
  return width < 5 && height < 5;
}

// rangeText returns the value that a slider or the like has by ARIA, null if it has none.
function rangeText(el) {
  return attributeOf(el, 'aria-valuetext') ?? attributeOf(el, 'aria-valuenow');
}

const RANGES = words('meter progressbar scrollbar slider spinbutton');
const VALUED = new Set([...RANGES, 'separator']); // a separator that can be moved has its position as a value
const TEXT_FIELDS = words('textbox searchbox');
const CHOICES = words('combobox listbox');

// embeddedValue returns what a control inside a label contributes to the label, or null when el is
// no such control.
function embeddedValue(el, role) {
  if (RANGES.has(role)) return rangeText(el) ?? (el.localName === 'input' ? readable(el) : valueOf(el, role));
  if (TEXT_FIELDS.has(role)) return isNativeField(el) ? valueOf(el, role) : squash(el.textContent);
  if (!CHOICES.has(role)) return null;
  if (el.localName === 'select') return chosenLabels(el, ' ');
  return isNativeField(el) ? readable(el) : chosen(el);
}

function chosenLabels(select, between) {
  return Array.from(select.selectedOptions, o => squash(o.label)).join(between);
}

function isNativeField(el) {
  return el.localName === 'input' || el.localName === 'textarea' || el.localName === 'select';
}

// chosen returns the texts of the selected options of an ARIA list, joined by spaces.
function chosen(el) {
  const picked = [...el.querySelectorAll('[role=option][aria-selected=true]')];
  return picked.map(o => squash(o.textContent)).join(' ');
}
