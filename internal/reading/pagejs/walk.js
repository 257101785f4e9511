// The walk: one pass over the flat tree that writes down what a user sees and can act on. It looks
// at each element once on the way in: can it be seen, does it get a line. It looks once more on the
// way out: what is it called, which lines inside repeat the name. It is a loop with a stack of
// places, since recursion would overflow on deeply nested pages.

// Roles whose name has all the text inside: lines of that text are not repeated.
const NAME_HAS_TEXT = words('button link heading option tab menuitem menuitemcheckbox menuitemradio checkbox radio switch tooltip'
  + ' img math');

// Roles that are named from their content only while that is plain: text, or text
// around single controls. Otherwise the name would repeat everything inside.
const NAME_HAS_PLAIN_TEXT = words('cell gridcell columnheader rowheader row treeitem');

// Headers of columns and rows are named from all that is in them, if it is not long.
const HEADERS = words('columnheader rowheader');
const LONGEST_HEADER = 100;

// Roles that get a line although there is nothing in them.
const MEANS_SOMETHING_EMPTY = words('cell gridcell columnheader rowheader separator progressbar meter slider scrollbar'
  + ' iframe video audio canvas');

// walk returns the lines of this frame. See snapshot.Walk for the answer. The options are:
//	selector          where to begin, else the whole document
//	again             whether an earlier walk was made for the same snapshot
//	urls              whether the addresses of links are wanted
//	refs              'all': the answer's field all has a ref for each line, in the order of the lines
//	signs             whether small signs have lines, see isSmallSign
//	hidden            'omit': text that a person cannot see is counted only; 'mark': its lines have
//	                  the state hidden, with the reason; else it is not looked for
//	keep              whether takeUnseen is called next
//	maxNodes, maxMs, maxChars   bounds
chela.walk = o => new Walker(o).answer();

// isLongGrid reports whether an element (place) is a box that scrolls over rows which are not all in
// the document. Its ref tells what to scroll for the others.
function isLongGrid({ el, bare }) { return !bare && el.hasAttribute('aria-rowcount') && scrollable(el); }

// notText says what the document is if the browser shows a file in it that has no text for us: ''
// for any other document.
function notText() {
  if (document.contentType === 'application/pdf') return 'a PDF: read with its address shows the text, and screenshot a page';
  return document.contentType.startsWith('image/') ? 'a picture: screenshot shows it' : '';
}

class Walker {
  constructor(o) {
    this.o = o;
    this.lines = new Lines(o.refs === 'all', o.hidden === 'mark', o.maxChars);
    this.places = []; // the Place of each level
    this.regions = new Regions();
    this.looks = []; // pairs of a line and its element, for lines that are known by looks only
    this.iframes = []; // iframe elements; those in veiled show nothing, those in unloaded have no document yet
    this.veiled = [];
    this.unloaded = [];
    this.nodes = 0;
    this.cut = '';     // why the walk ended early
    this.outer = 0;    // depth of the lines around the element at which the walk begins, see begin
    this.labelled = 0; // how many labels of controls are around the current element
    this.began = performance.now();
  }

  // read walks and returns the element at which it began, null if the selector matches none.
  read() {
    hosts = [];
    beginCustoms(this.o.again);
    findPagePresses();
    judges = this.o.hidden === 'omit' || this.o.hidden === 'mark';
    lookAround();
    if (judges) findHiding();
    findActive();
    findModal();
    const start = this.o.selector ? findDeep(this.o.selector, hosts) : document.body ?? document.documentElement;
    if (start !== null) this.begin(start);
    if (this.lines.isFull) this.cut ||= this.lines.fullness;
    if (this.lines.list.length === 0) this.cut ||= notText();
    return start;
  }

  answer() {
    if (this.o.selector || this.o.hidden !== judged) carryBeforePart(this.o);
    const start = this.read(), { list, owners, refs } = this.lines;
    numberLines(list, !this.o.selector && !this.cut, this.regions.items, this.o);
    // Lists of numbers are sent as text, since the protocol takes far longer for a list.
    const all = owners !== null ? list.map(line => refOf(owners.get(line))).join(' ') : undefined; // before highest is read, since refOf may raise it
    const steps = owners !== null ? stepsBetween(list.map(line => owners.get(line))).join(' ') : undefined;
    const answer = {
      all, steps, doc: documentToken, max: highest, missing: start === null && this.o.selector !== undefined, lines: list.join('\n'), iframes: this.iframes.map(refOf),
      hosts: hosts.length, customs: customs.length, newRoots: untakenRoots(), roots: metRoots.size,
      oldHandlers: handlersAreOld(), releases, cut: this.cut, nodes: this.nodes, chars: this.lines.chars, refs,
      unseen: this.lines.unseen, marked: this.lines.marks, veiled: this.veiled.map(refOf), unloaded: this.unloaded.map(refOf), ms: performance.now() - this.began,
    };
    forget();
    if (this.o.keep) keepUnseen(answer.veiled);
    forgetUnseen();
    return answer;
  }

