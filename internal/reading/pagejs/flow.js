// Flow: which texts can certainly be seen, found without measuring them. A text may be in a box
// that clips or is moved. Asking for the place of each such text would take as long as all the rest
// of the walk. But most text is in nested blocks without a width, a height or a position of their
// own. Such blocks begin at the edge of the outermost of them, apart from paddings and margins. The
// outermost block is called their root here, and is as high as its content. So it is enough to look
// where the root is.

const FLOWING = words('block list-item');
const HOLDING = words('block list-item flow-root table-cell table-caption inline-block');

const OUT_OF_FLOW = SHIFTS | INDENTS | SIZES | WIDTHS | LEAVES | PUSHES;

// mayBeBesideFloat reports whether a block with these styles may stand beside a float, and so be
// narrower than its container. Blocks that clip their content do; other blocks extend behind the
// float.
function mayBeBesideFloat(bits) {
  return (bits & CLIPS) !== 0 && floating.isHere;
}

// findRoot sets three fields of the Place of an element. The root is the outermost of the nested
// blocks around the text, see the top of this file. The box is the block that directly holds the
// text. The inset is the largest distance, in pixels, from the edge of the root to the beginning of
// the text.
function findRoot(place) {
  if (place.inset >= 0) return;
  const { parent, display, bits } = place, isLine = display === 'inline' || display === 'contents';
  const flows = parent !== null && !(bits & OUT_OF_FLOW) && !mayBeBesideFloat(bits) && (isLine || isBlockInBlock(place) && !isLower(place));
  if (parent !== null && (flows || isLine)) findRoot(parent);
  place.box = isLine ? parent?.box ?? null : place;
  place.root = flows ? parent.root : isLine ? null : place;
  place.inset = padsOf(bits) + (flows ? parent.inset : 0);
}

// isLower reports whether a block that clips is lower than its content. A block without a height of
// its own is so if there is a negative margin in it.
function isLower(place) {
  return mayClip(place) && roomOf(place).tooHigh;
}

function isBlockInBlock({ parent, display }) {
  return parent !== null && FLOWING.has(display) && HOLDING.has(parent.display);
}

// beginsInSight reports whether at least a part of a text is certainly seen.
function beginsInSight(s, place, node) {
  if (s.may & (INDENTS | TWISTS)) return false;
  findRoot(place);
  const { root, box, inset } = place;
  if (root === null) return false;
  if (s.clip === null && scrollsOn(s)) return isSeenAround(root); // paddings move the text to the right or down, where the page can be scrolled to
  if (inset >= WHOLE_PADS) return false;
  const first = (node === null || isFirst(node)) && leads(place);
  if (!first && roomOf(box).tooWide) return false; // the lines of text are wider than the block
  return isSeenAround(root) && inset + TINY < widthOf(root) && (first && box === root && root.leaf ? isHigh(root, s.may) : holdsAll(root));
}

// scrollsOn reports whether scrolling the page can show what lies to the right of the visible part of
// the page, or below it.
function scrollsOn({ bounds }) {
  return !pushesCount() && !bounds.settle().fixed;
}

// leads reports whether a text at the beginning of an element (place) also begins a line of text.
function leads(place) {
  if (place.decorated || place.box === null) return false;
  return place.leads ??= place.box === place || isFirst(place.el) && leads(place.parent);
}

// isFirst reports whether there is nothing in an element before a node.
function isFirst(node) {
  const before = node.previousSibling;
  return before === null || before.nodeType === TEXT && before.previousSibling === null && !/\S/.test(before.data);
}

// isInSight reports whether a person certainly sees the whole box of an element (place), and a text
// directly in it. A box that clips hides nothing if its content fits. So the box is measured only
// if its styles may clip.
function isInSight(s, place, node) {
  if (s.may & INDENTS || place.display === 'contents') return false;
  return (!mayClip(place) || !roomOf(place).isTiny && !roomOf(place).tooHigh) && !mayBeOutside(place, node) && isSeenAround(place);
}

// mayBeOutside reports whether a text that is directly in an element (place) may be outside of the
// element's box. Content before the text may be too large for the box.
function mayBeOutside(place, node) {
  return node !== null && !isFirst(node) && (roomOf(place).tooWide || roomOf(place).tooHigh);
}

function mayClip({ bits }) {
  return (bits & CLIPS) !== 0;
}

// ownBounds returns the Bounds (the boxes that clip) of an element (place), null if they are the
// same as for the element around it.
function ownBounds({ el, sight: { bounds } }) {
  return bounds.el === el ? bounds : null;
}

// roomOf returns the Room (see clip.js) of a Place or Bounds, and makes it if need be.
function roomOf(box) {
  return box.room ??= ownBounds(box)?.room ?? new Room(box.el);
}

// rectOf returns the rectangle of an element (place) in the viewport.
function rectOf(place) {
  return roomOf(place).rect;
}

// ownClip returns the Clip of an element (place), null if it is the same as for the element around
// it.
function ownClip(place) {
  const clip = mayClip(place) ? place.sight.clip : null;
  return clip !== null && clip.el === place.el ? clip : null;
}

// widthOf returns the minimum width of a root (see the top of this file), in pixels.
function widthOf(root) {
  return root.width ??= measuredWidth(root);
}

