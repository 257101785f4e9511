// Regions: where an element is, in words. By that, carry.js knows which new element stands for one
// that the page has replaced.
//
// A region is a part of the page with a role, such as a row, an item, a form, a landmark or a
// dialog. An item is known by all words in it, other regions by the name that their author gave
// them. The words in a region count for that region alone, and not for what is around.
//
// A name is not enough: many pages have rows, cards and panes without any role. So each element
// with a ref, and each region, also has a context. That is what the smallest element around says
// that has words of its own: the last heading before, the first one after, or else its words. The
// words of buttons do not count here, as all rows have the same buttons.
//
// Words are compared and never shown, so only hashes are kept. The hash of several texts is the sum
// of their hashes. So the hash of an element is the sum after it, less the sum before it.

// Roles of the parts that lists, tables and trees consist of.
const ITEM_ROLES = words('article listitem row treeitem');

const REGION_ROLES = words('alert alertdialog banner complementary contentinfo dialog feed figure form grid group list listbox log main menu'
  + ' menubar navigation radiogroup region search status table tablist tabpanel timer toolbar tree treegrid');

const LISTED_ROLES = words('feed grid list listbox table tree treegrid'); // they are lists even while they are empty

// Controls whose words are about what they lead to, and not about what they do.
const TELLING = words('link option treeitem');

// A Region is a part of the page with a role.
class Region {
  constructor(around, role) {
    this.around = around; // the region that this one is in, or null
    this.role = role;
    this.name = '';
    this.words = 0;       // hash of the words in it, if it is an item
    this.context = 0;
    this.told = 0;        // for what is around, it has no words
    this.headings = 0;    // how many headings come before it, of those that Regions has
    this.items = 0;       // the same for items
    this.begins = null;   // Regions.words at its beginning
    this.written = null;  // see key
  }

  // key tells this region from others.
  get key() {
    return this.written ??= [this.around?.key ?? '', this.role, this.name, this.words, this.context].join('\t');
  }
}

// Regions collects the regions and contexts of one walk.
class Regions {
  constructor() {
    this.words = 0;     // hash of all words so far that are in no closed region
    this.told = 0;      // how many texts of them are not those of buttons
    this.waiting = [];  // lines and regions whose context is not known yet
    this.headings = []; // the hashes of the headings so far that are in no closed region
    this.items = [];    // words as they were before each item so far that is in no closed region
  }

  // say adds a text. It is mute if it only says what a button does.
  say(text, mute) {
    let hash = OFFSET;
    for (let i = 0; i < text.length; i++) {
      const c = text.charCodeAt(i);
      if (c > SPACE) hash = Math.imul(hash ^ c, PRIME);
    }
    if (hash === OFFSET) return; // it has none
    this.words = this.words + avalanche(hash) | 0;
    if (!mute) this.told++;
  }

  // enter begins an element (place).
  enter(place) {
    const { role, parent } = place;
    const around = parent === null ? null : parent.region;
    if (ITEM_ROLES.has(role)) this.items.push(this.words);
    place.isRegion = isRegion(role, place.tag);
    place.region = place.isRegion ? new Region(around, role) : around;
    place.words = this.words;
    place.told = this.told;
    place.waiting = this.waiting.length;
    place.headings = this.headings.length;
    place.items = this.items.length;
  }

  // leave ends an element (place): its line is finished.
  leave(place) {
    const { line, parent } = place;
    if (line !== null && line.name !== '' && this.words === place.words) this.say(line.name, place.isMute);
    if (this.waiting.length > place.waiting) this.decide(place);
    if (line !== null && line.ref !== 0) {
      line.headings = place.headings;
      line.items = place.items;
      this.add(line, parent, this.told - place.told, INTERACTIVE.has(place.role) ? 0 : this.words - place.words | 0);
    }
    if (place.role === 'heading') this.headings.push({ words: this.words - place.words | 0, end: this.words, items: this.items.length });
    if (place.isRegion) this.close(place);
  }

  // add records a line with a ref, which waits for its context: told and words are its own.
  add(line, parent, told, words) {
    line.around = parent === null ? null : parent.region;
    line.told = told;
    line.words = words;
    this.waiting.push(line);
  }

