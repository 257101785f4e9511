// Choosing from a list of options that is made with ARIA, or from the one that a chooser opens.
//
// Go chooses from them as a user does: it clicks the control, finds the option and clicks it. The
// functions that Go calls for this work on one choice at a time, the variable choice.

// The choice under way:
//	control  what opens the list; null for a list that is a part of the page
//	list     the list, null while there is none
//	last     the list of the last choice with the same control, else null; it may still be closing
//	before   the other lists that were shown when the choice began
//	menus    the menus that were shown when the choice began
//	loose    the options that were shown then and are in no list
//	stood    the options that were shown then in lists, and are not said to be selected
//	own      what the control itself showed when the choice began
//	around   what the control and the things around it showed then
//	near     what they showed when the last option was found, see nearControl
//	blank    whether that option may stand for no choice, see isBlank
//	offered  the labels of the options that were seen
//	clicked  the labels of the options that were clicked, and are chosen since then
//	were     if several options are to be chosen: the labels of those that were selected before the first click
//	kept     those of these labels that are to be chosen, and need no click
//	found    label of an option that was found -> the option, and the texts that may stand for it (forms).
//	         It also has offered as it was then (known).
let choice = null;

const HOLDS_OPTIONS = words('listbox tree grid menu menubar');

// beginChoice waits until element n can be used, at most until the deadline (by). The element is a
// list, or a control that opens a list. It returns the number of the list or control, whether the
// list is open, and the text in the control. If the element cannot be used in time, it returns what
// is missing (see missing.go): gone, hidden, disabled, readonly, untyped.
async function beginChoice(n, by) {
  const wait = beginWait(n);
  for (;;) {
    const given = element(n);
    if (!given) return { missing: 'gone' };
    const control = controlOf(given), el = control.localName === 'select' ? chooserBeside(control) : chooserOf(control);
    if (el === null) return { missing: 'untyped' };
    const unfit = unfitToChoose(el);
    if (unfit === null) return startChoice(el);
    if (!await waitFor(wait, unfit, by)) return unfit;
  }
}

function unfitToChoose(el) {
  if (!isShown(el) && !widgetOf(el)) return { missing: 'hidden' };
  if (isInert(el)) return { missing: 'disabled' };
  return el.getAttribute('aria-readonly') === 'true' ? { missing: 'readonly' } : null;
}

function startChoice(el) {
  const control = opensList(el) ? el : null, last = control !== null && choice?.control === control ? choice.list : null;
  choice = { control, list: control ? null : el, last, before: new Set(), menus: new Set(), loose: new Set(), stood: new Set(), own: '', around: '', near: new Map(), blank: false, offered: new Set(), clicked: new Set(), were: new Set(), kept: new Set(), found: new Map() };
  if (control) {
    if (closest(control, e => attributeOf(e, 'aria-expanded') === 'true' && (e === control || attributeOf(e, 'role') === 'combobox')) === null) choice.loose = new Set(looseOptions());
    const open = listShown();
    choice.before = new Set(shownOf('listbox').filter(list => list !== last));
    choice.stood = new Set([...choice.before].flatMap(optionsOf).filter(option => attributeOf(option, 'aria-selected') !== 'true'));
    choice.menus = new Set(shownOf('menu'));
    [choice.own, choice.around] = [ownText(control), textAround(control)];
    choice.list = open;
  }
  return { control: refOf(el), open: choice.list !== null, text: control?.value ?? '' };
}

// listShown returns the list that the control has opened, null while it is closed. That is the list
// that the control refers to, that holds the active option, or that is inside the control. Without
// such a list, it is the only list that was not shown before.
function listShown() {
  if (choice === null) return null; // the document was replaced
  const { control, list, before } = choice;
  if (control === null) return list;
  if (attributeOf(control, 'aria-expanded') === 'false') return null;
  const around = [control, ...flat(control)].filter(el => el.hasAttribute('aria-controls') || el.hasAttribute('aria-owns') || el.hasAttribute('aria-activedescendant'));
  for (const el of around) {
    for (const place of placesOf(el)) {
      const found = listIn(place);
      if (found !== null) return found;
    }
  }
  const opened = shownOf('listbox').filter(el => !before.has(el));
  const inside = opened.filter(el => isInside(el, control));
  if (inside.length > 0) return inside.reduce((a, b) => optionsOf(b).length > optionsOf(a).length ? b : a);
  const others = opened.length > 1 ? opened.filter(el => !optionsOf(el).every(wasClicked)) : opened; // chips that are options have appeared as well
  return opened.length === 0 ? looseList() : others.length === 1 ? others[0] : null;
}

// looseOptions returns the options that are shown and are in no list.
function looseOptions() {
  return optionsOf(document.documentElement).filter(el => closest(el, e => HOLDS_OPTIONS.has(attributeOf(e, 'role'))) === null);
}

// looseList returns the box of the options that have appeared since the choice began, null if there are
// none. Some popups have options, and no list around them.
function looseList() {
  const fresh = looseOptions().filter(el => !choice.loose.has(el));
  if (fresh.length === 0) return null;
  const box = closest(parentOf(fresh[0]), el => fresh.every(option => isInside(option, el)));
  return box === null || box === document.body || isInside(choice.control, box) ? null : box;
}

