// Lines: what the walk has written so far, and the text that it has met since.
//
// Text that stands between two lines is collected, whatever inline elements it is in. When the next
// line begins, it becomes a line of its own. If it is all in one element, it becomes the text of
// that element's line.

const LONGEST_NAME = 400;
const LONGEST_VALUE = 2000;
const LONGEST_TEXT = 2000;
const SAYS_CHOSEN = /\b(selected|checked|pressed|current)\b(?!=false)/; // states
const LONGEST_ICON = 80; // of the words in a control that are hidden from screen readers

const BELOW_ITEM = words('group treeitem'); // roles of the boxes that hold the children of a tree item, and of these children

class Lines {
  constructor(allRefs, marks = false, maxChars = Infinity) {
    this.list = [];
    this.maxChars = maxChars;  // beyond it, a text is cut
    this.refs = 0;             // how many lines have a ref of their own
    this.chars = 0;            // number of characters of all lines
    this.loose = '';           // text since the last line
    this.marks = marks;        // whether hidden text gets lines with a mark
    this.hidden = '';          // hidden text since the last visible text
    this.why = '';             // why the hidden text cannot be seen
    this.hiddenDepth = 0;      // depth of the lines of the hidden text
    this.hiddenOwner = null;   // the innermost element that holds all of the hidden text
    this.unseen = { texts: 0, chars: 0 }; // how much text was found hidden
    this.anyPreserved = false; // whether a text has preserved white space, see pre.js
    this.kept = new Set();     // lines that must stay although a name contains their text
    // With refs=all: line -> the element that it is about. A text belongs to the innermost element
    // that holds all of it. The owner of the loose text is textOwner.
    this.owners = allRefs ? new Map() : null;
    this.textOwner = null;
  }

  get length() {
    return this.list.length;
  }

  // add adds a line about el.
  add(depth, role, el) {
    const line = new Line(depth, role);
    this.list.push(line);
    if (this.owners !== null) this.owners.set(line, el);
    return line;
  }

  // give gives a line a ref to el. If el has no number yet, it gets one at the end of the walk.
  give(line, el) {
    line.ref = numbers.get(el) ?? UNNUMBERED;
    line.subject = el;
    this.refs++;
  }

  // hide adds text that cannot be seen, and the reason (why). The parameter depth is the depth of
  // the lines of that text.
  hide(text, why, depth, el) {
    if (why !== this.why || this.hidden === '') this.flushHidden();
    if (this.marks && this.hidden === '') this.flush(depth);
    this.hidden += text;
    this.why = why;
    this.hiddenDepth = depth;
    if (this.owners !== null) this.hiddenOwner = this.hiddenOwner === null ? el : innermostOfBoth(this.hiddenOwner, el);
    if (/\s/.test(text)) this.loose += ' ';
  }

  // flushHidden counts the hidden text that was collected. If marks is set, it also writes lines
  // for that text.
  flushHidden() {
    const text = this.hidden === '' ? '' : squash(this.hidden), owner = this.hiddenOwner;
    this.hidden = '';
    this.hiddenOwner = null;
    if (text === '') return;
    this.unseen.texts++;
    this.unseen.chars += text.length;
    if (!this.marks) return;
    const line = this.add(this.hiddenDepth, 'text', owner);
    line.text = this.counted(text);
    line.states = 'hidden=' + this.why;
  }

  // say adds text of el to the loose text.
  say(text, el) {
    if (this.hidden !== '' && /\S/.test(text)) this.flushHidden();
    this.loose += text;
    if (this.owners === null || !/\S/.test(text)) return;
    this.textOwner = this.textOwner === null ? el : innermostOfBoth(this.textOwner, el);
  }

  // takeText removes the text that has no line yet (loose) and returns it. It returns null if the
  // text is so long that it needs lines of its own. The caller counts its characters.
  takeText() {
    this.flushHidden();
    const text = this.squashed(this.loose);
    if (text.length > LONGEST_TEXT) return null;
    this.loose = '';
    this.textOwner = null;
    return text;
  }

  // flush writes the text that has no line yet (loose) as lines of its own.
  flush(depth) {
    this.flushHidden();
    if (!this.loose) return;
    const text = this.squashed(this.loose);
    this.loose = '';
    if (!text) return;
    this.write(this.counted(text), depth, this.textOwner);
    this.textOwner = null;
  }

