// Hiding: which elements have styles that can make text invisible. Reading a dozen properties of
// each element's computed style would take longer than all the rest of the walk. So the rules of
// the style sheets are read once. A rule that declares such a property is filed under the class,
// the id or the tag that its selector requires: see selectors.js. Browsers do the same to match
// rules fast. The computed style is read only of elements with such a class, id or tag, or with
// such a property in the style attribute. Only the properties that may be declared for the element
// are read. An element that the rule does not match after all costs time, and nothing else.

const PAINTS = /background(-color|-image)?: (?!none|transparent|initial)|content: *url|(^|[; ])content: *"[^"]*[^"\s]/;

// A Filing maps what selectors require (see requiredBy) to what the matching rules can do to text.
// Nothing is removed from it: if a sheet is gone, its rules only cause some unnecessary checks.
class Filing {
  constructor() {
    this.bits = new Map();      // what a rule requires -> bits
    this.pads = new Map();      // what a selector requires -> the bits of each kind of padding
    this.byTag = new Map();     // tag -> bits of the rules that require it, or that require nothing; emptied when a rule is filed
    this.byClasses = new Map(); // the value of a class attribute -> bits
    this.attributes = [];       // attributes that rules require
    this.bareAttributes = [];   // those of the attributes above that bare elements can have
    this.ids = false;           // whether rules require an id
    this.hosts = false;         // whether rules require :host
  }

  file(required, bits, widest) {
    const known = this.bits.get(required) ?? 0;
    if (required[0] === '[' && !this.bits.has(required)) {
      if (this.attributes.length >= MOST_ATTRIBUTES) return this.file('*', bits, widest);
      const name = required.slice(1);
      this.attributes.push(name);
      if (isMute(name)) this.bareAttributes.push(name);
    }
    if (widest !== null && bits & MOST_PADS) bits = bits & ~MOST_PADS | this.filePads(required, widest);
    this.bits.set(required, (known | bits) & ~MOST_PADS | Math.max(known & MOST_PADS, bits & MOST_PADS));
    this.byTag.clear();
    this.byClasses.clear();
    this.hosts ||= required === ':host';
    this.ids ||= required[0] === '#';
  }

  // filePads stores the widest padding of each kind that rules with the same requirement declare.
  // It returns the sum of these paddings as bits.
  filePads(required, widest) {
    const known = this.pads.get(required);
    if (known === undefined) this.pads.set(required, [...widest]);
    else widest.forEach((pads, kind) => { known[kind] = Math.max(known[kind], pads); });
    return Math.min(this.pads.get(required).reduce((a, b) => a + b), MOST_PADS);
  }

  // of returns, as bits, what rules can do to text. It takes the rules whose requirement the
  // element meets, and those that require nothing. The parameter plain says that the element is
  // bare: see dom.js.
  of(el, tag, plain = false) {
    let bits = this.byTag.get(tag) ?? this.ofTag(tag);
    if (this.hosts && shadowOf(el) !== null) bits = joined(bits, this.bits.get(':host'));
    if (!el.hasAttributes()) return bits;
    const classes = el.getAttribute('class');
    if (classes) bits = joined(bits, this.byClasses.get(classes) ?? this.ofClasses(classes));
    for (const name of plain ? this.bareAttributes : this.attributes) {
      if (el.hasAttribute(name)) bits = joined(bits, this.bits.get('[' + name));
    }
    return this.ids && el.id !== '' ? joined(bits, this.bits.get('#' + el.id.toLowerCase()) ?? 0) : bits;
  }

  ofTag(tag) {
    return remembered(this.byTag, tag, () => joined(this.bits.get('*') ?? 0, this.bits.get(tag.toLowerCase()) ?? 0));
  }

  ofClasses(classes) {
    const names = classes.toLowerCase().split(/[ \t\n\r\f]+/);
    if (this === filed) names.forEach(meetClass);
    return remembered(this.byClasses, classes, () => names.reduce((bits, name) => joined(bits, this.bits.get('.' + name) ?? 0), 0));
  }
}

const MOST_ATTRIBUTES = 12; // if rules require more attributes, they count as rules for all elements

const filed = new Filing();      // rules that require something of the element itself
const filedBelow = new Filing(); // rules that require something of the element's parent
for (const tag of words('ul ol menu dir dl dd blockquote figure fieldset')) filed.file(tag, pads('40px'), null); // browsers themselves give these elements such a padding or margin

// A style sheet of another site cannot be read. If there is one, every element is asked for its
// computed style.
let unread = false;         // whether there is a sheet that cannot be read
const filedSheets = new WeakSet();
const byInline = new Map(); // the value of a style attribute -> bits
const MOST_STYLES = 20000;  // maximum size of a cache such as byInline

// fileSheet files the rules of a style sheet by what they require, see Filing.
function fileSheet(sheet) {
  if (filedSheets.has(sheet)) return;
  filedSheets.add(sheet);
  if (sheet === UNREADABLE) {
    file('*', ANYTHING);
    for (const trait of traits) trait.add('');
    fileColor(backgroundColors, ANY_COLOR, '*');
    unread = fadingFilters = clipsContents = true;
  } else for (const { list } of sheet.lists) for (const rule of list) {
    if (rule.style !== undefined) fileRule(rule);
    else if (typeof rule.initialValue === 'string') declareVariable(rule.name, rule.initialValue); // @property
  }
}

function fileRule(rule) {
  const { style } = rule, { cssText } = style, selector = ruleSelector(rule);
  if (cssText.includes('--')) declareVariables(style);
  if (selector === '') return; // @font-face, @page, a keyframe
  const found = { selector, cssText, color: style.color, background: style.backgroundColor || style.background };
  if (!cssText.includes('var(')) {
    fileDeclarations(found);
    return;
  }
  const key = selector + cssText;
  if (withVariables.has(key)) return;
  withVariables.add(key);
  unfiled.add(found);
  unsettled = true;
}

// Declarations with variables are filed after all sheets were read, and again when one of these
// variables gets another value.
const withVariables = new Set(); // selector and declarations of each rule with variables that was met so far
const unfiled = new Set();       // rules that are not filed yet
let filing = null;               // the rule that is being filed

// fileAgain records that these rules with variables must be filed again, and that style attributes
// must be read again.
function fileAgain(rules) {
  for (const found of rules) if (found !== null) unfiled.add(found);
  byInline.clear();
  unsettled = true;
}

function fileDeclarations({ selector, cssText, color, background }) {
  const widest = [0, 0, 0, 0];
  let bits = hidingBits(cssText, widest);
  for (const trait of declaredTraits) trait.add(selector);
  const adorns = /:(before|after)/.test(selector) && PAINTS.test(cssText);
  if (bits === 0 && !adorns) return;
  const ofText = bits & COLORS && !(bits & FILLS) ? literals('color', color, 'color') : null;
  const behind = bits & BACKGROUNDS ? literals('background', background, 'background-color') : null;
  if (ofText !== null) bits &= ~COLORS;
  if (behind === null && bits & BACKGROUNDS) bits |= DARKENS;
  for (const compound of lastCompounds(selector)) {
    const pseudo = compound.text.match(/::?(before|after|first-line|first-letter)$|::(?!slotted|part)/);
    if (pseudo === null) {
      fileWhereMet(compound, required => {
        file(required, bits, widest);
        for (const each of ofText ?? []) fileColor(textColors, each, required);
        if (bits & BACKGROUNDS) for (const each of behind ?? [ANY_COLOR]) fileColor(backgroundColors, each, required);
      });
      continue;
    }
    // The pseudo-element keeps text from the edge of the element in two cases. It stands before the
    // text, or it makes the line of text higher.
    const keeps = !(bits & LEAVES) && (bits & SIZES || bits & (SHIFTS | WIDTHS | MOST_PADS) && /before|first/.test(pseudo[1]));
    const does = (keeps ? MOST_PADS : 0) | (adorns && DECORATION.test(compound.text) ? ADORNS : 0);
    if (does !== 0) fileWhereMet(compound.cut(pseudo.index), required => file(required, does));
  }
}

// Most rules of a framework are about the content of elements with some class that the page lacks.
// An example is a class for text from right to left. So a rule is filed only when such an element
// was met. The walk meets an element before its content.
const metClasses = new Set();
const waiting = new Map(); // class -> functions to call once it is met

// fileWhereMet calls fileAs for each requirement that can make a compound (a part of a selector,
// see selectors.js) match. It does so at once, or later when the walk has met elements that match
// the compounds around it.
function fileWhereMet(compound, fileAs) {
  for (const around of compound.around) {
    const classes = requiredBy(around);
    if (classes.some(required => required[0] !== '.' || metClasses.has(required.slice(1)))) continue;
    for (const required of classes) listed(waiting, required.slice(1)).push(() => fileWhereMet(compound, fileAs));
    return;
  }
  requiredBy(compound).forEach(fileAs);
}

// meetAround meets the ancestors of an element that the walk reads at another place because of
// aria-owns.
function meetAround(el) {
  for (let up = parentOf(el); up !== null; up = parentOf(up)) hidingOf(up, up.localName);
}

function meetClass(name) {
  if (metClasses.has(name)) return;
  metClasses.add(name);
  for (const file of waiting.get(name) ?? []) file();
  waiting.delete(name);
}

// Text is compared with what is behind it only if something on the page has a background of the
// text's color. Most colors of text are unlike all backgrounds. So the colors that rules give are
// kept, for text and for backgrounds, each with what the rules require.
const textColors = new Map(), backgroundColors = new Map();
let unsettled = false; // whether colors were added since the last comparison, or something is not filed yet
let resettled = false; // whether settle was called during this walk: the walk has read ancestors before, with bits that may lack COLORS

const ANY_COLOR = 'any'; // a color that cannot be determined from the rule alone

// A color in which one of these words occurs depends on other styles of the element. The last two
// lines are colors of the system, which the color scheme changes. No other color has these words.
const DEPENDS = new RegExp('^(inherit|initial|unset|revert|revert-layer)$|currentcolor|light-dark|contrast-color|^-'
  + '|accent|active|appworkspace|background|border|button|canvas|caption|field|highlight|info|mark|menu|scrollbar|selected|text'
  + '|threed|window', 'i');
const NO_NEW_BACKGROUND = /^(|initial|inherit|unset|transparent)$/; // '' stands for a rule that declares only a background image

// literals returns the colors that a declaration, or a shorthand, may give to a property. It
// returns null if the color depends on something else.
function literals(declared, written, property) {
  let values = written.includes('var(') ? possibleValues(declared, written, property) : [written];
  if (values !== null && property === 'background-color') values = values.filter(value => !NO_NEW_BACKGROUND.test(value));
  return values?.some(value => value === '' || COMPUTED.test(value) || DEPENDS.test(value)) ? null : values;
}

function fileColor(colors, color, ...required) {
  unsettled = true;
  if (!colors.has(color)) colors.set(color, new Set());
  for (const each of required) colors.get(color).add(each);
}

// fileBackground adds the background of a single element, from a style attribute or a computed
// style, to those that are compared with colors of text.
function fileBackground({ backgroundColor, background }) {
  const all = literals('background', backgroundColor || background, 'background-color');
  const more = all?.filter(each => !backgroundColors.has(each)) ?? [];
  if (all === null || backgroundColors.size + more.length > MOST_BACKGROUNDS) unlisted = true;
  else for (const each of more) fileColor(backgroundColors, each);
}

const MOST_BACKGROUNDS = 300; // backgrounds, including those of single elements: each is compared with all colors of text
let unlisted = false;         // whether there are more backgrounds than MOST_BACKGROUNDS

// isUnlikeAll reports whether a color differs visibly from all backgrounds, and from the empty
// page.
function isUnlikeAll(written) {
  return !unlisted && (unlikeAll.get(written) ?? remembered(unlikeAll, written, () => isHarmless(rgbaOf(written))));
}

const unlikeAll = new Map(); // a color of text, as written -> whether it differs from all backgrounds
let behindText = [];         // the colors of all backgrounds
let settledCanvas = null;    // the color of the empty page when colors were compared last

function isHarmless(color) {
  return color !== null && color[3] >= FAINT && !backgroundColors.has(ANY_COLOR) && !behindText.some(c => looksLike(mixed(color, c), c));
}

// settle files the rules that are not filed yet, and compares all colors of text and backgrounds.
// It files a color of text as COLORS if it is close to the color of a background. It files a
// background as DARKENS if it is close to the color that text has by default.
function settle() {
  for (filing of unfiled) fileDeclarations(filing);
  filing = null;
  unfiled.clear();
  unsettled = false;
  resettled = true;
  const canvas = canvasColor(), plain = canvas === UNKNOWN ? [] : [canvas];
  const text = canvas === UNKNOWN ? null : canvas[0] > 127 ? [0, 0, 0, 1] : [255, 255, 255, 1];
  settledCanvas = canvas;
  behindText = [...plain];
  unlikeAll.clear();
  for (const [written, all] of backgroundColors) {
    const color = written === ANY_COLOR ? null : rgbaOf(written);
    const seen = color === null ? [] : seenAs(color);
    if (color === null || color[3] > 0) behindText.push(...seen);
    if (color === null || text === null || seen.some(c => looksLike(c, text))) for (const required of all) file(required, DARKENS);
  }
  for (const [written, all] of textColors) {
    if (!isHarmless(rgbaOf(written))) for (const required of all) file(required, COLORS);
  }
}

// seenAs returns the visible colors that a background may have. A transparent one depends on what
// is behind it.
function seenAs(color) {
  return color[3] === 1 ? [color] : [color.with(3, 1), mixed(color, [0, 0, 0, 1]), mixed(color, [255, 255, 255, 1])];
}

// ruleSelector returns the selector of a rule. Declarations that are nested without a selector have
// the selector of the rule around them. In a nested selector, & stands for the selector of the rule
// around it.
function ruleSelector({ selectorText, parentRule }) {
  const outer = parentRule ? ruleSelector(parentRule) : '';
  if (!selectorText) return outer;
  const whole = outer === '' ? selectorText : selectorText.replaceAll('&', `:is(${outer})`);
  return whole.length > LONGEST_SELECTOR ? '*' : whole;
}

const LONGEST_SELECTOR = 50000; // nested rules can make a selector of any length

// file records what rules can do to text, as bits. The parameter required names what the rules
// require of an element. If it begins with '>', they require that of the element's parent. See
// requiredBy.
function file(required, bits, widest = null) {
  if (required[0] === '>') filedBelow.file(required.slice(1), bits, widest);
  else filed.file(required, bits, widest);
}

// Elements that get colors from the browser itself, and attributes that give colors to others. All
// elements of MathML can have such attributes.
const COLORED = words('mark dialog');
const COLORABLE = words('font body table thead tbody tfoot tr td th marquee');
const COLORING = ['color', 'bgcolor', 'background', 'text', 'mathcolor', 'mathbackground'];

// hidingOf returns, as bits, what the styles of an element can do to the text in it. The parameter
// plain says that the element is bare, see dom.js. The parameter place, if given, describes the
// element around el.
function hidingOf(el, tag, plain = false, place = null) {
  if (unsettled) settle();
  let bits = stylesOf(el, tag, plain, place);
  if (unsettled) { // the style attribute of the element has a new variable or background
    settle();
    bits = stylesOf(el, tag, plain, null);
  }
  if (isDrawing(el, tag) || tag === 'foreignObject') bits |= drawnBits(el, tag);
  else if (!plain && isRaised(el, tag)) bits |= ANYTHING | RAISES;
  if (fullscreen && el.matches(':fullscreen')) bits |= ANYTHING | RAISES;
  return inMotion.size > 0 && inMotion.has(el) ? bits | motionBits(el) | ANIMATES : bits;
}

function stylesOf(el, tag, plain, place) {
  let bits = filed.of(el, tag, plain);
  if (filedBelow.bits.size > 0) bits = joined(bits, bitsBelow(el.parentNode, place));
  if (COLORED.has(tag)) bits |= coloredBits(el);
  if (tag === 'mpadded') bits |= SHIFTS; // by attributes
  if (!el.hasAttributes()) return bits;
  const style = el.getAttribute('style');
  if (style) bits = joined(bits, byInline.get(style) ?? remembered(byInline, style, inlineBits));
  return !plain && (COLORABLE.has(tag) || el.namespaceURI === MATHML) && COLORING.some(name => el.hasAttribute(name)) ? bits | coloredBits(el) : bits;
}

function coloredBits(el) {
  fileBackground(getComputedStyle(el));
  return COLORS | LAYERS;
}

// bitsBelow returns, as bits, what rules can do to the text in an element if they require something
// of its parent. The bits are kept in the parent's Place.
function bitsBelow(parent, place) {
  if (place !== null && place.el === parent) return place.below ??= filedBelow.of(parent, place.tag, place.bare);
  if (parent?.nodeType === ELEMENT) return filedBelow.of(parent, parent.localName);
  return parent?.nodeType === FRAGMENT && filedBelow.hosts ? filedBelow.bits.get(':host') : 0;
}

// mayAdorn reports whether ::before or ::after of an element may paint something.
function mayAdorn(el) {
  return unread || (hidingOf(el, el.localName) & ADORNS) !== 0;
}

// Elements of SVG that can contain text, and those of their attributes that are styles.
const DRAWN = words('svg g a text tspan textPath switch use');
const isDrawing = (el, tag) => DRAWN.has(tag) && el.namespaceURI === SVG;
const DRAWING = words('opacity filter clip-path transform letter-spacing overflow fill-opacity color');

// drawnBits returns, as bits, what an element of SVG and its attributes can do to the text in it. The
// element may be a foreignObject, whose text is HTML.
// SVG may draw that text anywhere. The effect of <animate> and the like is only in computed styles.
// If the document has such an element, the result is ANYTHING.
function drawnBits(el, tag) {
  if (metRoots.size > 0 && el.getRootNode() !== document || (drawingsMove ??= document.querySelector(MOVES) !== null)) {
    for (const property of DRAWING) met.add(property);
    return ANYTHING;
  }
  let bits = SHIFTS | TWISTS | (CUTS_OFF.has(tag) ? CLIPS : TEXTUAL.has(tag) ? COLORS : 0);
  for (const name of el.getAttributeNames()) {
    if (name === 'font-size') bits |= SHRINKS;
    else if (PLACING.has(name) && (name === 'textLength' || /\d[\s,]+\S/.test(el.getAttribute(name)))) bits |= INDENTS;
    else if (DRAWING.has(name)) bits |= bitsOf(name, el.getAttribute(name)) & ~MOST_PADS;
  }
  return bits;
}

const TEXTUAL = words('text tspan textPath');
const CUTS_OFF = words('svg foreignObject'); // elements that cut off what is outside of their box
const PLACING = words('textLength x y dx dy'); // attributes that place letters one by one

const MOVES = 'animate,set,animateTransform,animateMotion';
let drawingsMove = null; // whether the page has elements that match MOVES; null: not checked yet in this walk

let fullscreen = false; // whether an element fills the screen, during a walk

// isRaised reports whether an element is painted above the page, as a modal dialog or a popover.
function isRaised(el, tag) {
  return tag === 'dialog' && el.matches(':modal') || el.hasAttribute('popover') && el.matches(':popover-open');
}

// inlineBits returns, as bits, what a style attribute can do to text. The attribute is read in the
// form in which Chromium serializes it, as rules are. A page may write it in capitals, with comments
// and with escapes.
function inlineBits(attribute) {
  scratch.cssText = attribute;
  const style = scratch.cssText;
  if (style.includes('--')) declareVariables(scratch);
  const bits = hidingBits(style);
  for (const trait of declaredTraits) trait.add('');
  if (!(bits & BACKGROUNDS)) return bits;
  scratch.cssText = style; // reading variables has changed it
  fileBackground(scratch);
  return bits | DARKENS;
}

// remembered returns compute(key). A map keeps the results as a cache: one that is full is emptied. What cannot be
// computed again goes to entryOf.
function remembered(cache, key, compute) {
  if (cache.size >= MOST_STYLES && !cache.has(key)) cache.clear();
  return entryOf(cache, key, compute);
}

// entryOf returns what a map has for a key. If it has nothing, the result of make(key) is stored first.
function entryOf(map, key, make) {
  let entry = map.get(key);
  if (entry === undefined) map.set(key, entry = make(key));
  return entry;
}

// listed returns the array that a map has for a key. It is empty at first.
const listed = (map, key) => entryOf(map, key, () => []);
