// Choosing: options and files of controls.

// choose waits until select element n has options with these values or labels, but not longer than
// until the time o.by. Then it selects these options and no others. For a text field with
// suggestions it returns the value to enter (suggestion). It returns {}, or what is missing (see
// missing.go): gone, hidden, disabled, covered, untyped, single, option, ambiguous, standin. If the
// page has deselected an option at once, it returns the label of the option (lost), see choiceLost.
async function choose(n, values, o) {
  const wait = beginWait(n);
  for (let ready = false;;) {
    const given = element(n);
    if (!given) return { missing: 'gone' };
    const el = controlOf(given);
    const suggests = el.localName === 'input' && !el.hasAttribute('role') && el.list !== null && el.list.options.length > 0;
    if (el.localName !== 'select' && !suggests) return { missing: 'untyped' };
    if (values.length > 1 && (suggests || !el.multiple)) return { missing: 'single' };
    const found = findOptions(el, suggests ? el.list : el, values);
    if (!found.missing && suggests) return { suggestion: found.wanted[0].value };
    if (!found.missing && (ready || isUnseen(el))) return chooseIn(n, el, found.wanted, o.by);
    if (found.missing) {
      if (found.missing === 'ambiguous' || !await waitFor(wait, found, o.by)) return found;
    } else {
      await focusFirst(el, wait, o.by);
      ready = true; // the options are looked for again, since the page may have changed them
    }
  }
}

// findOptions looks for the options of a control in the control itself, or in the list of its
// suggestions.
function findOptions(el, holder, values) {
  if (!isRendered(el)) return { missing: 'hidden' };
  const barred = barredFrom(el);
  if (barred !== null) return barred;
  const options = [...holder.options];
  const found = values.map(value => optionsNamed(options, value));
  const lacking = found.findIndex(all => all.length !== 1 || all[0].matches(':disabled'));
  if (lacking < 0) return { wanted: found.flat() };
  const which = values[lacking], all = found[lacking];
  if (all.length === 1) return { missing: 'disabled', which };
  if (all.length > 1) return ambiguous(which, all, o => ({ label: squash(o.label), group: groupOf(o), value: o.value }));
  return { missing: 'option', which, ...firstOptions(options.map(option => asSeen(option.label))) };
}

const MOST_OPTIONS = 20; // how many options a message lists

// firstOptions returns the first of the options for a message, and how many more there are.
function firstOptions(options) { return { options: options.slice(0, MOST_OPTIONS), more: Math.max(0, options.length - MOST_OPTIONS) }; }

// optionsNamed returns the options with that value or, if there are none, those with that label or
// text. If there are none either, those that look like that text, or else have it beside emoji, are
// returned. Disabled options
// count only if there are no others, and then only the first. Of options with the same value and
// label, only the first counts: it is the same which of them is chosen.
//
// A text in another case is no match here, unlike in optionsFor. The values of a select element are
// in the document, so a caller can know them exactly. Two of them may differ in their case alone.
function optionsNamed(options, value) {
  const label = squash(value);
  const named = among => {
    const exact = among.filter(o => o.value === value);
    const same = exact.length > 0 ? exact : among.filter(o => squash(o.label) === label || squash(o.text) === label);
    const alike = same.length > 0 ? same : among.filter(o => [o.label, o.text].some(text => asSeen(text) === asSeen(value)));
    return alike.length > 0 ? alike : among.filter(o => isBesideEmoji(o.label, label));
  };
  const usable = distinct(named(options.filter(o => !o.matches(':disabled'))), o => `${o.value}\n${squash(o.label)}`);
  return usable.length > 0 ? usable : named(options).slice(0, 1);
}

// isBesideEmoji reports whether words are all that a text has beside emoji, which callers leave out.
function isBesideEmoji(text, words) { return words !== '' && squash(text.replace(EMOJI, ' ')) === words; }

const EMOJI = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\u200d\ufe0f\u2713]+/gu; // with the check mark

// distinct returns the first element for each of the keys that a function gives the elements.
function distinct(elements, keyOf) {
  const first = new Map();
  for (const el of elements) if (!first.has(keyOf(el))) first.set(keyOf(el), el);
  return [...first.values()];
}

