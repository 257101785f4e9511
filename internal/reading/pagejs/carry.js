// Carrying refs: many pages replace their elements by new ones that look the same, often all of
// them at each click. The ref of a removed element is then carried over: it names the new element
// from now on.
//
// A ref is carried over only if the match is unambiguous: one removed element and one new element
// have the same key. The key consists of role, name, kind, identifying attributes and place (see
// region.js). If several elements have the key, no ref is carried, and an act fails and lists them.
// If a row is deleted, its ref never goes to another row, because the words around the other row
// differ. Nor does the ref of a button go to a button with another name: the ref of Delete never
// goes to Undo.
//
// Other pages keep their elements, and show other items in them (see reuse.js). Such an element counts
// as removed and as new. It loses its ref, and can get that of the item that it shows now. An act looks
// at this too. It reads the document again if something changed since the last reading in the item that
// its element is in.

let lastLines = [];     // lines of the last reading of the whole document: those with refs, each with its element
let lastHeads = new Map(); // ref number -> the Head of its line
let judged = null;      // how that reading judged hidden text, see Walker; null: there was none
let seenUpTo = 0;       // the highest ref number when that reading began
const lost = new Map(); // key of a removed element -> {number: its ref, base: its base, see baseOf, head, icon}

const reusedRefs = new Set(); // numbers whose elements show other items
const released = new WeakMap(); // element -> the numbers that were taken from it, each {n, at: the count then}
let releases = 0; // how many numbers were taken from elements that show other items

// The calls under way in which a ref means only the element that it was given to, each with its
// deadline (notAfter). Calls run at the same time: one of them may wait. So while there is such a
// call, no call carries a ref over.
const exactCalls = new Set();

const MOST_LOST = 5000;      // removed elements that are remembered; if there are more, the oldest are forgotten
const MOST_CANDIDATES = 5;   // elements that an error lists when a ref could mean several

const UNNUMBERED = -1; // the ref of a line whose element has no number yet, until numberLines gives it one

// carries reports whether refs of removed elements are carried over to new ones now. A call whose
// deadline has passed does not count: it changes nothing any more.
function carries() {
  const now = performance.now();
  return exactCalls.values().every(({ notAfter }) => now >= notAfter);
}

// numberLines gives numbers to the elements of lines that have none yet. In a reading of the whole
// document, a new element that stands for a removed one gets the number of the removed one. If the
// parameter again is true, an earlier walk of the same reading may already have numbered the new
// element. No caller has seen that number, so it is replaced. The parameter items has the items that
// were read, see phrases.js.
function numberLines(lines, whole, items, { again, hidden }) {
  if (!again) seenUpTo = highest;
  const withRefs = lines.filter(line => line.ref !== 0);
  const carrying = carries(), alike = hidden === judged; // else other texts were left out than in the last reading
  if (carrying && alike) release(withRefs, items);
  if (carrying && whole) carry(withRefs, line => line.ref === UNNUMBERED || line.ref > seenUpTo);
  for (const line of withRefs) line.ref = refOf(line.subject);
  if (carrying && (whole || alike)) keepItems(items);
  if (!whole) return;
  lastLines = carrying ? withRefs.filter(isPlaced) : [];
  lastHeads = new Map(lastLines.filter(({ part }) => part.head !== null).map(({ ref, part }) => [ref, part.head]));
  if (!carrying) return; // the items stay as they were read for the refs that pass on
  judged = hidden;
  tooLong = false;
  watchItems();
}

// release takes the numbers of lines from elements that are reused for other items, or that are in the column of another
// day now. The parameter items has the items that were read with these lines.
function release(lines, items) {
  const reused = findReused(items);
  if (reused.size === 0 && lastHeads.size === 0) return;
  for (const line of lines) {
    const n = numbers.get(line.subject);
    if (n === undefined || !isOtherDay(lastHeads.get(n), line) && closest(line.subject, el => reused.has(el)) === null) continue;
    numbers.delete(line.subject);
    elements.delete(n);
    reusedRefs.add(n);
    listed(released, line.subject).push({ n, at: releases++ });
    line.ref = UNNUMBERED;
  }
}

// isOtherDay reports whether a line is in the column of another day than that of a Head, if both are known.
const isOtherDay = (head, { part }) => head != null && part?.head != null && head.isOther(part.head);

// successor returns the element that has replaced element n, which the page has removed. It reads
// the document once to find it. It returns null if there is no such element.
function successor(n) {
  if (!carries() || !isKnown(n)) return null;
  carryAll();
  return numbered(n);
}

// carryBeforePart carries refs over before a part of the document is read, since new elements in
// that part get numbers. If nothing was read before, it reads the items of the whole document.
function carryBeforePart({ selector, hidden }) {
  if (!carries()) return;
  const isFirst = selector && judged === null;
  if (isFirst) judged = hidden;
  if (isFirst || lastLines.some(isLost) || haveItemsChanged()) carryAll();
}

// carryAll reads the document to carry refs over. It returns false if the document is too long.
function carryAll() {
  const began = performance.now(), { lines, items } = reread();
  tooLong = lines === null;
  if (!tooLong) {
    release(lines, items);
    carry(lines, line => !numbers.has(line.subject));
    keepItems(items);
    watchItems();
  }
  looked += performance.now() - began;
  return !tooLong;
}

