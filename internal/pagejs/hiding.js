// Hiding: which elements have styles that can make text invisible. To ask each element
// for its computed style in a dozen properties would take longer than all the rest of
// the walk. So the rules of the style sheets are read once, and each that declares such
// a property is filed under the class, the id or the tag that its selector requires, as
// browsers do to match rules fast. Only an element that has one of these, or declares
// such a property itself, is then asked, and only for what may be declared. A rule may
// turn out not to match: then the element is asked in vain.

const PAINTS = /background(-color|-image)?: (?!none|transparent|initial)|content: *url|(^|[; ])content: *"[^"]*[^"\s]/;

// The rules that were met, by what their selectors require. They are only ever added:
// what a sheet said that is no longer there is asked for in vain. A style sheet of
// another site cannot be read, so everything is asked then.
const filed = new Map(); // .class, #id, tag, :host (of what has a shadow root), * (of all) -> bits
for (const tag of words('ul ol menu dir dl dd blockquote figure fieldset')) filed.set(tag, pads('40px')); // as browsers have it
const filedPads = new Map(); // the same -> the bits of each kind of padding
let filedAll = 0;        // filed.get('*')
let filedIds = false;    // whether any of them is an id
let unread = false;      // whether there is a sheet that cannot be read
const filedSheets = new WeakSet();
const byClasses = new Map(); // the value of a class attribute -> bits; emptied when a rule is filed
const byInline = new Map(); // the value of a style attribute -> bits
const MOST_STYLES = 20000;  // of either map

// fileSheet files the rules of a sheet that was read; see sheets.js.
function fileSheet(sheet) {
  if (filedSheets.has(sheet)) return;
  filedSheets.add(sheet);
  if (sheet === UNREADABLE) {
    file('*', ANYTHING);
    unread = true;
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

// What rules declare with variables is filed once all sheets were read, and again when one
// of these variables is given another value.
const withVariables = new Set(); // selectors with declarations, of all such rules that were met
const unfiled = new Set();       // what was found in those that are to be filed
let filing = null;               // that of the rule that is being filed

// fileAgain has such rules filed once more, and style attributes read.
function fileAgain(rules) {
  for (const found of rules) if (found !== null) unfiled.add(found);
  byInline.clear();
  unsettled = true;
}

function fileDeclarations({ selector, cssText, color, background }) {
  const widest = [0, 0, 0, 0];
  let bits = hidingBits(cssText, widest);
  const adorns = /:(before|after)/.test(selector) && PAINTS.test(cssText);
  if (bits === 0 && !adorns) return;
  const ofText = bits & COLORS && !(bits & FILLS) ? literals('color', color, 'color') : null;
  const behind = bits & BACKGROUNDS ? literals('background', background, 'background-color') : null;
  if (ofText !== null) bits &= ~COLORS;
  if (behind === null && bits & BACKGROUNDS) bits |= DARKENS;
  for (const compound of lastCompounds(selector)) {
    const pseudo = compound.match(/::?(before|after|first-line|first-letter)$|::(?!slotted|part)/);
    if (pseudo !== null && bits & (SHIFTS | WIDTHS | MOST_PADS) && !(bits & LEAVES) && /before|first/.test(pseudo[1])) {
      file(requiredBy(compound.slice(0, pseudo.index)), MOST_PADS); // it may be before the text
    }
    if (pseudo === null) {
      const required = requiredBy(compound);
      file(required, bits, widest);
      for (const each of ofText ?? []) fileColor(textColors, each, required);
      if (bits & BACKGROUNDS) for (const each of behind ?? [ANY_COLOR]) fileColor(backgroundColors, each, required);
    } else if (adorns && DECORATION.test(compound)) file(requiredBy(compound.slice(0, pseudo.index)), ADORNS);
  }
}

// Text is only compared with what is behind it where its color is one that something on
// the page has as background: most colors of text are not. So the colors that rules give
// are kept, those of text and those of backgrounds, each with what the rules require.
const textColors = new Map(), backgroundColors = new Map();
let unsettled = false; // whether they have been added to since they were compared, or there is what was not filed

const ANY_COLOR = 'any'; // what cannot be known from the rule alone

const DEPENDS = /^(inherit|initial|unset|revert|revert-layer)$|currentcolor|light-dark/i;
const NO_BACKGROUND_COLOR = /^(|initial|unset|transparent)$/; // also where only a picture is declared

// literals returns the colors that a property may have by what is declared, which can be a part of
// another. It returns null if they depend on something else.
function literals(declared, written, property) {
  let values = written.includes('var(') ? possibleValues(declared, written, property) : [written];
  if (values !== null && property === 'background-color') values = values.filter(value => !NO_BACKGROUND_COLOR.test(value));
  return values?.some(value => value === '' || COMPUTED.test(value) || DEPENDS.test(value)) ? null : values;
}

function fileColor(colors, color, required) {
  unsettled = true;
  if (colors.has(color)) colors.get(color).add(required);
  else colors.set(color, new Set([required]));
}

// settle files what was not filed yet, for each color of text whether it is close to that of a
// background, and for each background whether it is close to that of text without a color.
function settle() {
  for (filing of unfiled) fileDeclarations(filing);
  filing = null;
  unfiled.clear();
  unsettled = false;
  const canvas = canvasColor(), plain = canvas === UNKNOWN ? [] : [canvas];
  const text = canvas === UNKNOWN ? null : canvas[0] > 127 ? [0, 0, 0, 1] : [255, 255, 255, 1];
  const behind = [...plain];
  for (const [written, all] of backgroundColors) {
    const color = written === ANY_COLOR ? null : rgbaOf(written);
    const seen = color === null ? [] : seenAs(color);
    if (color === null || color[3] > 0) behind.push(...seen);
    if (color === null || text === null || seen.some(c => looksLike(c, text))) for (const required of all) file(required, DARKENS);
  }
  for (const [written, all] of textColors) {
    const color = rgbaOf(written);
    const harmless = color !== null && color[3] >= FAINT && !backgroundColors.has(ANY_COLOR)
      && !behind.some(c => looksLike(mixed(color, c), c));
    if (!harmless) for (const required of all) file(required, COLORS);
  }
}

// seenAs returns the colors as which a background may be seen: those of a transparent one depend
// on what is behind it.
function seenAs(color) {
  return color[3] === 1 ? [color] : [color.with(3, 1), mixed(color, [0, 0, 0, 1]), mixed(color, [255, 255, 255, 1])];
}

// ruleSelector returns the selector of a rule. Declarations nested in a rule have none of
// their own, and one that begins with & requires what that of the rule around it does.
function ruleSelector({ selectorText, parentRule }) {
  const outer = parentRule ? ruleSelector(parentRule) : '';
  if (!selectorText) return outer;
  if (outer === '' || !/(^|,\s*)&(?![\w-])/.test(selectorText)) return selectorText;
  return selectorText.replaceAll('&', outer.includes(',') ? '' : outer);
}

function file(required, bits, widest = null) {
  if (widest !== null && bits & MOST_PADS) bits = bits & ~MOST_PADS | filePads(required, widest);
  const known = filed.get(required) ?? 0, pads = Math.max(known & MOST_PADS, bits & MOST_PADS);
  filed.set(required, (known | bits) & ~MOST_PADS | pads);
  byClasses.clear();
  filedAll = filed.get('*') ?? 0;
  filedIds ||= required[0] === '#';
}

// filePads returns the bits of all paddings that were filed for what rules require, once
// those of a rule are added.
function filePads(required, widest) {
  const known = filedPads.get(required);
  if (known === undefined) filedPads.set(required, [...widest]);
  else widest.forEach((pads, kind) => { known[kind] = Math.max(known[kind], pads); });
  return Math.min(filedPads.get(required).reduce((a, b) => a + b), MOST_PADS);
}

// lastCompounds returns, of each selector in a list, the part behind the last combinator,
// which is about the element itself, without what stands in parentheses and brackets.
function lastCompounds(selectors) {
  const all = [];
  let compound = '', depth = 0, quote = '';
  for (let i = 0; i < selectors.length; i++) {
    const char = selectors[i];
    if (char === '\\') {
      if (depth === 0) compound += char + (selectors[i + 1] ?? '');
      i++;
    } else if (quote !== '') {
      if (char === quote) quote = '';
    } else if (char === '"' || char === "'") quote = char;
    else if (char === '(' || char === '[') depth++;
    else if (char === ')' || char === ']') depth--;
    else if (depth > 0) continue;
    else if (char === ',') {
      all.push(compound);
      compound = '';
    } else if (char === '>' || char === '+' || char === '~' || char === ' ' && selectors[i - 1] !== ',' && compound !== '') compound = '';
    else if (char !== ' ') compound += char;
  }
  all.push(compound);
  return all;
}

// requiredBy returns what an element must have to be selected by a compound selector.
function requiredBy(compound) {
  const name = compound.match(/[#.]((?:\\[0-9a-fA-F]{1,6}\s?|\\.|[\w\u0080-\uffff-])+)/);
  if (name !== null) return name[0][0] + unescapeCSS(name[1]);
  if (compound.startsWith(':root')) return 'html';
  if (compound.startsWith(':host')) return ':host';
  return compound.match(/^[a-zA-Z][\w-]*/)?.[0].toLowerCase() ?? '*';
}

// Elements that browsers themselves give colors, and attributes by which others get some.
const COLORED = words('mark dialog');
const COLORABLE = words('font body table thead tbody tfoot tr td th');
const COLORING = ['color', 'bgcolor', 'background', 'text'];

// hidingOf returns what the styles of an element can do to the text in it.
function hidingOf(el, tag) {
  if (unsettled) settle();
  if (DRAWN.has(tag) && el.namespaceURI === SVG) return ANYTHING;
  let bits = stylesOf(el, tag);
  if (unsettled) { // by a variable in its style attribute
    settle();
    bits = stylesOf(el, tag);
  }
  return inMotion.size > 0 && inMotion.has(el) ? bits | motionBits(el) | ANIMATES : bits;
}

function stylesOf(el, tag) {
  let bits = joined(filedAll, filed.get(tag) ?? 0);
  if (COLORED.has(tag)) bits |= COLORS | BACKGROUNDS | DARKENS;
  if (filed.has(':host') && shadowOf(el) !== null) bits = joined(bits, filed.get(':host'));
  if (!el.hasAttributes()) return bits;
  const classes = el.getAttribute('class'), style = el.getAttribute('style');
  if (classes) bits = joined(bits, remembered(byClasses, classes, classBits));
  if (style) bits = joined(bits, remembered(byInline, style, inlineBits));
  if (COLORABLE.has(tag) && COLORING.some(name => el.hasAttribute(name))) bits |= COLORS | BACKGROUNDS | DARKENS;
  if (anyRaised && el.matches(RAISED)) bits |= ANYTHING | RAISES;
  return filedIds && el.id !== '' ? joined(bits, filed.get('#' + el.id) ?? 0) : bits;
}

// mayAdorn reports whether ::before or ::after of an element may paint something.
function mayAdorn(el) {
  return unread || (hidingOf(el, el.localName) & ADORNS) !== 0;
}

// Elements of SVG in which there can be text.
const DRAWN = words('svg g a text tspan textPath switch use');

let anyRaised = false; // whether an element is painted above the page, during a walk

const RAISED = ':modal,:popover-open,:fullscreen';

function inlineBits(style) {
  if (/--|\\/.test(style)) declareInline(style);
  const bits = hidingBits(style);
  return bits & BACKGROUNDS ? bits | DARKENS : bits;
}

function classBits(classes) {
  let bits = 0;
  for (const name of classes.split(/\s+/)) bits = joined(bits, filed.get('.' + name) ?? 0);
  return bits;
}

// remembered returns compute(key), which is computed once.
function remembered(map, key, compute) {
  let bits = map.get(key);
  if (bits === undefined) {
    if (map.size >= MOST_STYLES) map.clear();
    map.set(key, bits = compute(key));
  }
  return bits;
}
