// Regions: where an element is, in words. By these words carry.js recognizes the element that has
// replaced a removed one.
//
// A region is a part of the page with a role, such as a row, an item, a form, a landmark or a
// dialog. An item is known by all words in it, other regions by the name that their author gave
// them. The words in a region count for that region alone, and not for what is around.
//
// A name is not enough: many pages have rows, cards and panes without any role. So each element
// with a ref, and each region, also has a context. It consists of the words of the closest ancestor
// that has more words. The words of buttons do not count as more, because all rows have the same
// buttons.
//
// The phrases of an item tell whether its element is reused for another item: see phrases.js and reuse.js.
//
// Other words are compared and never shown, so only hashes are kept. The hash of several texts is the sum
// of their hashes. So the hash of an element is the sum after it, less the sum before it.

// Roles of the parts that lists, tables and trees consist of.
const ITEM_ROLES = words('article listitem row treeitem');

const REGION_ROLES = words('alert alertdialog banner complementary contentinfo dialog feed figure form grid group list listbox log main menu'
  + ' menubar navigation radiogroup region search status table tablist tabpanel timer toolbar tree treegrid');

// Roles of regions that are lists of items.
const LISTED_ROLES = words('feed grid list listbox table tree treegrid');

// Controls whose words are about what they lead to, and not about what they do.
const TELLING = words('link option treeitem');

// A Part stands for an element, and has what is needed to recognize an element with a ref. There
// are Parts for regions, and for the elements with refs. There are also Parts for elements whose
// words are the context of their contents.
class Part {
  constructor(around, role) {
    this.around = around; // the region that this part is in, or null
    this.role = role;
    this.name = '';
    this.words = 0;       // hash of the words in this part, if they identify it
    this.context = 0;
    this.told = 0;        // number of texts in this part that count for the element around it; those of buttons do not
    this.all = 0;         // the same with texts in fields, and with pictures
    this.value = 0;       // hash of the text in the field, which is no context of its own
    this.headings = 0;    // number of headings before this part, see Regions
    this.heading = null;  // the last of these headings
    this.between = 0;     // hash of what the heading is followed by, see Heading
    this.said = 0;        // see Regions for this field and the next
    this.last = 0;
    this.counter = null;  // the last Counter before this part
    this.size = 0;        // number of items in this part
    this.head = null;     // the day of its column, see Calendar.headOf
    this.begins = null;   // for a list, an item or a region without a role: hash of the words before it; null for others
    this.written = null;  // see key
    this.isHovered = false; // whether this is an item that the mouse is over
    this.comesByHover = false; // see the function of this name
  }

  // key identifies this region among all others of the page, also after the page has replaced its
  // elements.
  get key() {
    return this.written ??= [this.around?.key ?? '', this.role, this.name, this.words, this.context].join('\t');
  }

  // follows sets the fields about the text before this part. The part begins with the element of a
  // place.
  follows(place) {
    this.headings = place.headings;
    this.heading = place.heading;
    this.between = place.between;
    this.said = place.said;
    this.last = place.last;
    this.counter = place.counter;
    return this;
  }
}

// A Heading collects the texts that follow a heading: words that are not in buttons, texts in
// fields, and pictures. A text that comes again does not count. In rows that all say the same, the
// texts before a row would otherwise be its number. The number of a deleted row is soon that of
// another one.
class Heading {
  constructor(hash, start, end) {
    this.hash = hash;       // of the heading itself
    this.start = start;     // said before it, see Regions
    this.end = end;         // hash of all words of the document up to its end
    this.said = new Set();  // hashes of the texts
    this.order = [];        // the same in the order in which they came
    this.between = 0;       // sum of the hashes
  }

  say(hash) {
    if (this.said.has(hash)) return;
    this.said.add(hash);
    this.order.push(hash);
    this.between = this.between + hash | 0;
  }

  // forget drops all texts but the first ones.
  forget(length) {
    while (this.order.length > length) {
      const hash = this.order.pop();
      this.said.delete(hash);
      this.between = this.between - hash | 0;
    }
  }
}