  // counted counts the characters of a text, and returns as many of them as maxChars leaves room for.
  // An ellipsis follows what was cut. Go masks the beginning of a secret by it.
  counted(text) {
    const room = Math.max(0, this.maxChars - this.chars);
    this.chars += text.length;
    if (text.length <= room) return text;
    return room === 0 ? '' : text.slice(0, room) + '…';
  }

  get isFull() { return this.chars >= this.maxChars; }

  // fullness says why the walk has ended when isFull is true.
  get fullness() { return `${Math.min(this.chars, this.maxChars)} characters read, the page has more`; }

  // write adds a line of text.
  write(text, depth, el) {
    this.add(depth, 'text', el).text = text;
  }

  squashed(text) {
    return this.anyPreserved ? trimPreserved(squash(text)) : squash(text);
  }

  // flat returns a text with all its white space squashed, preserved or not.
  flat(text) {
    return this.anyPreserved ? flattened(text) : text;
  }

  // keep protects the lines that begin at an index from dropRepeated, because their text is part of
  // no name.
  keep(from) {
    for (let i = from; i < this.list.length; i++) this.kept.add(this.list[i]);
  }

  // dropRepeated removes lines of list.slice(from, end) that have no ref and only repeat the
  // parameter name. Lines inside a removed line move up. If byAuthor is true, the name comes from
  // an attribute, and not from the text of these lines. Text in an element with a ref but no name
  // stays, since that text says what the ref is for. Of hidden words, only the first are removed:
  // the same number once more may be another one, such as a price below a day.
  dropRepeated(from, end, name, byAuthor = false) {
    if (from >= end || !name) return;
    const dropped = []; // depths of the removed lines around the current one
    let hiddenWords = '', to = from, nameless = Infinity; // nameless: depth of the line around with a ref and no name
    for (let i = from; i < this.list.length; i++) {
      const line = this.list[i];
      while (dropped.length && dropped[dropped.length - 1] >= line.depth) dropped.pop();
      if (line.depth <= nameless) nameless = line.ref && line.name === '' ? line.depth : Infinity;
      const words = line.states === 'aria-hidden' ? plainWords(line.text) : '';
      const droppable = i < end && line.depth <= nameless && !this.kept.has(line) && (words === '' || hiddenWords === '');
      if (droppable && repeats(line, name, this.flat(line.text), byAuthor)) {
        hiddenWords += words;
        dropped.push(line.depth);
        continue;
      }
      line.depth -= dropped.length;
      this.list[to++] = line;
    }
    this.list.length = to;
  }

  // takeConcealed removes the lines from an index on, and returns their words. All of them must be
  // few words that are hidden from screen readers. These are all that distinguishes a control
  // without a name. Many fonts draw an icon in place of such a word.
  takeConcealed(from) {
    const inside = this.list.slice(from), top = inside[0]?.depth;
    if (!inside.every(line => line.ref === 0 && (line.depth > top || line.states === 'aria-hidden'))) return '';
    const said = inside.map(line => line.name || this.flat(line.text)).filter(Boolean).join(' ');
    if (said.length > LONGEST_ICON) return '';
    this.list.length = from;
    return said;
  }

  // dropEchoes removes the lines, from an index on, that repeat the control around them. Some
  // components listen on each part of a button. A click on such a part is a click on the control,
  // and the part has the text of the control, or cannot be seen. The parameter isIcon says that the
  // control shows no words: then all its content may be an icon.
  dropEchoes(from, name, isIcon) {
    if (from >= this.list.length) return;
    if (isIcon && this.areOneIcon(from)) {
      this.refs -= this.list.length - from;
      this.list.length = from;
    }
    for (let i = this.list.length - 1; i >= from; i--) {
      const line = this.list[i], last = i + 1 === this.list.length || this.list[i + 1].depth <= line.depth;
      if (!last || !line.onlyTakesClicks()) continue;
      if (line.text === '' ? sized(line.subject.getClientRects()).length > 0 : line.text !== name) continue;
      this.list.splice(i, 1);
      this.refs--;
    }
  }

  // haveWords reports whether one of the lines from an index on has words that are part of a name.
  haveWords(from) {
    return this.list.slice(from).some(line => line.states !== 'aria-hidden' && /[\p{L}\p{N}]/u.test(line.text));
  }

  // areOneIcon reports whether the lines from an index on describe one icon. Each such line is
  // inside the line before it, has no text, and only takes clicks.
  areOneIcon(from) {
    return this.list.slice(from).every((line, i) => line.depth === this.list[from].depth + i && line.text === '' && line.onlyTakesClicks());
  }

