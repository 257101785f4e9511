// Lists of options made with ARIA: listboxes, and the comboboxes and buttons that open one.
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

const LIST_ROLES = words('listbox tree grid');
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
    choice.before = new Set(listsShown().filter(list => list !== last));
    choice.stood = new Set([...choice.before].flatMap(optionsOf).filter(option => attributeOf(option, 'aria-selected') !== 'true'));
    choice.menus = new Set(menusShown());
    [choice.own, choice.around] = [ownText(control), textAround(control)];
    choice.list = open;
  }
  return { control: refOf(el), open: choice.list !== null, text: control?.value ?? '' };
}

// chooserOf returns the chooser for an element: a list, or a control that opens one. It is the
// element itself, the list that it is an option of, or the only chooser that it contains. It is
// null if there is none.
function chooserOf(el) {
  if (isChooser(el)) return el;
  const list = closest(el, isChooser);
  if (list !== null && OPTION_ROLES.has(attributeOf(el, 'role'))) return list;
  const inside = [...flat(el)].filter(isChooser);
  const openers = inside.filter(opensList), all = openers.length > 0 ? openers : inside;
  return all.length === 1 ? all[0] : null;
}

// chooserBeside returns what is shown in place of a select element that cannot be seen, if that is
// a chooser. If none is next to the select, it is the only one in one of the closest boxes around.
function chooserBeside(select) {
  return chooserNextTo(select) ?? closeAncestors(select).map(chooserOf).find(found => found !== null) ?? null;
}

// chooserNextTo returns the chooser that a select element is in. Without such a chooser, it is the one
// right before or right after the select. It is null if there is none, or if there is one on both sides.
function chooserNextTo(select) {
  const around = closeAncestors(select).find(isChooser);
  if (around !== undefined) return around;
  const beside = [select.previousElementSibling, select.nextElementSibling].filter(el => el !== null).map(box => {
    const chooser = chooserOf(box);
    return chooser === null || chooser !== box && !partOf(box, chooser) ? null : chooser;
  }).filter(chooser => chooser !== null);
  return beside.length === 1 ? beside[0] : null;
}

// closeAncestors returns the closest ancestors of a select element, the innermost first.
function closeAncestors(select) {
  const around = [];
  for (let box = parentOf(select); box && box !== document.body && around.length < NEIGHBORHOOD; box = parentOf(box)) around.push(box);
  return around;
}

function isChooser(el) { return el.localName !== 'select' && (attributeOf(el, 'role') === 'listbox' || opensList(el)); }

// opensList reports whether an element opens a list. Some such elements have the role of the list
// that they open.
function opensList(el) {
  if (el.localName === 'select') return false;
  switch (attributeOf(el, 'role')) {
    case 'combobox': return true;
    case 'listbox': return el.hasAttribute('aria-expanded');
  }
  return attributeOf(el, 'aria-haspopup') === 'listbox' || el.getAttribute('aria-autocomplete') === 'list';
}

