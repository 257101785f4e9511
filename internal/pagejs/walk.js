// The walk: one pass over the flat tree, without recursion, that writes down
// what a user sees and can act on. It looks at each element once on the way in
// (is it visible, does it get a line) and once on the way out (what is it
// called, which lines inside repeat the name).

// Roles whose name tells what is inside them: those lines need not be repeated.
const TOLD_BY_NAME = words('button link heading option tab menuitem menuitemcheckbox menuitemradio checkbox radio switch tooltip img math');

// Roles named from their content only while it is plain: their name would
// otherwise repeat everything inside.
const TOLD_WHEN_PLAIN = words('cell gridcell columnheader rowheader row treeitem');

// Roles that say something although there is nothing in them.
const SAYS_ITSELF = words('cell gridcell columnheader rowheader separator progressbar meter slider scrollbar iframe video audio canvas status alert');

// Headers of columns and rows, which are called by all that is in them, if that is not much.
const HEADERS = words('columnheader rowheader');
const LONGEST_HEADER = 100;

// Roles of what is told apart by its looks alone when it has neither name nor content.
const SIGNS = new Set(['', 'button', 'link', 'img']);

// walk returns the lines of this frame. See snapshot.Walk for the answer.
//   base              the highest ref ever given in this frame
//   selector          where to begin, else the whole document
//   again             whether this snapshot has walked before
//   urls              whether the addresses of links are wanted
//   refs              'all': a ref for each line, in the order of the lines, as the answer's all
//   maxNodes, maxMs, maxChars   bounds
chela.walk = o => new Walker(o).answer();

class Walker {
  constructor(o) {
    this.o = o;
    this.lines = [];
    this.places = []; // by level
    this.iframes = [];
    this.nodes = 0;
    this.chars = 0;
    this.refs = 0;
    this.loose = ''; // text since the last line
    this.owners = o.refs === 'all' ? new Map() : null; // line -> what it is about; of a text, what holds all of it
    this.speaker = null; // what the loose text is in, known only when all lines get refs
    this.kept = new Set(); // lines to keep although a name says the same
    this.cut = '';
    this.outer = 0;      // depth of what the start is in
    this.labelled = 0;   // how many labels we are in
    this.anyPreserved = false; // whether a text was preformatted
    this.began = performance.now();
  }

  answer() {
    countFrom(this.o.base ?? 0);
    hosts = [];
    beginCustoms(this.o.again);
    lookAround();
    findActive();
    findModal();
    findPagePresses();
    const start = this.o.selector ? findDeep(this.o.selector, hosts) : document.body ?? document.documentElement;
    if (start !== null) this.begin(start);
    const all = this.owners !== null ? this.lines.map(line => refOf(this.owners.get(line))) : undefined; // before highest is read
    const answer = {
      all, doc: documentToken, max: highest, missing: start === null, lines: this.lines.join('\n'), iframes: this.iframes,
      hosts: hosts.length, customs: customs.length, roots: shadowRoots().size, newRoots: newRoots.length, cut: this.cut, nodes: this.nodes, refs: this.refs, ms: performance.now() - this.began,
    };
    forget();
    return answer;
  }

  // begin walks from start on, as what it is in lets it be seen and acted on.
  begin(start) {
    if (!isRendered(start)) {
      if (this.o.selector) this.cut = 'empty: what the selector matches is hidden';
      return;
    }
    const around = closest(parentOf(start), isTakenOut);
    const blocked = modal !== null && start !== modal && !aroundModal.has(start) && closest(start, el => el === modal) === null;
    if (around !== null || blocked) {
      const line = this.line(0, 'generic', around ?? start);
      line.states = around === null ? 'inert' : statesOf(around, around.localName, '', false);
      this.outer = 1;
    }
    this.run(start);
  }

  run(start) {
    let level = 0;
    let top = this.enter(start, null, 0);
    if (top !== null && top.leaf) {
      this.readLeaf(top);
      top = null;
    }
    while (top !== null) {
      const node = top.nextChild();
      if (node === null || this.cut) {
        this.leave(top);
        top = level === 0 ? null : this.places[--level];
        continue;
      }
      this.count();
      if (node.nodeType === TEXT) {
        if (top.visible && top.summary === undefined) this.say(this.textIn(top, node.data), top.el);
      } else if (node.nodeType === ELEMENT) {
        const place = top.shows(node) && !top.postpones(node) ? this.enter(node, top, level + 1) : null;
        if (place !== null && place.leaf) {
          this.readLeaf(place);
        } else if (place !== null) {
          top = place;
          level++;
        }
      }
    }
    this.flush(0);
    const twins = clippedTwins(this.lines);
    if (twins.size > 0) this.lines = this.lines.filter(line => !twins.has(line));
  }