// A Counter is a text such as "4 items". If a list after it has so many items, the number does not count for the
// place of the list. With such a number as the name of a room, two rooms would look the same.
class Counter {
  constructor(text, at) {
    this.number = parseInt(text, 10);
    this.at = at; // said before it, see Regions
    this.change = hashOf(text.replace(/\d+/, '')) - hashOf(text) | 0; // of a hash, if the number does not count
  }

  // changeFor returns the change for the place of a list with so many items. The Counter must not be before start.
  changeFor(size, start) { return this.number === size && this.at >= start ? this.change : 0; }
}

// Regions collects the regions and contexts of one walk. Its fields are about what the walk has met
// so far, except for regions that have ended.
class Regions {
  constructor() {
    this.words = 0;        // hash of the words
    this.values = 0;       // hash of the texts in fields, and of the addresses of pictures without a name
    this.told = 0;         // number of texts that are not in buttons
    this.said = 0;         // the same with the texts in fields, and with pictures
    this.last = 0;         // hash of the last of these
    this.counter = null;   // the last Counter
    this.headings = [];    // a Heading for each
    this.heading = null;   // the last of them
    this.listed = false;   // whether a list has ended after that heading
    this.waiting = [];     // parts that have no context yet
    this.phrase = '';      // the texts since the last block began or ended
    this.speaker = null;   // the element of the last of them
    this.phrases = [];     // the phrases so far, see Item
    this.hash = 0;         // hash of the phrases
    this.items = new Map(); // element -> its Item
    this.calendar = new Calendar();
    this.hovered = new Set(document.querySelectorAll(HOVERED));
  }

  // say adds a text of an element (place). If the element is a button, the text only says what it
  // does. After a heading and a list, counters do not count.
  say(text, { el, isMute, block }) {
    const words = hashOf(text);
    this.words = this.words + words | 0;
    if (isMute) return;
    this.told++;
    this.hash = this.hash + words | 0;
    if (COUNTER.test(text)) this.counter = new Counter(text, this.said);
    if (this.phrase.length < LONGEST_PHRASE) this.phrase += this.phrase === '' || areNested(el, this.speaker) ? text : ' ' + text;
    this.speaker = el;
    this.note(this.listed && (COUNTER.test(text) || !block && NUMBER.test(text)) ? hashOf(text.replace(NUMBERS, '')) : words);
  }

  note(hash) {
    this.said++;
    this.last = hash;
    this.heading?.say(hash);
  }

  // sayField adds the text in a field (place), which can be all that tells one row or card from
  // another. In a form it does not count, because it may be what was typed. Nor do numbers that
  // buttons beside them change, such as how many of something are in a cart.
  sayField(place, text) {
    const { form, type } = place.el; // form is undefined for what is no field
    if (form === null && type !== 'range' && type !== 'number') this.sayValue(place, text);
  }

  sayValue(place, text) {
    place.value = hashOf(text);
    if (!place.el.matches(':focus')) this.sayOfItem(VALUE_OF_ITEM + text, place.value);
    this.values = this.values + place.value | 0;
    this.note(place.value);
  }

  // sayPicture adds the address of a picture (place). All pictures of a list may have the same name, such as "photo". If
  // a picture has a name, or is in a button, its address is no context: it may be loaded late, or show a state.
  sayPicture(place) {
    const address = excerptOf(place.el.getAttribute('src') ?? '');
    if (place.isMute || place.line?.name) this.sayOfItem(VALUE_OF_ITEM + address, hashOf(address));
    else this.sayValue(place, address);
  }

  // endPhrase ends a phrase: the next text is apart from it.
  endPhrase() {
    if (this.phrase !== '') this.phrases.push(this.phrase);
    this.phrase = '';
  }

