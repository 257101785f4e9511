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
const SAYS_ITSELF = words('cell gridcell columnheader rowheader separator progressbar meter slider scrollbar img iframe video audio canvas status alert');

// Roles of what is told apart by its looks alone when it has neither name nor content.
const SIGNS = new Set(['', 'button', 'link', 'img']);

// walk returns the lines of this frame. See snapshot.Walk for the answer.
//   base              the highest ref ever given in this frame
//   selector          where to begin, else the whole document
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
    this.all = o.refs === 'all';
    this.speaker = null; // what the loose text is in, known only when all lines get refs
    this.cut = '';
    this.began = performance.now();
  }

  answer() {
    countFrom(this.o.base ?? 0);
    hosts = [];
    lookAround();
    findActive();
    const start = this.o.selector ? document.querySelector(this.o.selector) : document.body ?? document.documentElement;
    if (start) this.run(start);
    const all = this.all ? this.lines.map(line => refOf(line.el)) : undefined; // before highest is read
    const answer = {
      all, doc: documentToken, max: highest, missing: start === null, lines: this.lines.join('\n'), iframes: this.iframes,
      hosts: hosts.length, roots: shadowRoots().size, newRoots: newRoots.length, cut: this.cut, nodes: this.nodes, refs: this.refs, ms: performance.now() - this.began,
    };
    forget();
    return answer;
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
        if (top.visible && top.summary === undefined) this.say(node.data, top.el);
      } else if (node.nodeType === ELEMENT) {
        const place = top.shows(node) ? this.enter(node, top, level + 1) : null;
        if (place !== null && place.leaf) {
          this.readLeaf(place);
        } else if (place !== null) {
          top = place;
          level++;
        }
      }
    }
    this.flush(0);
  }

  // readLeaf reads an element without elements in it, as most are.
  readLeaf(place) {
    const text = place.el.textContent;
    if (text !== '') {
      this.count();
      if (place.visible && place.summary === undefined) this.say(text, place.el);
    }
    this.leave(place);
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
    if (display === 'none' && tag !== 'area' || veils && style.contentVisibility === 'hidden') return null;
    if (mayHideShadow(el, tag)) hosts.push(new WeakRef(el));
    const place = (this.places[level] ??= new Place()).move(el, tag, parent, style, display);
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
    const { el, role } = place;
    place.hints = hintsOf(place);
    place.takesClicks = (place.hints !== '' || place.parent?.takesClicks === true) && place.pointer;
    const marked = !place.bare && (oneOf(el, 'aria-hidden', TRUE) !== '' || el.hasAttribute('inert'));
    if (role === '' && place.hints === '' && !marked) return;
    this.flush(place.depth);
    place.at = this.lines.length;
    place.line = new Line(place.depth, role || 'generic', el);
    this.lines.push(place.line);
    if (role === 'iframe' || INTERACTIVE.has(role) || place.hints) {
      place.line.ref = refOf(el);
      this.refs++;
      if (role === 'iframe') this.iframes.push(place.line.ref);
    }
    place.inner = place.depth + 1;
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
  }

  // hear takes loose text that is all there is in a place, unless it has to be parted.
  hear(place) {
    const said = squash(this.loose);
    if (said.length > LONGEST_TEXT) return false;
    place.said = said;
    this.chars += said.length;
    this.loose = '';
    this.speaker = null;
    return true;
  }

  // close finishes a line, now that all that is inside is known.
  close(place) {
    const { el, tag, role, line } = place;
    line.states = statesOf(el, tag, role, place.bare);
    line.hints = place.hints;
    this.name(place);
    const value = REPLACED.has(tag) || RANGES.has(role) ? valueOf(el, role) : '';
    if (value) {
      line.text = bounded(squash(value), LONGEST_VALUE);
      line.states += ' value';
    }
    if (tag === 'select') this.options(el, place);
    if (line.ref) this.extras(place);
    this.settle(place);
  }

  // name names the line and drops what inside only repeats the name.
  name(place) {
    const { el, role, line, at } = place;
    const whenPlain = TOLD_WHEN_PLAIN.has(role);
    if (whenPlain && (place.bare || !namedByAuthor(el)) && !place.said && !this.plain(at, role)) return;
    const name = namedByText(place) ? place.said : role === '' ? genericName(el) : nameOf(el);
    if (!name) return;
    const long = name.length > LONGEST_NAME;
    line.name = long ? bounded(name, 100) : name;
    if (long || !whenPlain && !TOLD_BY_NAME.has(role)) return;
    if (name.includes(place.said)) place.said = '';
    this.dropTold(at + 1, name);
  }

  // plain says whether the lines inside are text, or text around single controls.
  plain(at, role) {
    let text = 0;
    let others = 0;
    for (let i = at + 1; i < this.lines.length; i++) {
      const line = this.lines[i];
      if (line.role === 'text') text++;
      else if (line.ref && line.role !== 'iframe') others++;
      else return false;
    }
    return text > 0 && (others === 0 || role !== 'row' && role !== 'treeitem');
  }

  // dropTold removes the lines from the given one on that have no ref and say
  // nothing that name does not say; what is below them moves up.
  dropTold(from, name) {
    if (from >= this.lines.length || !name) return;
    const dropped = []; // depths of removed lines around the current one
    let to = from;
    for (let i = from; i < this.lines.length; i++) {
      const line = this.lines[i];
      while (dropped.length && dropped[dropped.length - 1] >= line.depth) dropped.pop();
      if (repeats(line, name)) {
        dropped.push(line.depth);
        continue;
      }
      line.depth -= dropped.length;
      this.lines[to++] = line;
    }
    this.lines.length = to;
  }

  // options lists what a select offers. Those of a drop-down are chosen by the
  // select itself, whose ref they share when all lines get one.
  options(select, place) {
    const single = place.role === 'combobox';
    for (const option of select.options) {
      const line = new Line(place.inner, 'option', single ? select : option);
      line.name = bounded(squash(option.label), LONGEST_NAME);
      line.states = statesOf(option, 'option', 'option', bare(option));
      if (!single) {
        line.ref = refOf(option);
        this.refs++;
      }
      this.lines.push(line);
    }
  }

  // extras adds what is told only of what can be acted on.
  extras(place) {
    const { el, role, line } = place;
    if (this.o.urls && role === 'link' && typeof el.href === 'string') line.url = bounded(el.href, LONGEST_VALUE);
    if (!place.bare || place.tag === 'svg') {
      const placeholder = squash(el.getAttribute('placeholder') ?? el.getAttribute('aria-placeholder') ?? '');
      if (placeholder !== line.name) line.placeholder = bounded(placeholder, LONGEST_NAME);
      const description = descriptionOf(el);
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
    if (this.lines.length > at + 1 || line.ref || line.name || line.text || SAYS_ITSELF.has(line.role) && !(line.role === 'img' && place.el.localName === 'svg')) return;
    this.lines.pop();
  }

  // say adds loose text that is in el.
  say(text, el) {
    this.loose += text;
    if (this.all && /\S/.test(text)) this.speaker = this.speaker === null ? el : innermostOfBoth(this.speaker, el);
  }

  // flush writes the loose text as lines of its own.
  flush(depth) {
    if (!this.loose) return;
    const text = squash(this.loose);
    this.loose = '';
    if (!text) return;
    this.chars += text.length;
    for (const piece of pieces(text)) this.write(piece, depth, this.speaker);
    this.speaker = null;
  }

  write(text, depth, el) {
    const line = new Line(depth, 'text', el);
    line.text = text;
    this.lines.push(line);
  }
}

// namedByText says whether the text in a place is all that its name is made of:
// most names are, and need no look at the document.
function namedByText({ el, tag, role, bare, leaf, said }) {
  return leaf && bare && said !== '' && NAMED_BY_CONTENT.has(role) && (tag !== 'button' || labelsOf(el).length === 0);
}

// repeats says whether line says nothing that name does not say. What was hidden
// from names is no repetition, unless it is a sign without words.
function repeats(line, name) {
  if (line.ref) return false;
  if (line.states === 'aria-hidden') return !/[\p{L}\p{N}]/u.test(line.text);
  return (line.states === '' || line.role === 'heading') && name.includes(line.name) && name.includes(line.text);
}
