// Whether an option is chosen: what its list marks, and what the control shows. It is about the choice
// of listbox.js.

// optionChosen waits until an option that was clicked is shown as chosen, or as not chosen if the
// parameter wanted is false. It waits for a limited time (most), as a Reaction does, and not longer
// than until the deadline (by). It reports whether that happened. A control that is cleared counts only
// after that time: a page may clear it while it decides on the choice.
async function optionChosen(n, label, wanted, most, by) {
  const reaction = new Reaction(most, by);
  const done = await reaction.until(() => showsChosen(element(n), label) === wanted || wanted && reaction.isOver() && isReset());
  if (done) choice?.clicked[wanted ? 'add' : 'delete'](label);
  return done;
}

// otherOptions returns three lists. The list more has the selected options with other labels than the
// given ones, each as its number and its text. The list may have been drawn again, with a mark that is a
// word. So an option with the words of a given label counts as that one. But its text must be new since
// then (hasNewWords), and no other option may stand for the label. The list lost has the labels that are
// not shown as chosen any more. The list kept has those of options that are chosen without being in the
// list, as the select element behind the control says. If the list is being opened, otherOptions waits
// for it, at most until the deadline (by).
async function otherOptions(_, labels, opening, by) {
  if (opening) await new Reaction(OPENING, by).until(() => listShown() !== null);
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

// isChosen reports whether an option is selected because somebody has chosen it. Some lists also mark
// the highlighted option as selected (Choices.js). So a select element behind the control that has
// the option must agree.
function isChosen(option) {
  if (!isSelected(option) || choice.control === null) return isSelected(option);
  return optionBehind(option)?.selected ?? true;
}

function isActive(option) {
  return option === focused() || [choice.control, choice.list, focused()].some(el => el && activeOf(el) === option);
}

// optionBehind returns the option of the select element behind the control that stands for an option of
// the list. It returns undefined if there is none.
function optionBehind(option) { return [...selectBehind()?.options ?? []].find(o => squash(o.label) === labelOf(option)); }

// selectBehind returns the select element behind the control, undefined if there is none.
function selectBehind() { return [choice.control, ...flat(boxAround(choice.control))].find(el => el.localName === 'select'); }

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

// isSeveral reports whether several options of a list can be selected. A list may only show that by
// what is selected in it, if the control shows these options as well, or a choice selected them. An
// option that was selected before counts as well after a click on another, or if two of the wanted were.
function isSeveral(list) {
  if (list === null) return false;
  if ([list, ...flat(list)].some(el => attributeOf(el, 'aria-multiselectable') === 'true')) return true;
  const options = optionsOf(list);
  if (options.some(option => attributeOf(option, 'role') === 'menuitemcheckbox' || boxesOfOption(option).length > 0)) return true;
  const selected = options.filter(isChosen);
  const stayed = label => choice.were.has(label) && (choice.clicked.size > 0 || choice.kept.size > 1);
  return choice.control !== null && selected.length > 1 && selected.every(option => wasClicked(option) || stayed(labelOf(option)) || showsLabel(labelOf(option)));
}

function wasClicked(option) { return [...choice.clicked].some(label => isOptionOf(option, label)); }

// isOptionOf reports whether an option is the one of a label. A chosen option may say more than before: a
// check mark can be text.
function isOptionOf(option, label) {
  const says = labelOf(option);
  return says === label || isBesideEmoji(says, label) || choice.found.get(label)?.option === option && hasWords(says, label);
}

// hasNewWords reports whether an option has the words of a label, and others that no option had when the
// one of the label was found.
function hasNewWords(option, label) {
  const says = labelOf(option);
  return hasWords(says, label) && choice.found.get(label)?.known.has(says) === false;
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

// isBlank reports whether an option may stand for no choice: its value is empty. If its value is not
// known, it is the first that was seen.
function isBlank(option) {
  const value = valuesOfOption(option)[0] ?? optionBehind(option)?.value;
  return value === undefined ? [...choice.offered][0] === labelOf(option) : value === '';
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

// ownText returns what a control itself shows: its value, or the text in it.
function ownText(control) { return squash(takesText(control) ? content(control) : control.innerText ?? ''); }

function textAround(control) { return squash(boxAround(control).innerText ?? ''); }

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

Object.assign(chela, { optionChosen, otherOptions });