  // decide gives a context to what waits in an element (place), if the element has words besides.
  // Such an element without a role is a region as well. In an item no context is needed, as it is known by
  // all its words.
  decide(place) {
    const told = this.told - place.told, isItem = place.isRegion && ITEM_ROLES.has(place.role);
    let left = place.waiting, plain = null;
    for (let i = left; i < this.waiting.length; i++) {
      const each = this.waiting[i];
      if (isItem) continue;
      if (told > each.told) {
        each.context = this.contextOf(place, each);
        if (place.isRegion) continue;
        plain ??= new Region(place.region, '');
        each.around = plain;
      } else if (!place.isRegion) this.waiting[left++] = each;
    }
    this.waiting.length = left;
    if (plain !== null) this.closePlain(plain, place, told);
  }

  // contextOf returns what an element (place) says about a line or region in it, which waits: the
  // heading before, and what is between that and the list before. What comes after the list may be
  // a counter or a message. An element without a heading or a list says all its words, but those of
  // a form are messages.
  contextOf(place, waits) {
    const before = waits.headings > place.headings ? this.headings[waits.headings - 1] : null;
    const after = before === null ? this.headings[place.headings] ?? null : null;
    const { items, end: begin } = before ?? { items: place.items, end: place.words };
    const end = waits.begins ?? this.listBy(items, waits.items) ?? after?.end ?? null;
    if (end !== null) return ((before ?? after)?.words ?? 0) + end - begin | 0;
    if (before !== null) return before.words;
    return place.tag === 'form' ? 0 : this.words - place.words | 0;
  }

  // listBy returns the beginning of the last list of several before an index, else of the first
  // one from there on, null if there is none. Those before from are not looked at.
  listBy(from, index) {
    return this.items[index > from ? index - 1 : from] ?? null;
  }

  // closePlain ends a region without a role (place). If it is one of several that are made in the
  // same way, what it says does not count for what is around.
  closePlain(region, place, told) {
    region.begins = place.words;
    region.headings = place.headings;
    region.items = place.items;
    if (isRepeated(place.el)) {
      this.forget(place);
      this.items.push(place.words);
      for (let i = place.waiting; i < this.waiting.length; i++) this.waiting[i].told = 0;
    } else {
      region.told = told;
      this.items.length = place.items;
    }
    this.waiting.push(region);
  }

  // forget drops what was said since the beginning of an element (place).
  forget(place) {
    this.words = place.words;
    this.told = place.told;
    this.headings.length = place.headings;
    this.items.length = place.items;
  }

  // close ends a region (place). What it says does not count for what is around.
  close(place) {
    const { region, line } = place, isItem = ITEM_ROLES.has(region.role);
    if (isItem) region.words = this.words - place.words | 0;
    else region.name = line === null ? '' : line.name;
    const isList = this.items.length > place.items || LISTED_ROLES.has(region.role);
    this.forget(place);
    if (isList && !isItem) this.items.push(place.words);
    if (isList || isItem) region.begins = place.words;
    region.headings = place.headings;
    region.items = place.items;
    this.waiting.push(region);
  }
}

const OFFSET = 0x811c9dc5 | 0, PRIME = 0x01000193; // of FNV-1a, a hash of 32 bits
const SPACE = 32;

// avalanche spreads the bits of a hash. Otherwise texts that differ in their last letters would have
// hashes with equal differences, and sums of them would be equal.
function avalanche(hash) {
  hash = Math.imul(hash ^ hash >>> 16, 0x85ebca6b);
  hash = Math.imul(hash ^ hash >>> 13, 0xc2b2ae35);
  return hash ^ hash >>> 16;
}

// isRepeated reports whether an element has the same tag and classes as one beside it.
function isRepeated(el) {
  return [el.previousElementSibling, el.nextElementSibling].some(other => other !== null && other.localName === el.localName
    && other.getAttribute('class') === el.getAttribute('class'));
}

function isRegion(role, tag) {
  return tag === 'form' || role !== '' && (ITEM_ROLES.has(role) || REGION_ROLES.has(role));
}