  // onlyWraps reports whether the line at an index is about a clickable element that only wraps
  // others. All lines directly inside it must have refs. One of them must be a control, or the only
  // one must have a role. If the element is chosen by its class, one of them must say more about that.
  onlyWraps(at) {
    const line = this.list[at], inside = this.list.slice(at + 1).filter(each => each.depth === line.depth + 1);
    if (!line.onlyTakesClicks() || line.text !== '' || inside.some(each => each.ref === 0)) return false;
    if (line.chosen !== '' && !inside.some(each => SAYS_CHOSEN.test(each.states))) return false;
    return inside.some(each => INTERACTIVE.has(each.role)) || inside.length === 1 && inside[0].role !== 'generic';
  }

  // onlyNames reports whether a line says no more than the name of the one line in it.
  onlyNames(at) {
    const { role, ref, name, text, states } = this.list[at];
    if (role !== 'generic' || ref !== 0 || text !== '' || states !== '') return false;
    return this.list.length === at + 2 && this.list[at + 1].name === name;
  }

  // repeatsBox reports whether the line after an index is the box inside a component that counts as
  // that box itself. Both have the same name and state.
  repeatsBox(at) {
    const [line, box] = this.list.slice(at, at + 2), isChecked = each => /\bchecked/.test(each.states);
    return box !== undefined && box.role === line.role && box.name === line.name && isChecked(box) === isChecked(line);
  }

  // unwrap removes a line; what is inside it moves up.
  unwrap(at) {
    const [line] = this.list.splice(at, 1);
    if (line.ref) this.refs--;
    for (let i = at; i < this.list.length && this.list[i].depth > line.depth; i++) this.list[i].depth--;
  }

  // endOfItem returns the index at which the lines about a tree item itself end. The lines from
  // that index on are about the items below it.
  endOfItem(from) {
    let end = from;
    while (end < this.list.length && !BELOW_ITEM.has(this.list[end].role)) end++;
    return end;
  }

  // arePlain reports whether list.slice(from, end) is text. Single controls may stand among the
  // text, unless the element around them is a row.
  arePlain(from, end, role) {
    let text = 0, others = 0;
    for (let i = from; i < end; i++) {
      const line = this.list[i];
      if (line.role === 'text') text++;
      else if (line.role === 'generic' && !line.ref) text++; // a line that only has a title
      else if (line.ref && line.role !== 'iframe') others++;
      else return false;
    }
    return text > 0 && (others === 0 || role !== 'row');
  }
}

// repeats reports whether a line says nothing that a name does not say. What is hidden from screen
// readers is part of no name, so its words stay, unless the name is from an attribute and has them.
// Such a name is there in place of the hidden words.
function repeats(line, name, text, byAuthor) {
  if (line.ref) return false;
  if (line.states === 'aria-hidden') return !/[\p{L}\p{N}]/u.test(text) || byAuthor && line.name === '' && standsForWords(name, text);
  return (line.states === '' || line.role === 'heading') && name.includes(line.name) && containsText(name, text, byAuthor);
}

// standsForWords reports whether a name has the words of a text, or the word that the text shortens:
// "March 7, 2025" stands for "7", and "Monday" for "Mon".
function standsForWords(name, text) {
  const [long, short] = [name, text].map(plainWords);
  return /^\p{L}/u.test(short) && long.startsWith(short) || ` ${long} `.includes(` ${short} `);
}

// containsText reports whether a name contains all of a text. A name from an attribute (byAuthor)
// may have the same characters in another sense. The number of a badge, for example, may be part of
// a longer number. So for such names whole words are compared.
function containsText(name, text, byAuthor) {
  if (!byAuthor || text === '' || text === name) return name.includes(text);
  return /\p{L}/u.test(text) && (' ' + plainWords(name) + ' ').includes(' ' + plainWords(text) + ' ');
}

const plainWords = s => s.replace(/[^\p{L}\p{N}]+/gu, ' ').trim().toLowerCase();

// bounded cuts a text and appends the number of characters that it cut off. The parameter most is
// how many UTF-16 code units it keeps. It does not cut if the result would not be shorter.
function bounded(s, most) {
  if (s.length <= most) return s;
  const marker = '…(' + (s.length - most) + ' more characters)';
  return s.length - most <= marker.length ? s : s.slice(0, most) + marker;
}