// flat yields what an element holds in the flat tree.
function* flat(el) {
  for (const node of childrenOf(el)) {
    if (node.nodeType !== ELEMENT) continue;
    yield node;
    if (!REPLACED.has(node.localName)) yield* flat(node);
  }
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
  const opened = listsShown().filter(el => !before.has(el));
  const inside = opened.filter(el => isInside(el, control));
  if (inside.length > 0) return inside.reduce((a, b) => optionsOf(b).length > optionsOf(a).length ? b : a);
  const others = opened.length > 1 ? opened.filter(el => !hasClickedOnly(el)) : opened; // chips that are options have appeared as well
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

// hasClickedOnly reports whether all options of a list are such as were clicked.
function hasClickedOnly(list) { return optionsOf(list).every(option => [...choice.clicked].some(label => isOptionOf(option, label))); }

// placesOf returns the elements that a control names as its list, and the list of its active
// option.
function placesOf(el) {
  const active = activeOf(el);
  const around = active ? closest(active, e => LIST_ROLES.has(attributeOf(e, 'role'))) : null;
  const named = [...referenced(el, 'aria-controls', 'ariaControlsElements'), ...referenced(el, 'aria-owns', 'ariaOwnsElements')];
  return around === null ? named : [...named, around];
}

// activeOf returns the active option that an element names (aria-activedescendant), null if none.
function activeOf(el) {
  const id = el.getAttribute('aria-activedescendant');
  return el.ariaActiveDescendantElement ?? (id ? el.getRootNode().getElementById?.(id) ?? null : null);
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

function listsShown() { return shownOf('listbox'); }

function menusShown() { return shownOf('menu'); }

function shownOf(role) {
  return [...flat(document.documentElement)].filter(el => el.localName !== 'select' && attributeOf(el, 'role') === role && el !== choice.control && isOpen(el));
}

// ownText returns what a control itself shows: its value, or the text in it.
function ownText(control) { return squash(takesText(control) ? content(control) : control.innerText ?? ''); }

// boxAround returns the ancestor of a control, or the control itself, that has what belongs to it.
// It holds neither another field nor the list. Among the closest four ancestors, it is the largest
// such one. It may hold buttons, such as the buttons that remove chips.
function boxAround(control) {
  let box = control;
  for (let i = 0; i < 4; i++) {
    const up = parentOf(box);
    if (up === null || up === document.body || choice?.list && up.contains(choice.list)) break;
    if ([...flat(up)].some(el => isField(el) && !areRelated(el, control) && isRendered(el) && !isChosenList(el))) break;
    box = up;
  }
  return box;
}

// isChosenList reports whether an element is a list of what was chosen, such as the chips beside a
// combobox. It is a listbox without an option that is not selected.
function isChosenList(el) {
  return el.localName !== 'select' && attributeOf(el, 'role') === 'listbox' && optionsOf(el).every(o => attributeOf(o, 'aria-selected') !== 'false');
}

function textAround(control) { return squash(boxAround(control).innerText ?? ''); }

const OPENING = 1000; // milliseconds that a list may take to open
const LOADING = 3000; // milliseconds until an open list must have options
const UNCHANGED = 600; // milliseconds that a list must stay the same before an option counts as missing

// seekOption waits until the list is open and has an option of this value or label, at most until
// the deadline (o.by). If o.scroll is true, it scrolls through the list for an option that is not
// rendered yet. It returns the number of the option, its text, whether it is selected, and whether
// the list allows several selected options. If several are to be chosen (o.many), it also returns
// whether the option was chosen before (kept), so that a click might deselect it. If there is no such
// option, it returns what is missing (see missing.go): closed, option, unread, ambiguous, or menu (see
// menuOpened). For closed and option
// it also returns field, the number of a text field in which the option can be searched for, or 0. If
// the list scrolls back by itself, hover is the number of the list, otherwise 0. Some lists keep their
// active option in view, until the mouse is over them.
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
  const entries = menusShown().filter(menu => !choice.menus.has(menu)).flatMap(menu => [...flat(menu)])
    .filter(el => /^menuitem/.test(attributeOf(el, 'role')) && isRendered(el) && rectsOf(el).length > 0);
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
  for (;;) {
    if (found.length > 1) return ambiguous(value, found, o => ({ label: labelOf(o), group: groupAround(o), value: valuesOfOption(o)[0] ?? '' }));
    const [option] = found;
    if (!reachable(option)) option.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
    await settled(option, by);
    const again = choice.list && matchesIn(choice.list, value, new Set());
    if (!again || again.length === 1 && again[0] === option || performance.now() >= by) break;
    found = again;
  }
  const [option] = found;
  if (isInert(option)) return { missing: 'disabled', which: value };
  choice.found.set(labelOf(option), { option, forms: formsOf(option), known: new Set(choice.offered) });
  choice.near = nearControl();
  choice.blank = choice.control !== null && isBlank(option);
  if (many && choice.list !== null && choice.clicked.size === 0) optionsOf(choice.list).filter(isChosen).forEach(o => choice.were.add(labelOf(o)));
  const label = labelOf(option), selected = isChosen(option), kept = selected && choice.were.has(label) && !isActive(option);
  if (kept) choice.kept.add(label);
  return { option: refOf(option), says: squash(option.textContent), label, selected, kept, several: isSeveral(choice.list) };
}

function reachable(option) { return clickable(option) !== null; }

// isChosen reports whether an option is selected because somebody has chosen it. Some lists also mark
// the highlighted option as selected (Choices.js). So a select element behind the control that has
// the option must agree.
function isChosen(option) {
  if (!isSelected(option) || choice.control === null) return isSelected(option);
  return optionBehind(option)?.selected ?? true;
}

// isBlank reports whether an option may stand for no choice: its value is empty. If its value is not
// known, it is the first that was seen.
function isBlank(option) {
  const value = valuesOfOption(option)[0] ?? optionBehind(option)?.value;
  return value === undefined ? [...choice.offered][0] === labelOf(option) : value === '';
}

// optionBehind returns the option of the select element behind the control that stands for an option of
// the list. It returns undefined if there is none.
function optionBehind(option) { return [...selectBehind()?.options ?? []].find(o => squash(o.label) === labelOf(option)); }

// selectBehind returns the select element behind the control, undefined if there is none.
function selectBehind() { return [choice.control, ...flat(boxAround(choice.control))].find(el => el.localName === 'select'); }

// isSeveral reports whether several options of a list can be selected. A list may only show that by
// what is selected in it, if the control shows these options as well, or a choice selected them. An
// option that was selected before counts as well after a click on another, or if two of the wanted were.
function isSeveral(list) {
  if (list === null) return false;
  if ([list, ...flat(list)].some(el => attributeOf(el, 'aria-multiselectable') === 'true')) return true;
  const options = optionsOf(list);
  if (options.some(option => attributeOf(option, 'role') === 'menuitemcheckbox' || boxesOfOption(option).length > 0)) return true;
  const selected = options.filter(isChosen);
  const isClicked = option => [...choice.clicked].some(label => isOptionOf(option, label)), stayed = label => choice.were.has(label) && (choice.clicked.size > 0 || choice.kept.size > 1);
  return choice.control !== null && selected.length > 1 && selected.every(option => isClicked(option) || stayed(labelOf(option)) || showsLabel(labelOf(option)));
}

// isOptionOf reports whether an option is the one of a label. A chosen option may say more than before: a
// check mark can be text.
function isOptionOf(option, label) {
  const says = labelOf(option);
  return says === label || isBesideEmoji(says, label) || choice.found.get(label)?.option === option && hasWords(says, label);
}

// optionChosen waits until an option that was clicked is shown as chosen, or as not chosen if the
// parameter wanted is false. It waits for a limited time (most), as a Reaction does, and not longer
// than until the deadline (by). It reports whether that happened. A control that is cleared counts only
// after that time: a page may clear it while it decides on the choice.
async function optionChosen(n, label, wanted, most, by) {
  for (const reaction = new Reaction(most, by);;) {
    if (showsChosen(element(n), label) === wanted || wanted && reaction.isOver() && isReset()) {
      choice?.clicked[wanted ? 'add' : 'delete'](label);
      return true;
    }
    if (reaction.isOver()) return false;
    await reaction.frame();
  }
}

// showsChosen reports whether an option is chosen: it is selected, or the control shows its label.
// In an open list, an option that is only highlighted may also have aria-selected. It counts if what
// the control shows has changed since the option was found.
function showsChosen(option, label) {
  if (choice === null) return true;
  const { control } = choice, list = listShown(), several = isSeveral(list);
  option ??= list && optionsOf(list).find(o => isOptionOf(o, label)); // the page has drawn the list again
  if (option && isChosen(option) && labelOf(option) !== '' && (several || control === null || !isActive(option) || showsOther())) return true;
  if (control === null) return false;
  if (list !== null && textAround(control) === choice.around) return false;
  return label === '' || showsLabel(label);
}

// nearControl returns what the control and the closest boxes around it show, by element. The boxes do
// not hold the list.
function nearControl() {
  const near = new Map();
  for (let box = choice.control; box && near.size < NEIGHBORHOOD && box !== document.body && !isInside(choice.list, box); box = parentOf(box)) near.set(box, ownText(box));
  return near;
}

// showsOther reports whether what the control shows has changed since the last option was found.
function showsOther() { return [...choice.near].some(([box, text]) => ownText(box) !== text); }

// isReset reports whether a blank option has closed the list and cleared the control. The control no
// longer shows what it showed when the option was found, and shows no option instead.
function isReset() {
  if (!choice?.blank || listShown() !== null) return false;
  const near = [...choice.near].map(([box, text]) => ({ before: text, now: ownText(box) }));
  return near.some(({ before, now }) => before !== '' && !hasWords(now, before)) && ![...choice.offered].some(label => near.some(({ now }) => hasWords(now, label)));
}

// showsLabel reports whether the control shows an option, by its label. There are three ways:
//
//	The label is all that an element in or around the control says, such as a chip.
//	The control itself has the label among other words, as in "Size: L".
//	The text of the control itself has changed. It is now a part of the label, and no other option's.
//
// A label among other words is no proof if it is also in another option that the control shows.
function showsLabel(label) {
  const { control, offered, found } = choice, names = found.get(label)?.forms ?? [label], own = ownText(control);
  if (names.some(name => saysAlone(boxAround(control), name))) return true;
  const longer = name => [...offered].some(other => other !== name && hasWords(other, name) && hasWords(own, other));
  return names.some(name => hasWords(own, name) && !longer(name)) || own !== choice.own && names.some(name => hasWords(name, own)) && ![...offered].some(other => !names.includes(other) && folded(other) === folded(own));
}

// saysAlone reports whether something in a box says just this, or says it between commas. It may be a
// field, a text or an element. The list does not count. Neither does an option that stood in another
// list before the choice. Such a list shows something else, such as the latest choices.
function saysAlone(box, name) {
  const says = text => `, ${folded(text)}, `.includes(`, ${folded(name)}, `);
  return [box, ...flat(box)].some(el => {
    const texts = [...childrenOf(el)].filter(node => node.nodeType === TEXT).map(node => node.data);
    if (takesText(el)) texts.push(content(el));
    else if (el.getElementsByTagName('*').length < CHIP_PARTS) texts.push(el.textContent);
    return texts.some(says) && rendersText(el) && !isInside(el, choice.list) && ![...choice.stood].some(option => areRelated(el, option));
  });
}

const CHIP_PARTS = 20; // an element with this many elements inside is no chip: comparing its text is not worth the time

// hasWords reports whether a text has the words of another, next to each other and each as a whole.
function hasWords(text, words) {
  const [within, wanted] = [text, words].map(folded), isLetter = /[\p{L}\p{N}]/u;
  if (wanted === '') return false;
  for (let at = within.indexOf(wanted); at >= 0; at = within.indexOf(wanted, at + 1)) {
    if (!isLetter.test(within.charAt(at - 1)) && !isLetter.test(within.charAt(at + wanted.length))) return true;
  }
  return false;
}

function isActive(option) {
  return option === focused() || [choice.control, choice.list, focused()].some(el => el && activeOf(el) === option);
}

// otherOptions returns three lists. The list more has the selected options with other labels than the
// given ones, each as its number and its text. The list may have been drawn again, with a mark that is a
// word. So an option with the words of a given label counts as that one. But its text must be new since
// then (hasNewWords), and no other option may stand for the label. The list lost has the labels that are
// not shown as chosen any more. The list kept has those of options that are chosen without being in the
// list, as the select element behind the control says. If the list is being opened, otherOptions waits
// for it, at most until the deadline (by).
async function otherOptions(_, labels, opening, by) {
  for (const reaction = new Reaction(OPENING, by); opening && listShown() === null && !reaction.isOver();) await reaction.frame();
  const list = listShown(), options = list ? optionsOf(list) : [];
  const selected = isSeveral(list) ? options.filter(isChosen) : [];
  const chosenNow = label => choice === null || selected.some(o => isOptionOf(o, label)) || choice.control !== null && showsLabel(label);
  const isWanted = option => labels.some(label => isOptionOf(option, label) || hasNewWords(option, label) && !options.some(o => isOptionOf(o, label)));
  return {
    more: selected.filter(o => !isWanted(o)).map(o => ({ option: refOf(o), says: squash(o.textContent), label: labelOf(o) })),
    lost: labels.length > 1 ? labels.filter(label => !chosenNow(label)) : [],
    kept: keptOptions([...labels, ...options.map(labelOf)]),
  };
}

// hasNewWords reports whether an option has the words of a label, and others that no option had when the
// one of the label was found.
function hasNewWords(option, label) {
  const says = labelOf(option);
  return hasWords(says, label) && choice.found.get(label)?.known.has(says) === false;
}

// keptOptions returns the labels of the options that are chosen in a select element of several behind
// the control, and have none of these names. The list may show an option with more words than the
// select does. But a name that the select has itself stands for one option only.
function keptOptions(names) {
  const behind = choice?.control && selectBehind();
  if (!behind?.multiple) return [];
  const own = new Set(Array.from(behind.options, o => folded(o.label)));
  const isNamed = label => names.some(name => own.has(folded(name)) ? folded(name) === folded(label) : hasWords(name, label));
  return Array.from(behind.selectedOptions, o => squash(o.label)).filter(label => !isNamed(label));
}

// guardChoice guards the focused element for a key press (see guard.js) if the element belongs to
// the choice and the list is open. It reports whether the element is guarded. The list first has time
// to handle the choice or close by itself (settling, in milliseconds). A list of one (single) counts
// as open only if the control still says so. If a click on an option has moved the focus to the body,
// the control gets it back.
async function guardChoice(_, ms, by, settling, single) {
  for (const reaction = new Reaction(settling, by); listShown() !== null && !reaction.isOver();) await reaction.frame();
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

Object.assign(chela, { beginChoice, seekOption, optionChosen, otherOptions, guardChoice, openerOf });