// listIn returns the open list that an element is or holds, null if it is closed. For a list that
// is only for screen readers, it returns the box around the list, where the options are drawn.
function listIn(el) {
  const lists = [el, ...flat(el)].filter(e => LIST_ROLES.has(attributeOf(e, 'role')));
  const list = lists[0] ?? el;
  if (isOpen(list)) return list;
  if (!isRendered(list) || !lists.length) return null;
  const box = closest(parentOf(list), e => e === document.body || isOpen(e));
  return box === document.body || box.contains(choice.control) ? null : box;
}

// isOpen reports whether a list or menu can be seen. Some lists have no area themselves, because the
// box in them is positioned. Then an option must be seen.
function isOpen(el) {
  if (!isRendered(el)) return false;
  const { width, height } = el.getBoundingClientRect();
  if (width <= 1 || height <= 1) return optionsOf(el).length > 0;
  const [box] = rectsOf(el);
  return Boolean(box) && box.width > 4 && box.height > 4 && !clippedAway(el);
}

// isSeen reports whether a person sees a list. A closed list may stay laid out, transparent or outside
// of the viewport.
function isSeen(list) { return isOpen(list) && !isUnseen(list) && inSight(list) !== null; }

// shownOf returns the lists or menus that are open, by their role.
function shownOf(role) {
  return [...flat(document.documentElement)].filter(el => el.localName !== 'select' && attributeOf(el, 'role') === role && el !== choice.control && isOpen(el));
}

const OPENING = 1000; // milliseconds that a list may take to open
const LOADING = 3000; // milliseconds until an open list must have options
const UNCHANGED = 600; // milliseconds that a list must stay the same before an option counts as missing

// seekOption waits until the list is open and has an option of this value or label, at most until
// the deadline (o.by). If o.scroll is true, it scrolls through the list for an option that is not
// rendered yet. It returns the number of the option, its text, whether it is selected, and whether
// the list allows several selected options. If several are to be chosen (o.many), it also returns
// whether the option was chosen before (kept), so that a click might deselect it. If there is no such
// option, it returns what is missing (see missing.go): closed, option, unread, ambiguous, or menu (see
// menuOpened). For closed and option it also returns field, the number of a text field in which the
// option can be searched for, or 0. If the list scrolls back by itself, hover is the number of the list,
// otherwise 0. Some lists keep their active option in view, until the mouse is over them.
async function seekOption(n, value, o) {
  if (choice === null) return { missing: 'gone' }; // the document was replaced
  beginWait(n); // a reason found before the control could be used no longer applies
  const begun = performance.now(), known = new Set();
  let list = null, last = '', since = begun;
  for (;;) {
    choice.list = list = listShown();
    const found = list && matchesIn(list, value, known);
    if (found) return present(found, value, o);
    const now = performance.now(), content = list ? list.textContent : '';
    if (content !== last) [last, since] = [content, now];
    const awaitsText = !o.scroll && squash(content) !== '' && typingField() !== 0; // a message may ask for text, which is typed next
    const limit = list === null ? OPENING : known.size === 0 && !awaitsText || list.ariaBusy === 'true' ? LOADING : UNCHANGED;
    if (now >= o.by || now - since >= limit) break;
    await nextFrame(o.by);
  }
  if (list === null) return menuOpened() ?? { missing: 'closed', field: typingField() };
  const { found, end } = o.scroll ? await scrollThrough(list, value, known, o.by) : {};
  if (found) return present(found, value, o);
  const answer = { which: value, field: typingField(), hover: end === 'back' ? refOf(list) : 0 };
  if (known.size === 0 && answer.field === 0) wordsIn(list).forEach(text => known.add(text)); // if nothing can be typed, a text that is alone may be an option
  if (end === 'late') return { ...answer, missing: 'unread', options: [...known].slice(-MOST_OPTIONS) };
  return { ...answer, missing: 'option', ...firstOptions([...known].map(asSeen)) };
}

// menuOpened returns the answer {missing: 'menu', …} if the control has opened a menu in place of a
// list. The answer has the entries of the menu, by number and text. A click on an entry may open
// another menu beside it. If no menu is open, menuOpened returns null.
function menuOpened() {
  const entries = shownOf('menu').filter(menu => !choice.menus.has(menu)).flatMap(menu => [...flat(menu)])
    .filter(el => /^menuitem/.test(attributeOf(el, 'role')) && takesSpace(el));
  return entries.length === 0 ? null : { missing: 'menu', entries: entries.slice(0, MOST_OPTIONS).map(el => ({ ref: refOf(el), says: labelOf(el) })) };
}

// typingField returns the number of the text field that has the focus and belongs to the choice, 0
// if there is none.
function typingField() {
  const el = focused(), { control, list } = choice;
  if (!el || !takesText(el) || el.readOnly) return 0;
  const belongs = control && (isInside(el, control) || textBox(el) === list) || list && (isInside(el, list) || isInside(list, parentOf(parentOf(el))));
  return belongs ? refOf(el) : 0;
}