function measuredWidth(root) {
  const { bits, parent, display } = root, isBlock = isBlockInBlock(root) && !(bits & LEAVES);
  if (display === 'table-cell' && !(bits & WIDTHS) && !fixedTables.isHere) return WHOLE_PADS; // such a cell is as wide as its longest word
  if (isBlock && bits & WIDTHS && !(bits & NARROW)) return ROOMY;
  if (isBlock && !(bits & WIDTHS) && !mayBeBesideFloat(bits)) {
    findRoot(parent);
    const width = parent.root === null || parent.inset >= WHOLE_PADS ? 0 : widthOf(parent.root) - 2 * parent.inset;
    if (width >= ROOMY) return width;
  }
  const room = roomOf(root);
  return room.box === null ? room.width : room.box.width - root.inset;
}

// isSeenAround reports whether no box around an element (place) cuts the element off.
function isSeenAround(place) {
  return place.seen ??= looksSeen(place);
}

function looksSeen(place) {
  const { sight, bits } = place;
  if (!(sight.may & SHIFTS)) return isUncut(place);
  return !(bits & SHIFTS) && scrollsOn(sight) && isUncut(place) && beginsInSeen(place) || isSeenWhole(place);
}

// isSeenWhole reports whether the whole box of an element (place) is seen at its present position.
function isSeenWhole(place) {
  return place.whole ??= unseenBox(place.sight, rectOf(place), aroundOf(place)) === '';
}

// beginsInSeen reports whether the box of an element (place) begins to the right of, or below, a
// moved element whose box is seen. That is the innermost moved element, found through the parents
// of the element. If the element is positioned, the same must hold for its containing block.
function beginsInSeen(place) {
  const { bits, parent } = place;
  if (parent === null || bits & SHIFTS) return isSeenWhole(place);
  return place.begins ??= !(parent.bits & ALIGNS) && parent.display !== 'contents' && beginsInSeen(parent)
    && (!(bits & LEAVES) || holdsInSeen(parent));
}

// holdsInSeen reports whether beginsInSeen is true of the containing block of an element that is
// positioned, and whose parent is place.
function holdsInSeen(place) {
  let holder = place;
  while (holder !== null && (ownBounds(holder)?.position ?? 'static') === 'static') holder = holder.parent;
  return holder !== null && beginsInSeen(holder);
}

// isUncut reports whether no box around an element (place) cuts off any of its content. Finding out
// which boxes clip the element takes time, so that is done only if one of them cuts anything.
function isUncut(place) {
  const bounds = ownBounds(place), around = bounds === null ? place.sight.clip : bounds.up.clip;
  if (around === null || !around.cuts) return true;
  const clip = aroundOf(place);
  return clip !== around && (clip === null || !clip.cuts);
}

// aroundOf returns the innermost box around an element (place) that clips it.
function aroundOf(place) {
  const bounds = ownBounds(place);
  return bounds === null ? place.sight.clip : bounds.settle().around;
}

// isHigh reports whether a root without elements in it shows its first line of text, whatever the
// font. Text is in the middle of its line, which is ROOMY high at most. So half of that is enough
// for all but the smallest fonts.
function isHigh(root, may) {
  const { bits, inset } = root, isBlock = isBlockInBlock(root) && !(bits & LEAVES);
  if (isBlock && !(bits & SIZES) || root.display === 'table-cell') return true;
  return isBlock && !(bits & LOW) && inset + TINY < ROOMY || roomOf(root).height >= inset + ROOMY / 2 + (may & SHRINKS ? 1 : 0);
}

// holdsAll reports whether a root (see the top of this file) shows all that is in it, from its top
// to its bottom.
function holdsAll(root) {
  return root.holds ??= showsContents(root);
}

function showsContents(root) {
  const { bits, sight } = root, moved = (sight.may & SHIFTS) !== 0;
  if (!mayClip(root) && (!moved || sight.clip === null)) return true;
  if ((isBlockInBlock(root) && !(bits & (SIZES | LEAVES)) || root.display === 'table-cell') && !isLower(root)) return true;
  const room = roomOf(root);
  if (room.height >= TINY && !room.tooHigh) return true;
  const own = ownClip(root);
  return own === null ? !moved || sight.clip === null : room.height >= TINY && own.scrollsY;
}

let beyond = null; // see pushesCount

// pushesCount reports whether text that is moved to the right may be at a place that a person
// cannot scroll to.
function pushesCount() {
  return beyond ??= mirrored.isHere || scrolledPage().right !== Infinity && isWide();
}

let wide = null; // see isWide

// isWide reports whether the page is wider than the window.
function isWide() {
  return wide ??= document.documentElement.scrollWidth > document.documentElement.clientWidth;
}

// alignsBefore reports whether content that an element centers begins to the left of the element or
// above it, because it is too large. It measures an element in a wide page, an element that clips,
// and an element with a height of its own. In others, content is not too large. The parameter may has
// the bits of the elements around.
function alignsBefore(el, bits, may) {
  if ((bits | may) & SHIFTS || !(bits & SIZES || (bits | may) & CLIPS || isWide())) return false;
  const room = new Room(el);
  return room.tooWide || room.tooHigh;
}