  // readLeaf reads an element without elements in it, as most are.
  readLeaf(place) {
    const text = place.el.textContent;
    if (text !== '') {
      this.count();
      if (place.visible && place.summary === undefined) this.say(this.textIn(place, text), place.el);
    }
    this.leave(place);
  }

  // textIn returns the text in a place with what has to be preserved of its white space.
  textIn(place, text) {
    if (!preserves(place, text)) return text;
    this.anyPreserved = true;
    return preserved(text);
  }

  // count ends the walk at its bounds, and says at which.
  count() {
    this.nodes++;
    if (this.nodes >= this.o.maxNodes) this.cut = `${this.nodes} nodes read, the page has more`;
    else if (this.chars >= this.o.maxChars) this.cut = `${this.chars} characters read, the page has more`;
    else if (this.nodes % 256 === 0 && performance.now() - this.began >= this.o.maxMs) this.cut = `${this.nodes} nodes read in ${this.o.maxMs} ms, the page has more`;
  }

  // enter looks at el and returns its place on that level, null if it is not shown.
  enter(el, parent, level) {
    const tag = el.localName;
    if (SILENT.has(tag)) return null;
    if (tag === 'br') {
      this.loose += ' ';
      return null;
    }
    const style = getComputedStyle(el);
    const display = style.display;
    if (display === 'none' && (tag !== 'area' || imageOf(el) === null) || veils && style.contentVisibility === 'hidden') return null;
    if (tag.includes('-')) meetCustom(el, tag);
    if (mayHideShadow(el, tag)) hosts.push(new WeakRef(el));
    const place = (this.places[level] ??= new Place()).move(el, tag, parent, style, display);
    if (parent === null) place.depth = place.inner = this.outer;
    if (place.role === 'iframe' && (el.clientWidth <= 1 || el.clientHeight <= 1)) return null; // nothing in it can be seen
    if (modal !== null) place.blocked = blockedByModal(el, parent);
    if (place.isLabel) this.labelled++;
    if (parent !== null && (display === '' || !place.bare && el.hasAttribute('slot'))) suspect(parent.el);
    if (place.block || place.isLabel) this.flush(place.depth);
    place.at = this.lines.length;
    if (place.visible) {
      this.open(place);
      place.decorated = mayBeDecorated(el, tag);
      if (place.decorated) this.say(pseudoText(el, '::before'), el);
    }
    return place;
  }

  // open gives the element its line, if it deserves one.
  open(place) {
    const { parent } = place;
    if (place.isLabel && place.role === '') this.standIn(place);
    place.hints = hintsOf(place);
    if (place.hints !== '' || parent !== null && parent.delegation !== null) place.delegation = delegationOf(place);
    place.takesClicks = (place.hints !== '' || parent?.takesClicks === true) && place.pointer;
    if (place.role === '' && place.hints === '' && !deservesLine(place)) return;
    this.flush(place.depth);
    place.at = this.lines.length;
    place.line = this.line(place.depth, place.role || 'generic', place.el);
    if (place.role === 'iframe' || INTERACTIVE.has(place.role) || place.hints) this.give(place.line, place.subject);
    if (place.role === 'iframe') this.iframes.push(place.line.ref);
    place.inner = place.depth + 1;
    if (place.tag === 'details' && summaryOf(place.el) === null) this.summarize(place);
  }

  // line writes a line about el.
  line(depth, role, el) {
    const line = new Line(depth, role);
    this.lines.push(line);
    if (this.owners !== null) this.owners.set(line, el);
    return line;
  }

  // give gives a line a ref to el.
  give(line, el) {
    line.ref = refOf(el);
    this.refs++;
  }

  // standIn makes of the line of a label that of the hidden box that it is shown for.
  standIn(place) {
    const box = boxBehind(place.el);
    if (box === null) return;
    place.subject = box;
    place.role = roleOf(box);
  }

  // summarize writes the line of the summary that Chromium shows for a details
  // element without one. It is pressed by the details' ref.
  summarize({ el, inner }) {
    const line = this.line(inner, 'button', el);
    line.name = 'Details';
    line.states = 'expanded' + (el.open ? '' : '=false');
    this.give(line, el);
  }

  leave(place) {
    if (place.decorated && place.visible) this.say(pseudoText(place.el, '::after'), place.el);
    if (place.line) {
      if (this.lines.length > place.at + 1 || !this.hear(place)) this.flush(place.inner);
      this.close(place);
    } else {
      if (place.block || place.isLabel) this.flush(place.inner);
      if (place.isLabel || place.isLegend) this.dropTold(place.at, toldBy(place.el));
    }
    if (place.isLabel) this.labelled--;
    else if (this.labelled > 0 && isWidget(place.el, place.role)) this.keep(place.at);
  }

