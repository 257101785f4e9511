// Text: what an element shows, in the form in which a person copies it.

// text returns the text of the first element that a CSS selector matches, and whether it was cut.
// An empty selector stands for the page's main part. The parameter most limits the text, in UTF-16
// code units; no character is split. The answer has none: true if no element matches. If the
// parameter hidden is 'omit', text that a person cannot see is left out, and counted as unseen;
// with 'mark' it stands in brackets. With both, an element that is not rendered has no text.
//
// The answer also has suspects, the number of elements that may have a closed root. Go looks into
// these and calls again.
function text(selector, most, hidden) {
  roots();
  return { ...textShown(selector, most, hidden), suspects: hosts.length, type: document.contentType };
}

function textShown(selector, most, hidden) {
  const root = selector === '' ? mainPart() : findDeep(selector, []);
  if (root === null) return { none: true };
  if (hidden !== '' && rendersNothing(root)) {
    const chars = squash(root.textContent).length;
    return { text: '', unseen: { texts: chars > 0 ? 1 : 0, chars } };
  }
  const unseen = hidden === '' ? undefined : findUnseen(root);
  const whole = renderedText(root, hidden === 'mark'), kept = Math.min(most, whole.length);
  forgetUnseen();
  return { text: whole.slice(0, splitsPair(whole, kept) ? kept - 1 : kept), cut: kept < whole.length, unseen: hidden === 'omit' ? unseen : undefined };
}

// rendersNothing reports whether an element and all that is in it is not rendered. The innerText of
// such an element is all its text. If a caller names an element that is never rendered, such as a
// title, the text is what the caller wants.
function rendersNothing(el) {
  return !SILENT.has(el.localName) && !isDrawn(el) && !el.checkVisibility();
}

// mainPart returns the article of a page, else its main element, else its body. If there are
// several articles, as in a list of news, none of them is the main part.
function mainPart() {
  for (const name of ['article', 'main']) {
    const shown = [...document.querySelectorAll(name)].filter(el => isRendered(el) && renderedText(el).trim() !== '');
    const outer = shown.filter(el => !shown.some(other => other !== el && other.contains(el)));
    if (outer.length === 1) return outer[0];
  }
  return document.body ?? document.documentElement ?? document.createElement('html'); // the root may have been removed
}

// splitsPair reports whether a text would be cut between the two code units of a character.
function splitsPair(s, at) { return at > 0 && at < s.length && /[\uD800-\uDBFF]/.test(s[at - 1]) && /[\uDC00-\uDFFF]/.test(s[at]); }

// findUnseen finds the text in root that a person cannot see, except for text of controls and
// labels. It returns how much text that is. For the parameter ends see Copier.
function findUnseen(root, ends = WHOLE) {
  const count = { texts: 0, chars: 0 };
  judgeUnseen();
  for (const text of unseenBelow(root, ends)) {
    count.texts++;
    count.chars += squash(text.data).length;
  }
  forget();
  return count;
}

const WHOLE = new Map(); // value of the parameter ends that leaves nothing out

// judgeUnseen prepares the search for text that a person does not see. The caller ends the search
// by calling forget. The texts that were found stay known until forgetUnseen is called.
function judgeUnseen() {
  textsLeftOut = { texts: 0, chars: 0 };
  judges = true;
  lookAround();
  findHiding();
  unseenTexts = new Set();
}

// unseenBelow finds the unseen texts in an element, and returns them.
function unseenBelow(root, ends = WHOLE) {
  const found = [];
  eachText(root, ends, (node, el) => {
    if (unseenIn(placeOf(el), node) !== '' && closest(el, isLabelOrControl) === null) found.push(node);
  });
  for (const text of found) unseenTexts.add(text);
  return found;
}

// placeOf returns a place for a single element, outside of a walk. It has the fields that unseenIn
// needs.
function placeOf(el) {
  const style = getComputedStyle(el);
  return { el, tag: el.localName, style, display: style.display, parent: null, sight: null, inset: -1 };
}

let textsLeftOut = { texts: 0, chars: 0 }; // texts left out since findUnseen was called

// leaveOut counts a text that a person cannot see.
function leaveOut(node) {
  textsLeftOut.texts++;
  textsLeftOut.chars += squash(node.data).length;
}

function isLabelOrControl(el) {
  return el.localName === 'label' && el.control !== null || el.localName === 'legend' || INTERACTIVE.has(roleOf(el));
}