// ambiguous returns the answer for a value that stands for several options. The function tells
// returns the label, the group and the value of an option.
function ambiguous(which, options, tells) {
  return { missing: 'ambiguous', which, ...firstOptions(options.map(option => {
    const { label, group, value } = tells(option), more = [];
    if (group !== '') more.push(`in ${group}`);
    if (value !== '' && value !== label) more.push(`value ${value}`);
    return more.length > 0 ? `${label} (${more.join(', ')})` : label;
  })) };
}

function groupOf(option) {
  const group = option.closest('optgroup');
  return group === null ? '' : labelOfGroup(group);
}

async function chooseIn(n, el, wanted, by) {
  const blank = !el.multiple && el.value === '' ? el.selectedOptions[0] : null, fields = fieldCount();
  const lacks = isUnseen(el) ? await pickBehind(el, wanted, by) : pickIn(el, wanted);
  if (lacks.missing) return lacks;
  await nextTask(); // a page that refuses a choice mostly does so in the event, or in a microtask after it
  picked = { select: el, wanted, blank, acted: fieldCount() !== fields };
  return { lost: lostOption(n) };
}

// The last choice in a select element: the select and the options that were wanted, null if none. It has
// the option that was selected before if that has no value (blank, else null). It also says whether
// there were more or less fields right after the choice (acted).
let picked = null;

// isMenu reports whether the select of the last choice works as a menu. Then the page has set it back,
// and has added or removed fields at once. Other changes tell nothing. A page that refuses a choice shows a
// message, or moves the focus, and elements of a live page come and go.
function isMenu() {
  const { select, blank, acted } = picked;
  return acted && blank !== null && select.selectedOptions[0] === blank && select.validity.valid && select.ariaInvalid !== 'true';
}

function fieldCount() { return document.querySelectorAll('input:not([type=hidden]), select, textarea, [contenteditable]').length; }

// lostOption returns the label of an option that the last choice selected in element n, and that is
// not selected any more. It returns '' if there is none. The page may have made the options, or the
// whole select, again. A select that has no successor is not judged.
function lostOption(n) {
  if (picked === null) return '';
  const el = picked.select.isConnected ? picked.select : controlOf(element(n) ?? picked.select);
  if (!el.isConnected || el.localName !== 'select') return '';
  const chosen = [...el.selectedOptions], lost = picked.wanted.find(o => !chosen.some(other => other === o || other.value === o.value));
  return lost === undefined ? '' : squash(lost.label);
}

// choiceLost waits until the options of the last choice are selected again. It waits for a limited
// time (most), as a Reaction does, and not longer than until the deadline (by). Some pages select the
// old option until a server has accepted the new one. It returns what lostOption returns (lost). If the
// select is a menu, it returns in its place what the select shows (back).
async function choiceLost(n, most, by) {
  const kept = await new Reaction(most, by).until(() => lostOption(n) === '');
  return !kept && isMenu() ? { back: squash(picked.blank.label) } : { lost: lostOption(n) };
}

function pickIn(el, wanted) {
  pick(el, wanted);
  return {};
}

// pick selects these options alone, and reports whether that is a change. If it is, pick dispatches
// the events of a choice.
function pick(el, wanted) {
  const options = [...el.options];
  const differs = options.some(o => o.selected !== wanted.includes(o));
  for (const option of options) option.selected = wanted.includes(option);
  if (differs) announce(el);
  return differs;
}

// pickBehind selects options of a hidden select element, in whose place the page shows a styled
// control. It does not focus the select, since many such controls open when the select gets the
// focus. A control that does not listen for changes of its select keeps showing the old choice. In
// that case pickBehind selects the old options again.
async function pickBehind(el, wanted, by) {
  const before = [...el.selectedOptions];
  const current = before.length === 1 ? squash(before[0].label) : ''; // nothing shows an empty label
  const named = current === '' ? [] : whatShows(current, el), showing = named.length > 0 ? named : whatFollows(el);
  if (!pick(el, wanted) || showing.length === 0 || await showOther(showing, by)) return {};
  pick(el, before);
  const [first] = showing, label = squash(wanted[0].label);
  styled = { select: el, wanted: wanted[0], label, showing, before: new Set(saying(label)) };
  return { missing: 'standin', ...inTheWay(first.el), which: first.text };
}

