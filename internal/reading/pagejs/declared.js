// Declarations: what the declarations of a rule or a style attribute can do to the text in an
// element. They are judged by how they are written; see hiding.js.

// What the declarations of an element can do to the text in it, as bits.
const FADES = 1;     // change the opacity
const COLORS = 2;      // give the text a color that may also be behind it
const FILLS = 4;     // set the fill color of the letters: -webkit-text-fill-color
const BACKGROUNDS = 8;    // change what is painted behind the text
const CLIPS = 16;    // clip the text by overflow
const SHAPES = 32;   // clip the text by clip or clip-path
const SHIFTS = 64;   // move, turn or scale the element
const INDENTS = 128; // move the text in its element
const SHRINKS = 256; // change the size of the font
const STANDS = 512;  // position the element
const HOLDS = 1024;  // position the contents of the element
const DARKENS = 2048; // what is painted behind the text may have the color of the text
const ADORNS = 4096;  // ::before or ::after paint something that may lie behind other text
const ALIGNS = 8192;  // move what is in the element, but not the element itself; to the left or upwards if it is too large
const SIZES = 1 << 14;  // give the element a height other than that of its contents
const LOW = 1 << 15;    // this height may be less than ROOMY
const WIDTHS = 1 << 16; // give the element a width other than that of its container
const NARROW = 1 << 17; // this width may be less than ROOMY
const LEAVES = 1 << 18; // take the element out of the flow
const PUSHES = 1 << 19; // move the element to the right or down, where pages and boxes can be scrolled to
const TWISTS = 1 << 28; // make it impossible to tell from the element's box where its text is: scale, rotate or indent it, or change the height of its lines
const ANIMATES = 1 << 29; // animate the element
const RAISES = 1 << 30; // the element is painted above the page, as a dialog: what is around does not clip it

const REDRAWS = 1 << 31; // paint more behind the element than a color or, with HOLDS, change its colors, rotate or scale it

// Bits 20 to 27 hold a number of pixels, in steps of 4. Paddings, margins, borders and an indent
// may keep text that far from the edges of the element. The pixels of all declarations are added
// up.
const PAD = 1 << 20, MOST_PADS = 0xff * PAD;
const WHOLE_PADS = 0xff * 4; // the largest number that the bits can hold; it also stands for an unknown number

const ANYTHING = FADES | COLORS | FILLS | BACKGROUNDS | CLIPS | SHAPES | SHIFTS | INDENTS | SHRINKS | STANDS | HOLDS | DARKENS | SIZES
  | LOW | WIDTHS | NARROW | LEAVES | TWISTS | ALIGNS | MOST_PADS | REDRAWS;

// joined returns what two declarations together can do to text, as bits. The numbers of pixels in
// the bits are added, see PAD.
function joined(a, b) {
  const pads = (a & MOST_PADS) + (b & MOST_PADS);
  return (a | b) & ~MOST_PADS | (pads > MOST_PADS ? MOST_PADS : pads);
}

// padsOf returns the number of pixels that the bits hold, see PAD.
function padsOf(bits) {
  return (bits & MOST_PADS) / PAD * 4;
}

