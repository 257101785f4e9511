// Flow: which text is certainly seen where it is. To ask for the place of each text that is
// in a box which clips, or is moved, would take as long as all the rest of the walk. But
// most text is in blocks that lie in each other without a width, a height or a place of their
// own. Such blocks begin at the edge of the outermost, but for paddings and margins, and that is
// as high as what is in it: it is enough to look where that one is, which is called their root.

const FLOWING = words('block list-item');
const HOLDING = words('block list-item flow-root table-cell table-caption inline-block');

const OUT_OF_FLOW = SHIFTS | INDENTS | SIZES | WIDTHS | LEAVES | PUSHES;

// mayBeBesideFloat reports whether a block with these styles may be beside a float, where it is narrower
// than what it is in: as one that clips is.
function mayBeBesideFloat(bits) {
  return (bits & CLIPS) !== 0 && (floating ||= floatsAnywhere ??= document.querySelector(FLOATED) !== null);
}

const FLOATED = '[style*=float],[align=left],[align=right]'; // in document, by its own attributes
let floatsAnywhere = null; // whether there is such an element, once needed in a walk

// findRoot finds the root of a place, the block that its text is in, and the pixels that
// may be between the beginning of that text and the edge of the root.
function findRoot(place) {
  if (place.inset >= 0) return;
  const { parent, display, bits } = place, isLine = display === 'inline' || display === 'contents';
  const flows = parent !== null && !(bits & OUT_OF_FLOW) && !mayBeBesideFloat(bits) && (isLine || isBlockInBlock(place));
  if (parent !== null && (flows || isLine)) findRoot(parent);
  place.box = isLine ? parent?.box ?? null : place;
  place.root = flows ? parent.root : isLine ? null : place;
  place.inset = padsOf(bits) + (flows ? parent.inset : 0);
}

function isBlockInBlock({ parent, display }) {
  return parent !== null && FLOWING.has(display) && HOLDING.has(parent.display);
}

// beginsInSight reports whether a text is certainly seen, in part at least.
function beginsInSight(s, place, node) {
  if (s.may & (INDENTS | TWISTS)) return false;
  findRoot(place);
  const { root, box, inset } = place;
  if (root === null || inset >= WHOLE_PADS) return false;
  const first = (node === null || isFirst(node)) && leads(place);
  if (!first && roomOf(box).tooWide) return false; // lines of text are wider than their block
  return inset + TINY < widthOf(root) && isSeenAround(root) && (first && box === root ? isHigh(root, s.may) : holdsAll(root));
}

// leads reports whether a text that a place begins with begins a line of text.
function leads(place) {
  if (place.decorated || place.box === null) return false;
  return place.leads ??= place.box === place || isFirst(place.el) && leads(place.parent);
}

// isFirst reports whether there is nothing in an element before a node.
function isFirst(node) {
  const before = node.previousSibling;
  return before === null || before.nodeType === TEXT && before.previousSibling === null && !/\S/.test(before.data);
}

// roomOf returns the room in a block, which is that of its clip if it clips.
function roomOf(box) {
  return box.room ??= ownClip(box)?.room ?? new Room(box.el);
}

function ownClip({ el, sight: { clip } }) {
  return clip !== null && clip.el === el ? clip : null;
}

// widthOf returns how wide a root is at least.
function widthOf(root) {
  return root.width ??= measuredWidth(root);
}

function measuredWidth(root) {
  const { bits, parent, display } = root, isBlock = isBlockInBlock(root) && !(bits & LEAVES);
  if (display === 'table-cell' && !(bits & WIDTHS) && !fixedTables) return WHOLE_PADS; // it is as wide as its longest word
  if (isBlock && bits & WIDTHS && !(bits & NARROW)) return ROOMY;
  if (isBlock && !(bits & WIDTHS) && !mayBeBesideFloat(bits)) {
    findRoot(parent);
    const width = parent.root === null || parent.inset >= WHOLE_PADS ? 0 : widthOf(parent.root) - 2 * parent.inset;
    if (width >= ROOMY) return width;
  }
  return roomOf(root).width;
}

// isSeenAround reports whether nothing around a root cuts it away.
function isSeenAround(root) {
  return root.seen ??= looksSeen(root);
}

function looksSeen({ el, sight }) {
  const { clip } = sight, around = clip !== null && clip.el === el ? clip.up : clip;
  if (sight.may & SHIFTS) return unseenBox(sight, el.getBoundingClientRect(), around) === '';
  return around === null || !around.cuts;
}

// isHigh reports whether a root shows the first line of text directly in it, with fonts as they may be. Text
// is in the middle of its line, which is ROOMY high at most, so half of that is enough for all but the smallest.
function isHigh(root, may) {
  const { bits, inset } = root, isBlock = isBlockInBlock(root) && !(bits & LEAVES);
  if (isBlock && !(bits & SIZES) || root.display === 'table-cell') return true;
  return isBlock && !(bits & LOW) && inset + TINY < ROOMY || roomOf(root).height >= inset + ROOMY / 2 + (may & SHRINKS ? 1 : 0);
}

// holdsAll reports whether a root shows all that is in it from its top to its bottom.
function holdsAll(root) {
  return root.holds ??= showsContents(root);
}

function showsContents(root) {
  const { bits, sight: { may, clip } } = root, own = ownClip(root);
  if (clip === null || own === null && !(may & SHIFTS)) return true;
  if (isBlockInBlock(root) && !(bits & (SIZES | LEAVES)) || root.display === 'table-cell') return true;
  const room = roomOf(root);
  return room.height >= TINY && (own !== null && own.scrollsY || !room.tooHigh);
}

let beyond = null; // see pushesCount

// pushesCount reports whether text that is moved to the right may be where no scrolling leads.
function pushesCount() {
  const root = document.documentElement;
  return beyond ??= mirrored || scrolledPage().right !== Infinity && root.scrollWidth > root.clientWidth;
}