  // hear takes loose text that is all there is in a place, unless it has to be parted.
  hear(place) {
    const said = this.anyPreserved ? trimPreserved(squash(this.loose)) : squash(this.loose);
    if (said.length > LONGEST_TEXT) return false;
    place.said = said;
    this.chars += said.length;
    this.loose = '';
    this.speaker = null;
    return true;
  }

  // close finishes a line, now that all that is inside is known.
  close(place) {
    const { el, subject, tag, role, line } = place;
    line.states = subject === el ? statesOf(el, tag, role, place.bare) : statesOf(subject, subject.localName, role, bare(subject));
    if (place.blocked) line.states += line.states === '' ? 'inert' : ' inert';
    line.hints = place.hints;
    this.name(place);
    const value = REPLACED.has(tag) || RANGES.has(role) ? valueOf(el, role) : '';
    if (value) {
      line.text = bounded(tag === 'textarea' ? preserved(value) : squash(value), LONGEST_VALUE);
      line.states += ' value';
    }
    if (tag === 'select') this.options(el, place);
    if (line.ref) this.extras(place);
    this.settle(place);
  }

  // name names the line and drops what inside only repeats the name.
  name(place) {
    const { subject, role, line, at } = place;
    const whenPlain = TOLD_WHEN_PLAIN.has(role);
    const byAuthor = !place.bare && namedByAuthor(subject);
    const full = whenPlain && !byAuthor && !place.said && !this.plain(at, role); // of more than text
    if (full && !HEADERS.has(role)) return;
    const name = namedByText(place) ? this.flat(place.said) : role === '' ? genericName(subject) : nameOf(subject);
    if (!name || full && name.length > LONGEST_HEADER) return;
    const long = name.length > LONGEST_NAME;
    line.name = long ? bounded(name, 100) : name;
    if (long || !whenPlain && !TOLD_BY_NAME.has(role)) return;
    if (says(name, this.flat(place.said), byAuthor)) place.said = '';
    this.dropTold(at + 1, name, byAuthor);
  }

  // plain says whether the lines inside are text, or text around single controls.
  plain(at, role) {
    let text = 0;
    let others = 0;
    for (let i = at + 1; i < this.lines.length; i++) {
      const line = this.lines[i];
      if (line.role === 'text') text++;
      else if (line.role === 'generic' && !line.ref) text++; // with a title
      else if (line.ref && line.role !== 'iframe') others++;
      else return false;
    }
    return text > 0 && (others === 0 || role !== 'row' && role !== 'treeitem');
  }

  // flat returns a text without what was preserved of its white space.
  flat(text) {
    return this.anyPreserved ? flattened(text) : text;
  }

  // keep protects the lines from the given one on: no name tells what they say.
  keep(from) {
    for (let i = from; i < this.lines.length; i++) this.kept.add(this.lines[i]);
  }

  // dropTold removes the lines from the given one on that have no ref and say
  // nothing that name does not say; what is below them moves up. The text in
  // what has a ref stays, unless that has a name: it says what the ref is for.
  dropTold(from, name, byAuthor = false) {
    if (from >= this.lines.length || !name) return;
    const dropped = []; // depths of removed lines around the current one
    let to = from, nameless = Infinity; // depth of the line with a ref and no name around the current one
    for (let i = from; i < this.lines.length; i++) {
      const line = this.lines[i];
      while (dropped.length && dropped[dropped.length - 1] >= line.depth) dropped.pop();
      if (line.depth <= nameless) nameless = line.ref && line.name === '' ? line.depth : Infinity;
      if (line.depth <= nameless && !this.kept.has(line) && repeats(line, name, this.flat(line.text), byAuthor)) {
        dropped.push(line.depth);
        continue;
      }
      line.depth -= dropped.length;
      this.lines[to++] = line;
    }
    this.lines.length = to;
  }

  // options lists what a select offers. Those of a drop-down have no box and no
  // ref, unless all lines get one: they are chosen by select, not by a click.
  options(select, place) {
    const single = place.role === 'combobox';
    let group = null;
    for (const option of select.options) {
      const parent = option.parentElement;
      if (isUnlisted(option) || isUnlisted(parent)) continue;
      if (parent !== group && parent.localName === 'optgroup') this.group(parent, place.inner);
      group = parent;
      const line = this.line(place.inner + (parent.localName === 'optgroup'), 'option', option);
      line.name = bounded(squash(option.label), LONGEST_NAME);
      line.states = statesOf(option, 'option', 'option', bare(option));
      if (!single) this.give(line, option);
    }
  }