  // recognize makes an element (place) an Item, if it is one. The parameter holds reports whether the
  // element tells the elements with refs in it from others. No other code decides what an item is.
  recognize(place, holds) {
    const { el, role, line } = place, hasRef = line !== null && line.ref !== 0, isControl = hasRef && NAMED_ITEMS.has(role);
    if (place.isEdited) return;
    const day = CELLS.has(role) ? this.calendar.dayOf(el) : null;
    if (this.calendar.isWeek(el)) return; // what else its days show says nothing about which week it is
    if (day !== null) return this.recognizeAlone(el, el.getAttribute('aria-label') || String(day || ''), day);
    if (!hasRef && !holds) return;
    if (FIELDS_OF_ITEMS.has(role)) return this.recognizeAlone(el, line === null ? '' : line.name);
    const hasRole = ITEM_ROLES.has(role) || role === 'option', was = lastItems.get(el);
    if (!hasRole && CELLS.has(role) && was === undefined && !isInGrid(el)) return;
    const isAfterText = isControl && place.told > place.parent?.told; // then the control is not alone
    if (!hasRole && was === undefined && !(isAfterText ? isRepeated(el) : place.isRepeated)) return;
    // If this is the last one left of a list, the top of its place is around the list. The item keeps the inner one.
    const keeps = was !== undefined && place.top.contains(was.top) && was.top.contains(el), top = isAfterText ? el : keeps ? was.top : place.top;
    const name = line !== null && (isControl || place.isRegion && !hasRole) ? line.name || line.text : '';
    this.endPhrase();
    const hash = this.hash - place.hash + hashOf(name) | 0;
    if (was !== undefined && was.hash === hash && was.top === top && was.parent === listOf(top)) {
      this.items.set(el, was);
      return;
    }
    const phrases = [name, ...this.phrases.slice(place.phrases, place.phrases + MOST_PHRASES)].filter(phrase => phrase !== '');
    const kind = hasRole ? isControl ? KINDS.option : KINDS.item : isControl ? KINDS.control : hasRef && role === '' ? KINDS.target : KINDS.box;
    if (phrases.length > 0) this.items.set(el, new Item(el, top, listOf(top), phrases, hash, kind));
  }

  // recognizeAlone makes a field or a day an Item that is known by one phrase, and that nothing stands beside.
  recognizeAlone(el, phrase, day = null) {
    const hash = hashOf(phrase), was = lastItems.get(el);
    if (phrase !== '' || was !== undefined) this.items.set(el, was !== undefined && was.hash === hash ? was : new Item(el, el, el, [phrase], hash, KINDS.item, day));
  }

  // sayName adds the name of a control that has a line (place), and the address of a link. They may be all that
  // tells one item from another.
  sayName({ el, line, role, isMute }) {
    if (isMute) this.sayOfItem(NAME_IN_ITEM + line.name, hashOf(line.name));
    if (role === 'link') this.sayOfItem(NAME_IN_ITEM + (line.href = hrefOf(el)), hashOf(line.href));
  }

  sayOfItem(phrase, hash) {
    this.phrases.push(phrase);
    this.hash = this.hash + hash | 0;
  }

  // enter begins an element (place).
  enter(place) {
    const { role, parent } = place, around = parent === null ? null : parent.region, { heading } = this;
    if (isApartInItem(place)) this.endPhrase();
    place.phrases = this.phrases.length;
    place.hash = this.hash;
    place.head = (place.tag === 'td' || CELLS.has(role) ? this.calendar.headOf(place.el) : null) ?? (parent === null ? null : parent.head);
    place.words = this.words;
    place.values = this.values;
    place.value = 0;
    place.told = this.told;
    place.headings = this.headings.length;
    place.heading = heading;
    place.between = heading === null ? 0 : heading.between;
    place.after = heading === null ? 0 : heading.order.length;
    place.said = this.said;
    place.last = this.last;
    place.counter = this.counter;
    place.listed = this.listed;
    place.waiting = this.waiting.length;
    place.isRegion = isRegion(role, place.tag);
    place.region = place.isRegion ? new Part(around, role).follows(place) : around;
    if (place.isRegion) place.region.isHovered = ITEM_ROLES.has(role) && this.hovered.has(place.el);
  }