// candidates returns the refs of elements that may have replaced element n: those with its key, if
// there are several. If no element has its key, moved is true. Then the only candidate is an element
// with the same role and name, in another place or among other words. Just one element had this role
// and name before, and just one has them now. The result also says whether the element is still there, and shows
// another item.
chela.candidates = n => {
  const was = lastLines.find(line => line.ref === n), lines = carries() && was !== undefined ? reread().lines : null, reused = reusedRefs.has(n);
  if (lines === null) return { refs: [], moved: false, reused };
  const bases = new Set([baseOf(was)]), before = groupsOf(lastLines, bases), now = groupsOf(lines, bases);
  const [key] = [...before].find(([, group]) => group.includes(was)) ?? [];
  const alike = [...now.values()].flat(), isAlone = alike.length === 1 && [...before.values()].flat().length === 1;
  const found = now.get(key) ?? (isAlone ? alike : []);
  return { refs: found.slice(0, MOST_CANDIDATES).map(({ subject }) => refOf(subject)), moved: !now.has(key), reused };
};

// reread returns the lines with refs of the whole document, and its items. The lines are null if the
// document is too long.
function reread() {
  const walker = new Walker({ hidden: judged, maxNodes: 100_000, maxMs: 1000, maxChars: 10_000_000 });
  walker.read();
  forget();
  forgetUnseen();
  return { lines: walker.cut ? null : walker.lines.list.filter(line => line.ref !== 0 && isPlaced(line)), items: walker.regions.items };
}

// carry gives the numbers of removed elements to the elements that replaced them. Only elements of
// the given lines for which isNew returns true can get such a number.
function carry(lines, isNew) {
  recordLost();
  for (const [key, { number }] of lost) if (numbered(number) !== null) lost.delete(key); // the page has put the element back
  if (lost.size === 0 || !lines.some(isNew)) return;
  const groups = groupsOf(lines.filter(isPlaced), new Set(Array.from(lost.values(), ({ base }) => base)));
  const before = new Map(lastLines.map(line => [line.ref, line]));
  for (const [key, { number, head, icon }] of lost) {
    const group = groups.get(key);
    if (group === undefined || group.length > 1 || !isNew(group[0])) continue;
    const [line] = group, was = before.get(number);
    if (isOtherDay(head, line) || icon !== '' && !['', icon].includes(iconOfWordless(line))) continue;
    line.ref = number;
    if (was === undefined) lastLines.push(line); // the line was not in the last reading
    else was.subject = line.subject;
    bind(number, line.subject);
    reusedRefs.delete(number);
    lost.delete(key);
  }
}

// iconOfWordless returns what the element of a line is known by if the line has no words: its icon, or the classes of a
// box. It returns '' if that is not known. A click may change the icon of what is clicked, such as a star.
function iconOfWordless({ role, name, text, icon, subject }) {
  if (name + text !== '') return '';
  return icon || (role === 'generic' ? classNames(subject, tells) : '');
}

// isLost reports whether a line of the last reading has lost its element: it was removed, or is
// reused.
function isLost(line) {
  return numbered(line.ref) === null;
}

// recordLost adds to lost the lines of the last reading that have lost their elements, if no other
// element had the same key.
function recordLost() {
  const bases = new Set();
  for (const line of lastLines) if (isLost(line)) bases.add(baseOf(line));
  if (bases.size === 0) return;
  for (const [key, group] of groupsOf(lastLines, bases)) {
    const [line] = group;
    if (!isLost(line)) continue;
    lost.delete(key); // so that it comes last
    if (group.length === 1) lost.set(key, { number: line.ref, base: baseOf(line), head: line.part.head, icon: clicked.has(line.subject) ? '' : iconOfWordless(line) });
  }
  for (const key of lost.keys()) {
    if (lost.size <= MOST_LOST) break;
    lost.delete(key);
  }
}

// isKnown reports whether carry.js knows the line of number n, so that n can be carried over if its
// element is removed.
function isKnown(n) {
  return lastLines.some(line => line.ref === n) || lost.values().some(({ number }) => number === n);
}

// isPlaced reports whether the place of a line's element is known, so that its ref can be carried
// over. The ref of an iframe is never carried: the document in it went away with the element.
function isPlaced(line) {
  return line.part !== null && line.role !== 'iframe';
}

// groupsOf returns the lines whose base (see baseOf) is in bases, grouped by their keys. An element
// with two lines counts once.
function groupsOf(lines, bases) {
  const alike = new Map(), groups = new Map(), met = new Set();
  for (const line of lines) {
    const base = baseOf(line);
    const which = line.ref > 0 ? line.ref : line.subject; // a lost line may have the subject of another one
    if (!bases.has(base) || met.has(which)) continue;
    met.add(which);
    listed(alike, base).push(line);
  }
  for (const [base, group] of alike) for (const line of group) listed(groups, keyOf(line, base, group.length === 1)).push(line);
  return groups;
}

// baseOf returns the part of a line's key that is compared first.
function baseOf({ role, name, text }) {
  return role + '\t' + (name || (role === 'generic' ? text : ''));
}

// keyOf returns the key of a line, by which its element is recognized. The words around the element
// (context) are left out for an element with an id that a person chose. They are also left out for
// a link whose name no other link has.
function keyOf({ subject: el, part, href = hrefOf(el) }, base, isOnly) {
  const id = el.id !== '' && !GENERATED.test(el.id) ? el.id : '', isKnown = id !== '' || isOnly && leadsSomewhere(el);
  const attributes = IDENTIFYING.map(name => el.getAttribute(name) ?? '');
  return [base, el.localName, el.type ?? '', id, href, ...attributes, part.words, isKnown ? '' : part.context, part.around?.key ?? ''].join('\t');
}

const hrefOf = el => el.getAttribute('href') ?? '';

// leadsSomewhere reports whether an element is a link with an address.
function leadsSomewhere(el) { return el.localName === 'a' && /^[^#]|^#./.test(hrefOf(el)); }

const IDENTIFYING = ['name', 'data-key', 'data-id', ...TEST_IDS];

// GENERATED matches ids that a program has made: those with digits, or with signs that nobody
// types.
const GENERATED = /[^\p{L}_-]/u;