// The styled control that must be operated as a user does, since it does not listen for changes of
// its select element. It holds the select, the wanted option and its label, and the elements that
// show the current choice (showing). It also holds the elements that showed the label before the
// control was clicked (before). It is null while there is no such control.
let styled = null;

// saying lists the innermost visible elements whose whole text is the given text.
function saying(text) {
  const all = [...document.body.querySelectorAll('*')].filter(el => squash(el.textContent) === text && takesSpace(el));
  return all.filter(el => el.closest('select') === null && !all.some(other => other !== el && el.contains(other)));
}

// standInOption waits until the styled control that was clicked offers the option, but not longer
// than until the given time (by). It returns the number of the element that shows the option, or
// {missing: 'closed'}.
async function standInOption(_, by) {
  for (const reaction = new Reaction(OPENING, by);;) {
    const [option, ...others] = styled === null ? [] : saying(styled.label).filter(el => !styled.before.has(el));
    if (option && others.length === 0) {
      await settled(option, by);
      return { option: refOf(option) };
    }
    if (reaction.isOver()) return { missing: 'closed' };
    await reaction.frame();
  }
}

// standInChosen waits until the option is chosen, but not longer than until the given time (by). It
// reports whether the option is chosen.
async function standInChosen(_, by) {
  if (styled === null) return true; // the choice has replaced the document
  const { wanted, showing } = styled;
  return await showOther(showing, by) && wanted.selected;
}

const NEIGHBORHOOD = 3; // how many ancestors of a select are searched for the styled control

// whatShows returns the visible elements beside a select whose whole text is the given one, each as
// {el, text}.
function whatShows(text, select) {
  let around = select;
  for (let i = 0; i < NEIGHBORHOOD; i++) {
    around = around.parentElement;
    if (!around || around === document.body || around.querySelectorAll('select').length > 1) return [];
    const found = [...around.querySelectorAll('*')].filter(el => !select.contains(el) && squash(el.textContent) === text && shown(el));
    if (found.length) return found.map(el => ({ el, text: ownText(el) }));
  }
  return [];
}

// whatFollows returns the elements beside a select whose text should follow its choice, each as
// {el, text}. They are the chooser next to it, and the box around that.
function whatFollows(select) {
  const chooser = chooserNextTo(select);
  return chooser === null ? [] : [chooser, parentOf(chooser)].map(el => ({ el, text: ownText(el) }));
}

// showOther waits for one of these elements to show another text than before. It waits for half a
// second at most, and not longer than until the given time (by). It reports whether an element did.
async function showOther(showing, by) {
  return new Reaction(500, by).until(() => showing.some(({ el, text }) => !el.isConnected || ownText(el) !== text || !shown(el)));
}

// sortOf returns how a control is filled with a value: 'select', 'check' or 'text'. A control without
// text that opens a list is filled as a select element is. An input with a value of its own, such as a
// date or files, is not. Neither is a control that opens a dialog, such as a calendar.
function sortOf(el, value) {
  const opens = isChooser(el) && (el.readOnly || !takesText(el)) && !takesValue(el) && el.type !== 'file' && attributeOf(el, 'aria-haspopup') !== 'dialog';
  if (el.localName === 'select' || opens) return 'select';
  const checks = el.type === 'checkbox' || el.type === 'radio' || attributeOf(el, 'role') === 'switch';
  return checks && (value === 'true' || value === 'false') ? 'check' : 'text';
}

// fileInput reports whether element n, or the control of a label, takes files, several of them, or a
// folder. It also returns the ref number of that input. For a file input that is disabled, it returns
// {missing: 'disabled'}.
function fileInput(n) {
  const given = element(n);
  if (!given) return { missing: 'gone' };
  const el = controlOf(given);
  if (el.type === 'file' && el.matches(':disabled')) return { missing: 'disabled' };
  return { number: refOf(el), file: el.localName === 'input' && el.type === 'file', multiple: el.multiple === true, folder: el.webkitdirectory === true };
}

Object.assign(chela, { fileInput, choose, choiceLost, standInOption, standInChosen });