// A value with a variable or a function such as calc() can be anything.
const COMPUTED = /var\(|calc\(|env\(|clamp\(|attr\(|if\(|-{2}/;

const always = bits => () => bits;
const unless = (bits, harmless) => value => harmless.test(value) ? 0 : bits;
const when = (bits, harmful) => value => harmful.test(value) || COMPUTED.test(value) ? bits : 0;

const NO_SHIFT = /^(auto|none|normal|0(px|%)?)( (auto|0(px|%)?))*$/;
// Values of an inherited property that change nothing. They keep the value of the element around,
// where it was already checked, or set the default.
const AS_AROUND = /^(normal|none|inherit|initial|unset)$/;

const SHIFT = unless(SHIFTS, NO_SHIFT);
const PUSH = value => NO_SHIFT.test(value) ? 0 : /^[\d.]+(px|r?em|%)$/.test(value) ? PUSHES : SHIFTS;
const MARGIN = value => /-[\d.]/.test(value) || COMPUTED.test(value) ? SHIFTS : pads(value);
const PUSHING = /^translate(X|Y|3d)?\([\d.]+(px|%)?(, [\d.]+(px|%)?){0,2}\)$/;
// Values that only move a box. In a rotated box, a move to the right may lead to the left.
const MOVING = /^(translate(X|Y|3d)?\([^()]*\)|-?[\d.]+(px|%)( -?[\d.]+(px|%))*)$/;
const SHRINKING = /^(scale(3d|X|Y)?\()?(0?\.[2-9]\d*|1)((, | )(0?\.[2-9]\d*|1))*\)?$/;
const TRANSFORM = value => /^(none|normal|1)$/.test(value) ? 0 : SHRINKING.test(value) ? HOLDS | REDRAWS
  : PUSHING.test(value) ? PUSHES | HOLDS : MOVING.test(value) ? SHIFTS | HOLDS
  : SHIFTS | HOLDS | REDRAWS | (COMPUTED.test(value) ? TWISTS : INDENTS);
const CLIP = when(CLIPS, /hidden|clip|auto|scroll|overlay/);
const LAYERS = BACKGROUNDS | DARKENS | REDRAWS; // more than a color is painted behind the text
const IMAGE = /gradient|url\(|image/;
const BACKGROUND = value => /^(none|initial|inherit|transparent|unset)$/.test(value) ? 0
  : mayMention(value, IMAGE) ? LAYERS : BACKGROUNDS;
const MASKED = value => AS_AROUND.test(value) ? 0 : meeting('mask-image', SHAPES);
const INSTEAD = /^(url|[\w-]*(image-set|gradient|cross-fade))\(/; // a value of content that is an image: it is shown in place of what is in the element
const FILLING = value => mayMention(value, /fill/) ? meeting('border-image', LAYERS) : 0; // the image is also drawn inside of the border
const INSET = /(?<![\w-])inset(?![\w-])/;
const OUTLINE = unless(COLORS | FILLS, AS_AROUND);
const size = (bits, small, harmless) => value => harmless.test(value) ? 0 : pixels(value) >= ROOMY ? bits : bits | small;
const WIDTH = size(WIDTHS, NARROW, /^(auto|none|100%|initial|unset)$/);
const HEIGHT = size(SIZES, LOW, /^(auto|none|initial|unset)$/); // height: 100% may be a percentage of a box without height
const ANY_SIZE = size(WIDTHS | SIZES, NARROW | LOW, /^(auto|none|initial|unset)$/);
const ROOMY = 40; // pixels: in a box of at least this size, text that begins close to the edge can be seen at least in part

// pixels returns a length in pixels, approximately; NaN if it depends on the page.
function pixels(length) {
  const parts = /^(-?[\d.]+)(px|r?em|pt)?$/.exec(length);
  return parts === null || parts[2] === undefined && Number(parts[1]) !== 0 ? NaN : Number(parts[1]) * (parts[2]?.endsWith('em') ? 16 : 1);
}

// pads returns the bits PAD for a value with several lengths: the pixels of its longest length.
function pads(value) {
  if (value === '0px' || value === 'auto' || value === '0') return 0;
  let most = 0;
  for (const part of value.split(' ')) {
    const length = part === 'auto' || part === 'initial' ? 0 : pixels(part) * (part.endsWith('em') ? 2 : 1);
    if (!(length < WHOLE_PADS)) return MOST_PADS;
    most = Math.max(most, length);
  }
  return Math.ceil(most / 4) * PAD;
}

// borders returns the bits PAD for the widths in a value of border or border-width.
function borders(value) {
  const widths = value.split(' ').filter(part => /^[\d.-]/.test(part));
  return COMPUTED.test(value) ? MOST_PADS : widths.length > 0 ? pads(widths.join(' ')) : 0;
}
const FONT = when(SHRINKS,
  /(^|[\s(])(0(?![.\d])|[0-4]?(\.\d+)?(px|pt|mm|q)|0?\.[0-5]\d*[a-z]|[0-5]?\d(\.\d+)?%|[\d.]+(v[a-z]+|cq[a-z]+)|[a-z]+\(|\d+(\.\d+)?e[-+]?\d)/i);

// A Trait is a style that changes how the whole page is checked if a single element has it. An
// example is text from right to left. Many style sheets have a rule for it that selects no element
// of the page. So a rule alone does not count: the document is searched for an element that the
// rule selects, at most once in a walk.
class Trait {
  constructor(...selectors) {
    this.selectors = selectors; // selectors of elements that have the style
    this.everywhere = false; // whether to assume, without a search, that an element has the style
    this.found = null;       // whether an element of the document has the style; null: not searched in this walk yet
  }

  // add adds the selector of a rule, or '' for a style attribute.
  add(selector) {
    this.found = null;
    if (selector === '' || /:host|::/.test(selector) || this.selectors.length >= MOST_TRAITS) this.everywhere = true;
    else this.selectors.push(selector);
  }

  get isHere() {
    return this.everywhere || (this.found ??= this.search());
  }

  search() {
    if (this.selectors.length === 0) return false;
    try {
      return [document, ...shadowRoots()].some(root => root.querySelector(this.selectors.join(',')) !== null);
    } catch {
      return this.everywhere = true; // querySelector rejects one of the selectors, so assume that elements have the style
    }
  }
}

const MOST_TRAITS = 20; // selectors of a trait: searching for more would take longer than it saves

const mirrored = new Trait('[dir]:not([dir=ltr])'); // text from right to left: boxes and pages scroll to the left
const floating = new Trait('[style*=float],[align=left],[align=right]'); // floats, beside which boxes that clip are narrower
const fixedTables = new Trait(); // tables whose cells may be narrower than their content
const traits = [mirrored, floating, fixedTables];
const declaredTraits = new Set(); // the traits that the declarations being read have

// declaresTrait records a trait of the declarations being read. It returns the given bits.
function declaresTrait(trait, bits = 0) {
  declaredTraits.add(trait);
  return bits;
}

// In columns, text can be beside the box of its element.
const COLUMNS = unless(SHIFTS | ALIGNS | TWISTS | SIZES, /^auto$/);
let clipsContents = false; // whether there may be boxes with CSS containment, which clip their content

function contains(bits) {
  clipsContents ||= bits !== 0;
  return bits;
}

// Properties that few pages declare are parsed only after a rule or an element with them was met.
const met = new Set();
const declares = property => unread || met.has(property);

// meeting returns what a property can do to text, as bits, and records that the property was met.
function meeting(property, bits) {
  met.add(property);
  return bits;
}

let fadingFilters = false; // whether filters may fade elements

function fades() {
  fadingFilters = true;
  return FADES;
}

// Content that is aligned to the end, or centered, may begin to the left of its container or above it.
const ALIGNED = value => when(SHIFTS | ALIGNS, /end|right/)(value) | (value.includes('center') ? ALIGNS : 0);
const ALIGNED_SELF = when(SHIFTS, /end|right|center/);
const SPREAD = when(INDENTS, /center|end/);
const REVERSED = when(SHIFTS | ALIGNS, /reverse/);

// What each property does, by its value.
const DOES = new Map(Object.entries({
  all: value => value === 'inherit' ? ANYTHING : COLORS | FILLS,
  opacity: unless(FADES, /^(1|100%)$/),
  filter: value => (value.includes('opacity') || COMPUTED.test(value) ? fades() : 0) | (value === 'none' ? 0 : meeting('filter', HOLDS | REDRAWS)),
  'backdrop-filter': value => value === 'none' ? 0 : meeting('backdrop-filter', LAYERS),
  'mix-blend-mode': value => AS_AROUND.test(value) ? 0 : meeting('mix-blend-mode', HOLDS | REDRAWS),
  'transform-style': value => value === 'flat' ? 0 : meeting('transform-style', HOLDS | REDRAWS),
  'border-image': FILLING, 'border-image-slice': FILLING,
  'box-shadow': value => mayMention(value, INSET) ? meeting('box-shadow', LAYERS) : 0,
  color: always(COLORS), '-webkit-text-fill-color': always(COLORS | FILLS),
  '-webkit-text-stroke': OUTLINE, '-webkit-text-stroke-width': OUTLINE, '-webkit-text-stroke-color': OUTLINE,
  background: value => clipsToText(value) | BACKGROUND(value), 'background-color': BACKGROUND, 'background-image': BACKGROUND,
  'background-clip': clipsToText, '-webkit-background-clip': clipsToText,
  'background-blend-mode': value => meeting('background-blend-mode', 0),
  overflow: CLIP, 'overflow-x': CLIP, 'overflow-y': CLIP, 'overflow-block': CLIP, 'overflow-inline': CLIP,
  contain: value => contains(when(CLIPS | HOLDS, /paint|strict|content|layout/)(value))
    | when(SIZES | LOW | WIDTHS | NARROW, /size|strict/)(value),
  'container-type': always(HOLDS), perspective: always(HOLDS), 'will-change': always(HOLDS),
  position: value => value === 'relative' ? STANDS : value === 'absolute' || value === 'sticky' ? STANDS | LEAVES
    : value === 'static' ? 0 : STANDS | LEAVES | SHIFTS,
  float: value => value === 'none' ? 0 : declaresTrait(floating, value === 'left' ? WIDTHS | NARROW : WIDTHS | NARROW | SHIFTS),
  'justify-content': ALIGNED, 'justify-items': ALIGNED, 'align-items': ALIGNED, 'place-items': ALIGNED,
  'justify-self': ALIGNED_SELF, 'align-self': ALIGNED_SELF, 'place-self': ALIGNED_SELF,
  'align-content': SPREAD, 'place-content': value => ALIGNED(value) | SPREAD(value),
  'flex-direction': REVERSED, 'flex-wrap': REVERSED, 'flex-flow': REVERSED,
  clip: unless(SHAPES, /^auto$/), 'clip-path': unless(SHAPES, /^none$/), mask: MASKED, 'mask-image': MASKED, '-webkit-mask': MASKED, '-webkit-mask-image': MASKED,
  '-webkit-mask-box-image': MASKED, '-webkit-mask-box-image-source': MASKED,
  display: when(SHAPES, /^table-column/), content: when(SHAPES, INSTEAD),
  'z-index': value => /^-/.test(value) || COMPUTED.test(value) ? meeting('z-index', HOLDS | REDRAWS) : 0,
  'fill-opacity': () => meeting('fill-opacity', 0),
  '-webkit-text-security': value => AS_AROUND.test(value) ? 0 : meeting('text-security', COLORS | FILLS),
  transform: TRANSFORM, translate: TRANSFORM, offset: TRANSFORM, 'offset-path': TRANSFORM,
  scale: value => meeting('scale', TRANSFORM(value)), rotate: value => meeting('rotate', TRANSFORM(value)), zoom: value => meeting('zoom', TRANSFORM(value)),
  'text-indent': value => AS_AROUND.test(value) ? 0 : indents(pixels(value)),
  'letter-spacing': value => /^-0?\.[01]\d*(px|r?em)$/.test(value) || !/-[\d.]/.test(value) && !COMPUTED.test(value) ? 0 : SHIFTS | INDENTS,
  'font-size': FONT, font: value => FONT(value) | lineHeights(value.split('/')[1]?.trim().split(' ')[0] ?? 'normal'),
  'font-size-adjust': value => AS_AROUND.test(value) ? 0 : meeting('font-size-adjust', SHRINKS), 'line-height': lineHeights,
  height: HEIGHT, 'max-height': HEIGHT, 'aspect-ratio': ANY_SIZE, '-webkit-line-clamp': unless(SIZES, /^none$/),
  width: WIDTH, 'max-width': WIDTH, columns: COLUMNS, 'column-count': COLUMNS, 'column-width': COLUMNS,
  'block-size': ANY_SIZE, 'max-block-size': ANY_SIZE, 'inline-size': ANY_SIZE, 'max-inline-size': ANY_SIZE,
  'table-layout': value => value === 'auto' ? 0 : declaresTrait(fixedTables),
  'writing-mode': unless(SHIFTS | ALIGNS | TWISTS | SIZES | LOW | WIDTHS | NARROW, /^horizontal-tb$/),
  direction: value => value === 'ltr' ? 0 : declaresTrait(mirrored),
}));

function clipsToText(value) {
  if (/text/.test(value) || COMPUTED.test(value)) met.add('background-clip');
  return 0;
}

function indents(by) {
  return by === 0 ? 0 : by > 0 && by < 64 ? TWISTS : SHIFTS | INDENTS;
}

// lineHeights returns what a line height can do to text, as bits. In a high line, text is far from
// the edge of the element.
function lineHeights(value) {
  if (/^(0|\.)/.test(value)) return TWISTS;
  const height = /^[\d.]+$/.test(value) ? Number(value) * 16 : pixels(value.replace('%', 'em')) / (value.endsWith('%') ? 100 : 1);
  return AS_AROUND.test(value) || height <= ROOMY ? 0 : TWISTS;
}

const SIDES = ['', '-left', '-right', '-top', '-bottom', '-inline', '-block', '-inline-start', '-inline-end', '-block-start', '-block-end'];
for (const side of SIDES) {
  DOES.set('margin' + side, MARGIN);
  DOES.set('padding' + side, pads);
  DOES.set('border' + side, borders);
  DOES.set('border' + side + '-width', borders);
  DOES.set(/(left|right|top|bottom)$/.test(side) ? side.slice(1) : 'inset' + side, /(left|top)$/.test(side) ? PUSH : SHIFT);
}

const DOES_SOMETHING = new RegExp('all:|opacity|filter|fill|blend|shadow|stroke|mask|security|z-index: *(-|var|calc)|color|background|overflow|contain|perspective|will-change|position|clip'
  + '|transform|translate|scale|rotate|offset|zoom|indent|letter-spacing|font|height|width|size|aspect|line-clamp|writing|column'
  + '|justify|align-|place-|flex|margin|left|right|top|bottom|inset|padding|border|float|direction|contain|table-layout|content: *[^"]');

// The kinds of paddings whose pixels are counted separately; the last one stands for all others. If
// an element has several declarations of a kind, only the largest counts.
const PADDINGS = ['padding', 'margin', 'border', ''];

// hidingBits returns, as bits, what the declarations in a style attribute can do to the text in the
// element. It judges them by how they are written. The bits of each kind of padding are kept in
// widest, which the caller may share between several style texts.
function hidingBits(declarations, widest = [0, 0, 0, 0]) {
  declaredTraits.clear();
  if (!DOES_SOMETHING.test(declarations)) return 0;
  let bits = 0;
  for (const declaration of declarations.split(';')) {
    const colon = declaration.indexOf(':');
    if (colon < 0) continue;
    const property = declaration.slice(0, colon).trim().toLowerCase();
    const what = bitsOf(property, declaration.slice(colon + 1).replace('!important', '').trim());
    bits |= what;
    if (!(what & MOST_PADS)) continue;
    const kind = PADDINGS.findIndex(name => property.startsWith(name));
    widest[kind] = Math.max(widest[kind], what & MOST_PADS);
  }
  return bits & ~MOST_PADS | Math.min(widest.reduce((a, b) => a + b), MOST_PADS);
}

// bitsOf returns, as bits, what a declaration can do to text. If its value has variables, it
// considers each of their possible values.
function bitsOf(property, value) {
  const does = DOES.get(property);
  if (does === undefined) return 0;
  let bits = 0;
  for (const possible of value.includes('var(') ? possibleValues(property, value) ?? [value] : [value]) {
    const what = does(possible);
    bits = (bits | what) & ~MOST_PADS | Math.max(bits & MOST_PADS, what & MOST_PADS);
  }
  return bits;
}