// eachText calls the function visit with each text in the flat tree of an element, except for blank
// texts and those that are not rendered. It also passes the element that the text is in. Chromium
// takes text in a mask of SVG and the like for rendered, and innerText has it. For the parameter
// ends see Copier.
function eachText(el, ends, visit) {
  const stack = [...childrenRead(el, ends)].map(node => [node, el]);
  while (stack.length > 0) {
    const [node, parent] = stack.pop();
    if (node.nodeType === TEXT && /\S/.test(node.data) && rendersText(parent)) visit(node, parent);
    else if (node.nodeType === ELEMENT && (!SILENT.has(node.localName) || node.namespaceURI === SVG)) for (const child of childrenRead(node, ends)) stack.push([child, node]);
  }
}

// renderedText returns innerText with two differences. It includes the content of shadow roots,
// which innerText leaves out. It leaves out texts that were found unseen, or puts marks around
// them.
//
// Elements for which innerText is not enough are called hosts, see holdHosts. Only the text of
// hosts is put together here, from the texts of their children, as HTML describes it for innerText.
// So is the text of an element of SVG or XML, which has no innerText. The parts are strings and
// numbers of line breaks. Of neighboring numbers, the largest counts.
function renderedText(root, marks = false, hosts = holdHosts(root)) {
  if (!hosts.has(root) && root.innerText !== undefined) return root.innerText;
  const parts = [];
  addContent(root, hosts, parts, marks);
  let text = '', breaks = 0;
  for (const part of parts) {
    if (typeof part === 'number') {
      breaks = Math.max(breaks, part);
      continue;
    }
    const says = text === '' || breaks > 0 || /\s$/.test(text) ? part.replace(/^ /, '') : part;
    if (says === '') continue;
    if (breaks > 0) text = text === '' ? '' : text.replace(/ $/, '') + '\n'.repeat(breaks);
    [text, breaks] = [text + says, 0];
  }
  return text.trimEnd();
}

// addContent adds the text of all that is in a host to the parts.
function addContent(host, hosts, parts, marks) {
  const rendered = rendersText(host);
  for (const node of childrenOf(host)) {
    if (node.nodeType === ELEMENT) addElement(node, hosts, parts, marks);
    else if (node.nodeType === TEXT && rendered) addText(node, parts, marks);
  }
}

function addText(node, parts, marks) {
  if (!unseenTexts?.has(node)) return parts.push(node.data.replace(/\s+/g, ' '));
  if (!marks) leaveOut(node);
  parts.push(marks ? ` [hidden: ${squash(node.data)}] ` : ' ');
}

// addElement adds the text of an element that is rendered. Two other kinds of elements count as
// hosts. An element without a box may be in something that is not rendered: then its innerText would
// be all the text in it. Elements of SVG have no innerText.
function addElement(el, hosts, parts, marks) {
  if (SILENT.has(el.localName) && el.namespaceURI !== SVG) return;
  const { display } = getComputedStyle(el), boxless = display === 'contents';
  if (!(isOption(el) ? shown(el) : boxless || el.checkVisibility())) return;
  if (el.localName === 'br') return parts.push('\n');
  const breaks = el.localName === 'p' ? 2 : inlineDisplay(display) ? 0 : 1;
  if (breaks > 0) parts.push(breaks);
  if (el.localName === 'option') parts.push(el.label);
  else if (boxless || hosts.has(el) || el.innerText === undefined) addContent(el, hosts, parts, marks);
  else parts.push(el.innerText);
  if (breaks > 0) parts.push(breaks);
}

// holdHosts returns the elements in the flat tree of a root, itself included, whose innerText would
// not be right. These are elements with a shadow root, the slots in there, and elements with a
// text that is not seen. Options that show none of their text are among them, and the ancestors of
// all these elements.
function holdHosts(root) {
  const found = new Set();
  for (const el of elementsIn(root)) {
    if (shadowOf(el) !== null || el.localName === 'slot' || isOption(el) && showsNoText(el)) addAround(el, root, found);
  }
  for (const text of unseenTexts ?? []) addAround(parentOf(text), root, found);
  return found;
}

function isOption(el) {
  return el.localName === 'option' || el.localName === 'optgroup';
}

// showsNoText reports whether a list does not show the text in an option or a group of options. An
// option with a label shows that instead.
function showsNoText(option) {
  return option.hasAttribute('label') || !shown(option);
}

// addAround adds an element of a root, and those around it in the root, to a set.
function addAround(el, root, found) {
  for (let up = el; up !== null && !found.has(up); up = up === root ? null : parentOf(up)) found.add(up);
}

// isBare reports whether the document has no body, or an empty one.
function isBare() {
  return !document.body?.hasChildNodes();
}

Object.assign(chela, { text, isBare });