  // leave ends an element (place): its line is finished.
  leave(place) {
    const { line, parent, role } = place;
    if (place.visible && showsPicture(place)) this.sayPicture(place);
    if (line !== null && line.name !== '' && this.words === place.words) this.say(line.name, place);
    if (isApartInItem(place)) this.endPhrase();
    const holds = this.waiting.length > place.waiting && this.decide(place), hasRef = line !== null && line.ref !== 0;
    const comes = hasRef && place.isMute && place.region?.isHovered && comesByHover(line);
    if (comes) this.words = place.words;
    if (hasRef) this.add(line, place, parent === null ? null : parent.region, INTERACTIVE.has(role) ? 0 : this.words - place.words | 0);
    if (comes) line.part.comesByHover = true;
    this.recognize(place, holds);
    if (hasRef && NAMED_ITEMS.has(role) && !comes) this.sayName(place);
    if (role === 'heading') this.begin(new Heading(this.words - place.words | 0, place.said, this.words));
    if (place.isRegion) this.close(place);
  }

  // begin begins to collect what follows a heading.
  begin(heading) {
    this.headings.push(heading);
    this.heading = heading;
    this.listed = false;
  }

  // add records a line with a ref. The line is in the region in the parameter around, and gets its
  // context later. The parameter words is the hash of the words in the element, 0 for a control,
  // because they are its name.
  add(line, place, around, words) {
    const part = new Part(around, '').follows(place);
    part.told = this.told - place.told;
    part.all = this.said - place.said;
    part.words = words;
    part.value = place.value;
    part.head = place.head;
    line.part = part;
    this.waiting.push(part);
  }

  // decide looks at the lines and regions in an element (place) that have no context yet. If the
  // element has more words than such a line or region, its words become the context. If the element
  // has no role, it becomes a region, and so does a control that holds others. The context of a line
  // in an item is only what is in the other fields, as the words of the item identify the item. The
  // result is whether the element tells such a line from others.
  decide(place) {
    if (place.isMute && place.line !== null) return this.closeControl(place);
    const told = this.told - place.told, isItem = place.isRegion && ITEM_ROLES.has(place.role), isRow = this.isRow(place);
    let left = place.waiting, plain = null;
    for (let i = left; i < this.waiting.length; i++) {
      const each = this.waiting[i];
      if (isItem) each.context = this.values - place.values - each.value | 0;
      else if (isRow || told > each.told) {
        each.context = this.contextOf(place, each);
        if (!place.isRegion) {
          each.around = plain ??= new Part(place.region, '').follows(place);
          plain.size += each.size;
        }
      } else if (!place.isRegion) this.waiting[left++] = each;
    }
    this.waiting.length = left;
    if (plain !== null) this.closePlain(plain, place, told);
    return place.isRegion || plain !== null;
  }

  // isRow reports whether an element without a role (place) is one of several rows that differ only by fields or
  // pictures.
  isRow(place) {
    if (place.isRegion || CELLS.has(place.role) || this.told > place.told) return false;
    const said = this.said - place.said;
    for (let i = place.waiting; i < this.waiting.length; i++) if (said > this.waiting[i].all) return place.isRepeated;
    return false;
  }

  // closeControl makes a control (place) the region of the lines in it. It is known by its name.
  closeControl(place) {
    const region = new Part(place.region, place.role).follows(place);
    region.name = place.line.name;
    for (let i = place.waiting; i < this.waiting.length; i++) this.waiting[i].around = region;
    this.waiting.length = place.waiting;
    this.waiting.push(region);
    return true;
  }

  // contextOf returns the context of a line or region that has none yet: a hash of words in the
  // element around the line (place). Only words that are about the line count.
  //
  // For a list, an item or a region without a role, the last heading before it counts, and the
  // words in between. For anything else, the last heading counts, and the texts that the Heading
  // has collected up to the line. In a form only the heading counts, as other words are messages.
  // Without a heading, all words count, and the texts in other fields. The last text before the
  // line counts once more: the line is about it where rows have no elements of their own.
  contextOf(place, part) {
    const { headings, between, begins, value, said, last, counter, size } = part;
    const heading = headings > place.headings ? part.heading : null; // any other is before the element around the line
    part.heading = null; // the part outlives the walk, and a Heading can be large
    if (begins !== null) return (heading?.hash ?? 0) + begins - (heading?.end ?? place.words) + (counter?.changeFor(size, heading?.start ?? place.said) ?? 0) | 0;
    if (place.tag === 'form') return heading?.hash ?? 0;
    const before = said > place.said ? Math.imul(last, 31) : 0;
    if (heading === null) return this.words - place.words + this.values - place.values - value + before | 0;
    return heading.hash + between + before | 0;
  }

