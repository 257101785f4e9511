// The options of lists that scripts of the page make: their texts, and whether they are selected.

const OPTION_ROLES = words('option treeitem');
const CHOICE_ROLES = words('option treeitem menuitemcheckbox menuitemradio'); // a list of options may also be a menu

// optionsFor returns the options with this value, or else those with this text. Else it returns those
// with this first line, those that look like this text, or have it beside emoji or in another case. Disabled
// options count only if there are no others, and then only the first. Of options that do not differ
// in any text, only the first counts.
//
// This is for lists that scripts make, where optionsNamed is for select elements. Their options have
// no value and no label of their own, and a style may show their texts in another case.
function optionsFor(options, value) {
  const label = squash(value), all = options.map(o => ({ o, texts: labelsOfOption(o), first: firstLineOf(o) }));
  const fitting = [
    ({ o }) => valuesOfOption(o).includes(value),
    ({ texts }) => texts.includes(label),
    ({ first }) => first === label,
    ({ texts, first }) => [...texts, first].some(text => asSeen(text) === asSeen(label)),
    ({ texts, first }) => [...texts, first].some(text => isBesideEmoji(text, label)),
    ({ texts, first }) => [...texts, first].some(text => text.toLowerCase() === label.toLowerCase()),
  ].map(fits => all.filter(fits)).find(found => found.length > 0) ?? [];
  const found = fitting.map(({ o }) => o), usable = distinct(found.filter(o => !isInert(o)), o => JSON.stringify([labelsOfOption(o), groupAround(o), valuesOfOption(o)[0]]));
  return usable.length > 0 ? usable : found.slice(0, 1);
}

// valuesOfOption returns the values of an option, which may have none. The attribute value of an
// <li> is only its number.
function valuesOfOption(o) {
  return [o.getAttribute('data-value'), o.localName === 'li' ? null : o.getAttribute('value')].filter(value => value !== null);
}

// groupAround returns the name of the group of options that an option is in, '' if there is none.
function groupAround(option) {
  const group = closest(parentOf(option), el => attributeOf(el, 'role') === 'group');
  if (group === null) return '';
  look();
  return squash(nameOf(group));
}

function optionsOf(list) {
  const all = [...flat(list), ...referenced(list, 'aria-owns', 'ariaOwnsElements')];
  return all.filter(el => CHOICE_ROLES.has(attributeOf(el, 'role')) && isUnclipped(el));
}

// labelOf returns what an option says.
function labelOf(option) { return squash(option.getAttribute('aria-label') || renderedText(option) || option.textContent); }

// labelsOfOption returns the texts of an option, each in full.
function labelsOfOption(o) { return [o.getAttribute('aria-label') ?? '', renderedText(o), o.textContent].map(squash).filter(text => text !== ''); }

// formsOf returns the texts by which a control may show an option: those of the option, and its
// first line.
function formsOf(o) { return [...labelsOfOption(o), firstLineOf(o)].filter(text => text !== ''); }

function firstLineOf(o) { return squash(renderedText(o).split('\n', 1)[0]); }

// wordsIn returns the texts of a list whose options have no role.
function wordsIn(list) {
  const leaves = [...flat(list)].filter(el => el.childElementCount === 0 && isUnclipped(el));
  return leaves.map(el => squash(el.textContent)).filter(text => text !== '');
}

// textIn returns the innermost element with just this text in a list without options.
function textIn(list, label) {
  const says = [...flat(list)].filter(el => asSeen(el.textContent) === asSeen(label) && isUnclipped(el));
  return says.find(el => !says.some(other => other !== el && el.contains(other))) ?? null;
}

// isSelected reports whether an option is selected. If it has a checkbox, that is what a person sees:
// in some lists aria-selected is true for the active option (Tom Select).
function isSelected(option) {
  const boxes = boxesOfOption(option);
  if (boxes.length > 0) return boxes.some(box => isChecked(box) === true);
  return attributeOf(option, 'aria-selected') === 'true' || attributeOf(option, 'aria-checked') === 'true';
}

// boxesOfOption returns the checkboxes in an option. An option that has one can be chosen beside others.
function boxesOfOption(option) { return [...flat(option)].filter(el => isChecked(el) !== null && !isRadio(el)); }

// isUnclipped reports whether a part of a list takes space that is not clipped away.
function isUnclipped(el) { return takesSpace(el) && !clippedAway(el); }