  // begin walks from start on. If start is not rendered, there is nothing to walk. An ancestor of
  // start may be inert or have aria-hidden. Then the first line is for the ancestor, with that state.
  begin(start) {
    if (!isRendered(start)) {
      if (this.o.selector) this.cut = 'empty: what the selector matches is hidden';
      return;
    }
    const around = closest(parentOf(start), isTakenOut);
    const blocked = modal !== null && start !== modal && !aroundModal.has(start) && !isInside(start, modal);
    if (around !== null || blocked) {
      const line = this.lines.add(0, 'generic', around ?? start);
      line.states = around === null ? 'inert' : statesOf(around, around.localName, '', false);
      this.outer = 1;
    }
    this.run(start);
  }

  run(start) {
    let level = 0;
    let top = this.enter(start, start.localName, null, 0);
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
      const type = node.nodeType;
      if (type === TEXT) {
        this.say(top, node.data, node);
      } else if (type === ELEMENT) {
        const tag = node.localName;
        const place = top.shows(node, tag) ? this.enter(node, tag, top, level + 1) : null;
        if (place === null) continue;
        if (place.leaf) {
          this.readLeaf(place);
        } else {
          top = place;
          level++;
        }
      }
    }
    this.lines.flush(0);
    tellLooksApart(this.looks);
    const twins = clippedTwins(this.lines.list);
    if (twins.size > 0) this.lines.list = this.lines.list.filter(line => !twins.has(line));
  }

  // readLeaf reads an element without elements in it. Most elements are such.
  readLeaf(place) {
    const text = place.el.textContent;
    if (text !== '') {
      this.count();
      this.say(place, text);
    }
    this.leave(place);
  }

  // say adds the text of an element (place), if it can be seen, to the text that has no line yet.
  // The text is all that is in the element, unless node is given: then it is that text node.
  say(place, text, node = null) {
    if (!place.visible || place.summary !== undefined) return;
    if (judges && !place.inControl && (sightOf(place) !== OPEN || place.el.namespaceURI !== HTML) && /\S/.test(text) && this.hides(place, text, unseenIn(place, node))) {
      for (let each = node ?? place.el.firstChild; each !== null; each = node === null ? each.nextSibling : null) unseenTexts.add(each);
      return;
    }
    if (/\S/.test(text)) this.regions.say(text, place);
    if (preserves(place, text)) {
      this.lines.anyPreserved = true;
      text = preserved(text);
    }
    this.lines.say(text, place.el);
  }

  // decorate adds the text of ::before or ::after, if that can be seen, to the text that is collected
  // for the next line.
  decorate(place, which) {
    const style = getComputedStyle(place.el, which), text = pseudoText(place.el, which, style);
    if (judges && !place.inControl && text !== '' && this.hides(place, text, unseenPseudo(place, style))) {
      unseenTexts.add(place.el);
      return;
    }
    if (/[\p{L}\p{N}]/u.test(text)) this.regions.say(text, place); // anything else is a picture, which may change when a row is opened
    this.lines.say(text, place.el);
  }

  // hides records a text that a person cannot see (why is the reason), and reports whether the walk
  // should leave it out. The words of a control stay.
  hides(place, text, why) {
    if (why === '' || isOfControl(place)) return false;
    unseenTexts ??= new Set();
    this.lines.hide(text, why, place.inner, place.el);
    return true;
  }

  // count counts a node, and ends the walk at its bounds.
  count() {
    this.nodes++;
    if (this.nodes >= this.o.maxNodes) this.cut = `${this.nodes} nodes read, the page has more`;
    else if (this.lines.isFull) this.cut = this.lines.fullness;
    else if (this.nodes % 256 === 0 && performance.now() - this.began >= this.o.maxMs) {
      this.cut = `${this.nodes} nodes read in the time that was left, the page has more: read it again`;
    }
  }

  // enter looks at el and returns its Place, which is the one on this level of the stack. It
  // returns null if el is not shown.
  enter(el, tag, parent, level) {
    if (SILENT.has(tag)) return null;
    if (tag === 'br') {
      this.lines.loose += ' ';
      return null;
    }
    if (tag === 'input' && isOfForm(el)) return null;
    const style = getComputedStyle(el);
    const display = style.display;
    if (display === 'none' && (tag !== 'area' || imageOf(el) === null)) return null;
    if (veils && style.contentVisibility === 'hidden') return null;
    if (tag.includes('-')) meetCustom(el, tag);
    if (mayHideShadow(el, tag)) hosts.push(new WeakRef(el));
    const place = (this.places[level] ??= new Place()).move(el, tag, parent, style, display);
    if (parent === null) {
      place.depth = place.inner = this.outer;
      place.mayBeOff ||= Boolean(this.o.selector);
    }
    if (place.role === 'iframe' && isTinyFrame(el)) return null;
    if (modal !== null) place.blocked = blockedByModal(el, parent) || parent !== null && parent.blocked && parent.isLabel;
    this.regions.enter(place);
    if (place.isLabel) this.labelled++;
    if (parent !== null && (display === '' || !place.bare && el.hasAttribute('slot'))) suspect(parent.el);
    if (place.block || place.isLabel) this.lines.flush(place.depth);
    else if (place.isApart && !joins(el, el.previousSibling)) this.lines.loose += ' ';
    place.at = this.lines.length;
    if (place.visible) {
      this.open(place);
      place.decorated = mayBeDecorated(el, tag);
      if (place.decorated) this.decorate(place, '::before');
    }
    return place;
  }

  // open begins the line of an element (place), if the element gets one.
  open(place) {
    const { parent } = place;
    if (place.isLabel && place.role === '') this.standIn(place);
    place.hints = hintsOf(place, this.lines.owners !== null, this.o.signs);
    if (place.hints !== '' || parent !== null && parent.delegation !== null) place.delegation = delegationOf(place);
    place.takesClicks = (place.hints !== '' || parent?.takesClicks === true) && place.pointer;
    if (place.role === '' && place.hints === '' && !deservesLine(place)) return;
    this.lines.flush(place.depth);
    place.at = this.lines.length;
    place.line = this.lines.add(place.depth, place.role || 'generic', place.el);
    if (place.role === 'iframe' || INTERACTIVE.has(place.role) || place.hints || isLongGrid(place)) this.lines.give(place.line, place.subject);
    if (place.role === 'iframe') this.frame(place);
    place.inner = place.depth + 1;
    if (place.tag === 'details' && summaryOf(place.el) === null) this.summarize(place);
  }

  frame(place) {
    const { el } = place;
    this.iframes.push(el);
    if (judges && unseenFrame(place) !== '') this.veiled.push(el);
    if (isUnloaded(el)) this.unloaded.push(el);
  }

  // standIn turns the line of a label into the line of the hidden box that the label is shown for.
  standIn(place) {
    const box = boxBehind(place.el);
    if (box === null) return;
    place.subject = box;
    place.role = roleOf(box);
  }

  // summarize writes the line of the summary that Chromium shows for a details element without one.
  // A click on the ref of the details element presses this summary.
  summarize({ el, inner }) {
    const line = this.lines.add(inner, 'button', el);
    line.name = 'Details';
    line.states = 'expanded' + (el.open ? '' : '=false');
    this.lines.give(line, el);
  }

  // leave ends the visit of an element: everything in it has been read.
  leave(place) {
    const { lines } = this;
    if (place.decorated && place.visible) this.decorate(place, '::after');
    if (place.line) {
      const text = lines.length > place.at + 1 ? null : lines.takeText();
      if (text === null) lines.flush(place.inner);
      else place.text = showsNothing(text) ? '' : text;
      this.close(place);
    } else {
      if (place.block || place.isLabel) lines.flush(place.inner);
      else if (place.isApart && !joins(place.el, place.el.nextSibling)) lines.loose += ' ';
      lines.dropRepeated(place.at, lines.length, nameFrom(place));
    }
    this.regions.leave(place);
    if (place.isLabel) this.labelled--;
    else if (this.labelled > 0 && isWidget(place.el, place.role)) lines.keep(place.at);
  }

  // close finishes a line, now that everything inside is known.
  close(place) {
    const { el, subject, tag, role, line } = place;
    line.states = subject === el ? statesOf(el, tag, role, place.bare) : statesOf(subject, subject.localName, role, bare(subject));
    if (line.ref || role === 'row') line.chosen = classOfChoice(place);
    if (place.blocked) line.addState('inert');
    if (place.off && INTERACTIVE.has(role)) line.addState('disabled');
    line.hints = place.hints;
    this.name(place);
    const value = (REPLACED.has(tag) || VALUED.has(role)) && !isOfEditor(el) ? valueOf(el, role) : '';
    if (value) {
      if (standsForWords(value, this.lines.flat(place.text).replace(/^0+(?=\d)/, ''))) place.text = ''; // "03" says no more than 3
      line.text = bounded(tag === 'textarea' ? preserved(value) : squash(value), LONGEST_VALUE);
      this.lines.chars += line.text.length;
      line.states += ' value';
      this.regions.sayField(place, value);
    }
    if (tag === 'select') this.options(el, place);
    if (line.ref) this.extras(place);
    this.settle(place);
    this.lines.chars += line.extra() + place.text.length;
  }

  // name gives the line its name, and drops the lines inside that only repeat the name.
  name(place) {
    const { subject, role, line, at } = place;
    const whenPlain = NAME_HAS_PLAIN_TEXT.has(role);
    const byAuthor = !place.bare && namedByAuthor(subject);
    const end = role === 'treeitem' ? this.lines.endOfItem(at + 1) : this.lines.length;
    const full = whenPlain && !byAuthor && !place.text && !this.lines.arePlain(at + 1, end, role); // whether the name would come from content that is more than plain text
    if (full && !HEADERS.has(role)) return;
    const name = namedByText(place) ? this.lines.flat(place.text) : role === '' ? genericName(subject) : nameOf(subject);
    if (!name || showsNothing(name) || full && name.length > LONGEST_HEADER) return;
    const long = name.length > LONGEST_NAME;
    line.name = long ? bounded(name, 100) : name;
    if (long || !whenPlain && !NAME_HAS_TEXT.has(role)) return;
    if (containsText(name, this.lines.flat(place.text), byAuthor)) place.text = '';
    const isIcon = byAuthor && !this.lines.haveWords(at + 1); // asked before the words go that only repeat the name
    this.lines.dropRepeated(at + 1, end, name, byAuthor);
    if (line.ref) this.lines.dropEchoes(at + 1, name, isIcon);
  }

  // options lists what a select offers. The options of a drop-down have no box. They get refs only
  // if all lines get refs, because they are chosen by select, not by a click. A select with
  // "appearance: base-select" has its list in the page while it is open.
  options(select, place) {
    const listed = select.multiple || select.size > 1, open = !listed && select.matches(':open');
    let group = null;
    for (const option of select.options) {
      this.count();
      if (this.cut) return;
      const around = option.closest('optgroup');
      if (isUnlisted(option) || isUnlisted(option.parentElement) || around !== null && isUnlisted(around)) continue;
      if (around !== group && around !== null) this.group(around, place.inner);
      group = around;
      const line = this.lines.add(place.inner + (around !== null), 'option', option);
      line.name = bounded(squash(option.label), LONGEST_NAME);
      line.states = statesOf(option, 'option', 'option', bare(option));
      this.lines.chars += line.extra();
      if (!listed && !(open && option.getClientRects().length > 0)) continue;
      this.lines.give(line, option);
      this.regions.add(line, place, place.region, 0);
    }
  }

  group(optgroup, depth) {
    const line = this.lines.add(depth, 'group', optgroup);
    line.name = bounded(labelOfGroup(optgroup), LONGEST_NAME);
    line.states = optgroup.disabled ? 'disabled' : '';
  }

  // extras adds the fields that only lines with a ref have.
  extras(place) {
    const { el, role, line } = place;
    if (place.mayBeOff && isOffScreen(place.subject) && needsScreen(place.subject)) line.hints += (line.hints && ', ') + 'off-screen';
    if (this.o.urls && role === 'link') line.url = bounded(addressOf(el), LONGEST_VALUE);
    if (!place.bare || place.tag === 'svg') {
      const placeholder = squash(el.getAttribute('placeholder') ?? attributeOf(el, 'aria-placeholder') ?? '');
      if (placeholder !== line.name) line.placeholder = bounded(placeholder, LONGEST_NAME);
      const description = descriptionOf(place.subject);
      const said = [line.name, line.text, this.lines.flat(place.text)].includes(description);
      if (!said && !containsText(line.name, description, true)) line.description = bounded(description, LONGEST_NAME);
    }
    const wordless = !line.name && !line.description && !line.text && !place.text;
    if (wordless && NAME_HAS_TEXT.has(role)) line.description = this.lines.takeConcealed(place.at + 1);
    if (wordless && !line.description && this.lines.length === place.at + 1 && isKnownByLooks(place)) {
      const icon = iconOf(el);
      line.description = looksOf(el, icon);
      line.icon = lastingName(icon);
      if (line.description.toLowerCase().endsWith(line.chosen.slice('class='.length))) line.chosen = '';
      if (line.description !== '') this.looks.push([line, el]);
      else if (role === 'button') line.description = labelBeside(el, role);
    } else if (!line.description && COUNT.test(line.name || place.text) && this.lines.length === place.at + 1 && isKnownByLooks(place)) {
      line.description = countedBy(el, line.name || place.text);
    } else if (!line.name && !line.description && FIELDS.has(role)) line.description = labelBeside(el, role) || testIdOf(el) || rowLabelOf(el);
  }

  // settle finishes the line of an element (place). If there is only a text inside, that becomes
  // the text of the line. A long text keeps its own line, because Go splits only lines of text. A
  // line that says nothing is removed.
  settle(place) {
    const { at, line } = place, { list } = this.lines;
    if (BOX_ROLES.has(line.role) && shadowOf(place.el) !== null && this.lines.repeatsBox(at)) this.lines.unwrap(at + 1);
    if (place.text) {
      if (line.text) this.lines.write(place.text, place.inner, place.el);
      else line.text = place.text;
    } else if (list.length === at + 2 && list[at + 1].role === 'text' && !line.text && list[at + 1].states === '') {
      if (list[at + 1].text.length <= LONGEST_TEXT) line.text = list.pop().text;
    }
    const host = line.role === 'generic' && shadowOf(place.el) !== null;
    if (host && (this.lines.onlyWraps(at) || this.lines.onlyNames(at))) this.lines.unwrap(at);
    if (line.text && showsNothing(line.text)) line.text = '';
    if (line.role === 'group' && line.states === 'aria-hidden') line.name = ''; // of a frame around a field, whose legend is hidden
    if (list.length > at + 1 || line.name || line.text || MEANS_SOMETHING_EMPTY.has(line.role)) return;
    const guessed = place.isTarget && line.states === 'aria-hidden'; // an empty box for those who see, of which nothing is known
    if (!line.ref || this.lines.owners === null && (guessed || line.onlyTakesClicks() && addsNothing(place.el, line.hints))) {
      list.pop();
      place.line = null;
    }
  }
}