  // closePlain ends a region without a role (place). If an element beside it is made in the same
  // way, its words do not count for the elements around it.
  closePlain(region, place, told) {
    region.begins = place.words;
    if (!CELLS.has(place.role) && place.isRepeated) { // the words of a cell tell its row from others
      this.forget(place);
      this.listed = true;
      for (let i = place.waiting; i < this.waiting.length; i++) this.waiting[i].told = 0;
    } else region.told = told;
    this.waiting.push(region);
  }

  // close ends a region (place). Its words do not count for the elements around it.
  close(place) {
    const { region, line, role } = place, isItem = ITEM_ROLES.has(role);
    if (isItem) this.closeItem(region, place);
    else region.name = line === null ? '' : line.name;
    if (isItem || LISTED_ROLES.has(role)) region.begins = place.words;
    this.forget(place);
    if (LISTED_ROLES.has(role)) this.listed = true;
    this.waiting.push(region);
  }

  // closeItem ends an item. A row of headers does not count as one.
  closeItem(region, { el, role, words }) {
    region.words = this.words - words | 0;
    if (region.around !== null && (role !== 'row' || el.querySelector(CELL) !== null)) region.around.size++;
  }

  // forget drops what was met since the beginning of an element (place).
  forget(place) {
    this.words = place.words;
    this.values = place.values;
    this.told = place.told;
    this.headings.length = place.headings;
    this.heading = place.heading;
    this.heading?.forget(place.after);
    this.said = place.said;
    this.last = place.last;
    this.counter = place.counter;
    this.listed = place.listed;
    if (!place.isRegion || place.role === 'figure') return; // its texts are also those of the item around it, as those of a cell
    this.phrase = '';
    this.phrases.length = place.phrases;
    this.hash = place.hash;
  }
}

const showsPicture = ({ tag, el }) => tag === 'img' || tag === 'input' && el.type === 'image';

// excerptOf returns the end of a text and its length. They tell long addresses of pictures apart.
const excerptOf = text => text.slice(-200) + text.length;

// Texts that count something: "3 items left", and the 3 in an element of its own. Large numbers,
// and those at the end, are more often names: "Order 1001", "Week 12".
const COUNTER = /^\s*\d{1,3}\s+\p{L}/u;
const NUMBER = /^\s*\d{1,3}\s*$/;
const NUMBERS = /\d+/g;

// Controls that are items if they are repeated. Their names are what is known of them.
const NAMED_ITEMS = words('button checkbox link menuitem menuitemcheckbox menuitemradio option radio switch tab');

// Fields tell no other elements from others.
const FIELDS_OF_ITEMS = words('combobox iframe listbox searchbox slider spinbutton textbox');

const areNested = (a, b) => a.contains(b) || b.contains(a);

// hashOf returns a hash of 32 bits: FNV-1a, with its bits spread. Without that, texts that differ in
// their last letters would have hashes with equal differences, and sums of them would be equal.
// Two characters are taken at once.
function hashOf(text) {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 2) hash = Math.imul(hash ^ text.charCodeAt(i) ^ text.charCodeAt(i + 1) << 16, 0x01000193);
  hash = Math.imul(hash ^ hash >>> 16, 0x85ebca6b);
  hash = Math.imul(hash ^ hash >>> 13, 0xc2b2ae35);
  return hash ^ hash >>> 16;
}

// isApartInItem reports whether the texts of an element (place) are apart from those around it. What is edited is a text of
// its own.
const isApartInItem = ({ block, isApart, isEdited, parent }) => block || isApart || isEdited && parent?.isEdited === false;

// comesByHover reports whether a button in the item under the mouse is there only for that. Its words do not count:
// they would make the item another one. The button was in no item in the last reading, unless the mouse was over that.
// A button that was there and had another name does not come by the mouse.
function comesByHover({ role, name, subject }) {
  return lastLines.length > 0 && lastLines.every(line => line.part.comesByHover || line.subject !== subject && (line.role !== role || line.name !== name));
}

function isRegion(role, tag) {
  return tag === 'form' || role !== '' && (ITEM_ROLES.has(role) || REGION_ROLES.has(role));
}