  group(optgroup, depth) {
    const line = this.line(depth, 'group', optgroup);
    line.name = bounded(squash(optgroup.label), LONGEST_NAME);
    line.states = optgroup.disabled ? 'disabled' : '';
  }

  // extras adds what is told only of what can be acted on.
  extras(place) {
    const { el, role, line } = place;
    if (this.o.urls && role === 'link') line.url = bounded(addressOf(el), LONGEST_VALUE);
    if (!place.bare || place.tag === 'svg') {
      const placeholder = squash(el.getAttribute('placeholder') ?? attributeOf(el, 'aria-placeholder') ?? '');
      if (placeholder !== line.name) line.placeholder = bounded(placeholder, LONGEST_NAME);
      const description = descriptionOf(place.subject);
      if (description !== line.name) line.description = bounded(description, LONGEST_NAME);
    }
    if (!line.name && !line.description && !line.text && !place.said && this.lines.length === place.at + 1 && SIGNS.has(role)) line.description = looksOf(el);
  }

  // settle puts a single text on the line itself and removes a line that says nothing.
  settle(place) {
    const { at, line } = place;
    if (place.said) {
      if (line.text) this.write(place.said, place.inner, place.el);
      else line.text = place.said;
    } else if (this.lines.length === at + 2 && this.lines[at + 1].role === 'text' && !line.text) {
      line.text = this.lines.pop().text;
    }
    if (this.lines.length > at + 1 || line.ref || line.name || line.text || SAYS_ITSELF.has(line.role)) return;
    this.lines.pop();
  }

  // say adds loose text that is in el.
  say(text, el) {
    this.loose += text;
    if (this.owners !== null && /\S/.test(text)) this.speaker = this.speaker === null ? el : innermostOfBoth(this.speaker, el);
  }

  // flush writes the loose text as lines of its own.
  flush(depth) {
    if (!this.loose) return;
    const text = this.anyPreserved ? trimPreserved(squash(this.loose)) : squash(this.loose);
    this.loose = '';
    if (!text) return;
    this.chars += text.length;
    for (const piece of pieces(text)) this.write(piece, depth, this.speaker);
    this.speaker = null;
  }

  write(text, depth, el) {
    const line = this.line(depth, 'text', el);
    line.text = text;
  }
}

// namedByText says whether the text in a place is all that its name is made of:
// most names are, and need no look at the document.
function namedByText({ el, subject, tag, role, bare, leaf, said }) {
  return leaf && bare && subject === el && said !== '' && NAMED_BY_CONTENT.has(role) && (tag !== 'button' || labelsOf(el).length === 0);
}

// repeats says whether line says nothing that name does not say. What was hidden
// from names is no repetition, unless it is a sign without words.
function repeats(line, name, text, byAuthor) {
  if (line.ref) return false;
  if (line.states === 'aria-hidden') return !/[\p{L}\p{N}]/u.test(text);
  return (line.states === '' || line.role === 'heading') && name.includes(line.name) && says(name, text, byAuthor);
}

// says says whether a name has all of a text. A name that was made of the text
// does; one that its author has written may have the same characters in another
// sense, as the number of a badge, so that whole words are compared.
function says(name, text, byAuthor) {
  if (!byAuthor || text === '') return name.includes(text);
  return /\p{L}/u.test(text) && (' ' + plainWords(name) + ' ').includes(' ' + plainWords(text) + ' ');
}

const plainWords = s => s.replace(/[^\p{L}\p{N}]+/gu, ' ').trim().toLowerCase();

// deservesLine says whether an element that is no more than a group says something about what is in it.
function deservesLine(place) {
  if (place.blocked) return true;
  if (place.bare) return false;
  const { el } = place;
  return isTakenOut(el) || titles(el);
}

// isTakenOut says whether el is not for those who use a keyboard or a screen reader.
function isTakenOut(el) {
  return oneOf(el, 'aria-hidden', TRUE) !== '' || el.hasAttribute('inert');
}

// titles says whether an element without a role has a name that is not its text.
function titles(el) {
  const title = squash(ariaLabel(el) || tooltip(el));
  return title !== '' && el.localName !== 'label' && title !== squash(el.textContent);
}

// isUnlisted says whether an option, or a group of them, is not shown in its list.
function isUnlisted(el) {
  return getComputedStyle(el).display === 'none';
}

// addressOf returns where a link leads to.
function addressOf(link) {
  if (typeof link.href === 'string') return link.href;
  const address = link.href?.baseVal ?? '';
  return URL.canParse(address, document.baseURI) ? new URL(address, document.baseURI).href : address;
}