function textBox(el) { return placesOf(el).map(listIn).find(list => list !== null) ?? null; }

// matchesIn returns the options that a value stands for, null if there are none: see optionsFor. It
// also adds the texts that can be seen in the list to the set known. If there are no options, a text
// that is alone is a message, such as "Loading".
function matchesIn(list, value, known) {
  const options = optionsOf(list), texts = options.length === 0 ? wordsIn(list) : [];
  if (texts.length > 1) texts.forEach(text => known.add(text));
  for (const option of options) known.add(labelOf(option));
  for (const label of known) choice.offered.add(label);
  const found = options.length > 0 ? optionsFor(options, value) : [textIn(list, squash(value))].filter(el => el !== null);
  return found.length > 0 ? found : null;
}

// present scrolls to the option that was found and waits until it stays where it is. Meanwhile a
// virtual list may have reused the element for another option. Then present searches for the option
// again. If several options were found, none is presented.
async function present(found, value, { by, many }) {
  let option;
  for (;;) {
    if (found.length > 1) return ambiguous(value, found, o => ({ label: labelOf(o), group: groupAround(o), value: valuesOfOption(o)[0] ?? '' }));
    [option] = found;
    if (clickable(option) === null) option.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
    await settled(option, by);
    const again = choice.list && matchesIn(choice.list, value, new Set());
    if (!again || again.length === 1 && again[0] === option || performance.now() >= by) break;
    found = again;
  }
  if (isInert(option)) return { missing: 'disabled', which: value };
  choice.found.set(labelOf(option), { option, forms: formsOf(option), known: new Set(choice.offered) });
  choice.near = nearControl();
  choice.blank = choice.control !== null && isBlank(option);
  if (many && choice.list !== null && choice.clicked.size === 0) optionsOf(choice.list).filter(isChosen).forEach(o => choice.were.add(labelOf(o)));
  const label = labelOf(option), selected = isChosen(option), kept = selected && choice.were.has(label) && !isActive(option);
  if (kept) choice.kept.add(label);
  return { option: refOf(option), says: squash(option.textContent), label, selected, kept, several: isSeveral(choice.list) };
}

// guardChoice guards the focused element for a key press (see guard.js) if the element belongs to
// the choice and the list is open. It reports whether the element is guarded. The list first has time
// to handle the choice or close by itself (settling, in milliseconds). A list of one (single) counts
// as open only if the control still says so. If a click on an option has moved the focus to the body,
// the control gets it back.
async function guardChoice(_, ms, by, settling, single) {
  await new Reaction(settling, by).until(() => listShown() === null);
  const list = choice && listShown();
  if (!list || choice.control === null) return false;
  const saysOpen = attributeOf(choice.control, 'aria-expanded') === 'true';
  if (single && !saysOpen) return false;
  if (saysOpen && document.activeElement === document.body) choice.control.focus({ preventScroll: true });
  const el = focused();
  if (!el || el === document.body) return false;
  if (!isInside(el, choice.control) && !areRelated(el, list) && !typingField()) return false;
  guardElement(el, ms, by);
  return true;
}

// openerOf returns the number of the element that must be clicked to open the list of the choice.
// Usually that is the control. If another part of the widget covers the control, it is the box
// around both, see opensFor. The result is 0 if the list is open. A list that is just closing may
// cover all of these, and its own control may ignore a click. So openerOf waits a moment for it, at
// most until the deadline (by).
async function openerOf(_, by) {
  for (const reaction = new Reaction(OPENING, by);;) {
    const { control, last } = choice ?? {};
    if (!control || listShown() !== null) return 0;
    if (!inView(...middle(control))) reveal(control, 'center');
    const closing = attributeOf(control, 'aria-expanded') === 'false' && [...placesOf(control), last].some(list => list !== null && isSeen(list)) && !reaction.isOver();
    const widget = boxAround(control), beside = (el, hit) => reaches(el, hit) && !isForInner(el, hit);
    if (!closing && clickable(control) !== null) return refOf(control);
    for (let box = control; !closing && box !== widget;) {
      box = parentOf(box);
      if (opensFor(box, control) && clickable(box, beside) !== null) return refOf(box);
    }
    if (reaction.isOver()) return refOf(control);
    await reaction.frame();
  }
}

// opensFor reports whether a click on a box around a control that is covered counts for the control.
// What covers the control must be in the box. A box with buttons or icons, such as those that remove
// chips, counts only if nobody can click the control itself. A box with other controls does not count.
function opensFor(box, control) {
  const hit = deepest(...middle(control));
  if (hit === null || !isInside(hit, box)) return false;
  if (partOf(box, control)) return true;
  const own = el => el.localName === 'svg' || el.matches(INNER_CONTROLS) || areRelated(el, control);
  return (invisible(control) || ignoresMouse(control)) && !box.matches(TAKES_CLICKS) && !holdsControl(shadowOf(box) ?? box, own);
}

Object.assign(chela, { beginChoice, seekOption, guardChoice, openerOf });