// showsNothing reports whether a text has only characters without a glyph, or with the glyphs of a
// font's own icons.
function showsNothing(text) { return text.length < 9 && /^[\p{Cf}\p{Co}\s]+$/u.test(text); }

// namedByText reports whether the accessible name of an element is just the text in it. Most names
// are, so the document need not be searched for other parts of the name.
function namedByText({ el, subject, tag, role, bare, leaf, text }) {
  return leaf && bare && subject === el && text !== '' && NAMED_BY_CONTENT.has(role) && (tag !== 'button' || labelsOf(el).length === 0);
}

// isOfControl reports whether the text in an element (place) belongs to a control. It does if it is
// the text of a label. It also does if it is alone in an element with a ref, because it is that
// element's name.
function isOfControl(place) {
  let own = true;
  for (let p = place; p !== null; p = p.parent) {
    if (p.tag === 'legend' || p.isLabel && labelled(p.el) !== null) return true;
    if (own && p.line !== null && p.line.ref !== 0) return true;
    own &&= p.line === null && !p.block;
  }
  return false;
}

// deservesLine reports whether an element without role and hints gets a line. It does if its line
// says something about all its content, such as a title, or that the content is inert.
function deservesLine(place) {
  if (place.blocked && !place.isLabel) return true;
  return !place.bare && (isTakenOut(place.el) || titles(place.el));
}

// isUnlisted reports whether an option, or a group of them, is not shown in its list.
function isUnlisted(el) { return getComputedStyle(el).display === 'none'; }

// addressOf returns where a link leads to.
function addressOf(link) {
  if (typeof link.href === 'string') return link.href;
  const address = link.href?.baseVal ?? '';
  return URL.canParse(address, document.baseURI) ? new URL(address, document.baseURI).href : address;
}
