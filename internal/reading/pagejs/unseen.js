// Unseen: which text a person cannot see, although it is rendered. Pages hide text in this way from
// those who look at them, but not from those who read their markup. They do so to give orders to a
// model, or words to a screen reader. The reasons are called
//
//	transparent   it, or what it is in, has (nearly) no opacity
//	color         it has the color of what is behind it
//	small         the text or its font is less than 2 pixels large, as by scale(0)
//	clipped       it is outside of what a box around it shows, or cut away by a clip-path; or what
//	              it is in draws no text
//	off-screen    it is where no scrolling leads
//
// A text is seen if a part of it can be seen, or if a running animation makes it visible within
// moments. In doubt, as over a picture, a text is seen. What covers a text is not looked for.

const FAINT = 0.05;   // opacity below which nothing is seen
const ALIKE = 1.05;   // contrast (WCAG) below which two colors look the same
const LARGE = 10;     // pixels: minimum size of a large font, see isLarge
const TINY = 2;       // pixels: smaller text looks like a dot at most
// milliseconds; text counts as seen if an animation that shows it ends within this time
const MOMENTS = 2000;

let judges = false;       // whether the walk looks for text that cannot be seen
let unseenTexts = null;   // text nodes found to be hidden, and elements whose ::before or ::after is; null: none
let sights = new Map();   // element -> its Sight, for the ancestors of the element at which a walk begins
let inMotion = new Map(); // animated element -> its animations: those that run, and those that have ended and keep their effect
let scrolled = null;      // see scrolledPage
let textRange = null;     // one range to measure all texts, since Chromium keeps each range up to date until it is collected

// findHiding prepares a walk that finds the text that a person cannot see.
function findHiding() {
  findTinyFonts();
  fullscreen = document.fullscreenElement !== null;
  if (String(canvasColor()) !== String(settledCanvas)) unsettled = true;
  for (const root of [document, ...shadowRoots()]) findMotion(root);
  if (unsettled) settle();
  resettled = false;
}

// findMotion finds the animated elements of a document or shadow root.
function findMotion(root) {
  for (const a of root.getAnimations()) {
    const el = a.effect?.target;
    if (el && a.effect.pseudoElement === null) listed(inMotion, el).push(a);
  }
}

let keptUnseen = []; // what takeUnseen has not returned yet

function keepUnseen(veiled) {
  keptUnseen = [...veiled.map(element), ...unseenTexts ?? []];
}

// takeUnseen returns the next of the nodes whose text the last walk left out, at most as many as the
// parameter says. They are iframes in which nothing can be seen, texts, and elements whose ::before
// or ::after cannot be seen.
chela.takeUnseen = most => keptUnseen.splice(0, most);

// forgetUnseen frees what a walk has found.
function forgetUnseen() {
  judges = false;
  unseenTexts = null;
  sights = new Map();
  inMotion = new Map();
  scrolled = textRange = null;
  beyond = wide = null;
  for (const trait of traits) trait.found = null;
  drawingsMove = usedIds = null;
  forgetPaints();
  canvas = null;
  CANVAS.legible.clear();
}

// showsSoon reports whether a running animation may show text: it ends within MOMENTS, and does not
// make its element transparent.
function showsSoon(a) {
  if (a.playState !== 'running' || animationBits(a) === 0) return false;
  const { endTime, localTime } = a.effect.getComputedTiming();
  if (!((endTime - (localTime ?? 0)) / a.playbackRate <= MOMENTS)) return false;
  const last = a.effect.getKeyframes?.().at(-1)?.opacity;
  return last === undefined || last === 'auto' || !(Number(last) < FAINT);
}

// motionBits returns, as bits, what the animations of an element can do to the text in it.
function motionBits(el) {
  return inMotion.get(el).reduce((bits, a) => bits | animationBits(a), 0);
}

// animationBits returns, as bits, what an animation can do to text. Each one is asked for its keyframes. Those of the same
// name may differ: shadow trees have their own, and scripts replace them.
function animationBits({ effect }) {
  if (!effect.getKeyframes) return ANYTHING;
  let bits = 0;
  for (const property of new Set(effect.getKeyframes().flatMap(Object.keys))) bits |= changingBits(property);
  return bits & BACKGROUNDS ? bits | DARKENS : bits;
}

// changingBits returns, as bits, what a property can do to text, whatever its value is. The
// property is spelled as in keyframes, such as backgroundColor.
function changingBits(property) {
  if (property.startsWith('--')) return ANYTHING;
  if (property === 'offset') return 0; // the place of the keyframe in the animation; the property is called cssOffset
  return DOES.get(property.replace(/^cssO/, 'o').replace(/^webkit|[A-Z]/g, part => '-' + part.toLowerCase()))?.('var(--any)') ?? 0;
}

// A Sight holds all that decides whether the text in an element is seen. Most elements share the
// sight of the element around them.
class Sight {
  constructor(up) {
    this.gone = up.gone;         // why no text in the element is seen
    this.motion = up.motion;     // the innermost animated element (el) and the animated elements around it (around); null: none
    this.alpha = up.alpha;       // opacity, multiplied with that of all elements around
    this.may = up.may;           // what the elements around can do to a text, as bits of LASTING
    this.background = up.background; // the innermost background
    this.tint = up.tint;         // filters and blend modes of the element and its ancestors, see tint.js; null: none
    this.blur = up.blur;         // blur in pixels
    this.shadows = up.shadows;   // shadows that filters add
    this.turn = up.turn;         // rotations and scales of the element and its ancestors, see squeeze.js; null: none
    this.bounds = up.bounds;     // the boxes that clip the element's contents, see clip.js
  }

  // clip is the innermost box that clips the content of the element, null if none does.
  get clip() {
    return this.bounds.clip;
  }
}

// LASTING has the bits for what the styles of an element can do to text in the elements inside it.
const LASTING = COLORS | FILLS | SHRINKS | SHIFTS | INDENTS | TWISTS | CLIPS;

const OPEN = new Sight({ gone: '', motion: null, alpha: 1, may: 0, background: CANVAS, tint: null, blur: 0, shadows: [], turn: null, bounds: UNBOUND });

// raisedIn returns the Sight around an element that is painted above the page, such as a dialog.
// The element has the text styles of the elements around it. Nothing else of the elements around it
// matters.
function raisedIn({ may }) {
  return new Sight({ ...OPEN, may: may & (COLORS | FILLS | SHRINKS), background: NO_BACKGROUND, bounds: UNBOUND_FIXED });
}

// sightOf returns the sight of a place.
function sightOf(place) {
  if (place.sight !== null) return place.sight;
  const { el, tag, parent } = place;
  if (parent !== null && isOwned(el)) meetAround(el);
  const up = parent === null ? sightAround(el) : sightOf(parent), bits = place.bits = hidingOf(el, tag, place.bare, parent);
  return place.sight = (bits & ~MOST_PADS) === 0 ? up : within(up, place, bits);
}

// sightAround returns the Sight of the parent of the element at which a walk begins.
function sightAround(el) {
  const parent = parentOf(el);
  if (parent === null) return OPEN;
  if (!sights.has(parent)) sights.set(parent, within(sightAround(parent), placeOf(parent), hidingOf(parent, parent.localName)));
  return sights.get(parent);
}

// within returns the Sight of the element in a place. It is made from the Sight of the element
// around it (up) and from what the element's own styles can do to text (bits).
function within(up, place, bits) {
  if (bits & DARKENS || resettled && bits & BACKGROUNDS) bits |= COLORS;
  if (bits & PUSHES && pushesCount() || bits & ALIGNS && alignsBefore(place.el, bits, up.may)) bits |= SHIFTS;
  const matters = FADES | SHAPES | BACKGROUNDS | REDRAWS | CLIPS | RAISES | LASTING & ~up.may
    | ((up.may | bits) & (CLIPS | SHIFTS) ? STANDS | HOLDS : 0);
  const moves = (bits & ANIMATES) !== 0;
  if ((bits & matters) === 0 && !moves) return up;
  const { el, tag, style, display } = place;
  if (bits & RAISES) up = raisedIn(up);
  const s = new Sight(up);
  if (moves) s.motion = { el, around: s.motion };
  s.may |= bits & (COLORS | FILLS | SHRINKS | TWISTS | INDENTS);
  if (display === 'contents') return s; // the element has no box, and the rest is about boxes
  s.may |= bits & LASTING;
  if (bits & FADES) s.alpha *= opacityOf(style);
  if (bits & SHAPES && (showsNoContent(style) || isCutAway(el, style, up.turn !== null))) s.gone ||= 'clipped';
  if (bits & REDRAWS && bits & HOLDS) redraw(s, el, style);
  if (bits & BACKGROUNDS) s.background = new Background(place, s.background, (bits & REDRAWS) !== 0);
  if (bits & (CLIPS | STANDS | HOLDS)) s.bounds = new Bounds(s.bounds, bits, el, tag, style, display);
  return s;
}

// redraw changes a Sight by the filter, blend mode, rotation and scale of its element.
function redraw(s, el, style) {
  const filter = declares('filter') ? style.filter : 'none', filtered = filter === 'none' ? null : filterOf(filter);
  const mode = declares('mix-blend-mode') ? style.mixBlendMode : 'normal';
  if (filtered !== null) {
    s.blur = Math.hypot(s.blur, filtered.blur);
    if (filtered.shadows.length > 0) s.shadows = s.shadows.concat(filtered.shadows);
  }
  const tints = filtered !== null && (filtered.colors !== '' || !filtered.isKnown);
  if (tints || mode !== 'normal') s.tint = new Tint(el, mode, filtered ?? filterOf('none'), s.background, s.tint);
  s.turn = turnIn(style, s.turn);
  if (declares('z-index') && Number(style.zIndex) < 0 && style.position !== 'static' && isUnderBackground(el, s.background)) s.gone ||= 'clipped';
}

function opacityOf(style) {
  const filtered = fadingFilters ? [...style.filter.matchAll(/opacity\(([\d.e-]+)\)/g)] : [];
  return filtered.reduce((opacity, [, factor]) => opacity * Number(factor), Number(style.opacity));
}

// unseenIn returns why a text of an element (place) is not seen, '' if it is seen. The text is node
// or, if node is null, all text in the element.
function unseenIn(place, node) {
  const s = sightOf(place);
  if (!drawsText(place.el)) return 'clipped';
  if (place.el.namespaceURI === MATHML && fontSizeOf(place.style) < TINY) return 'small'; // by attributes, or in many indices
  return s === OPEN ? '' : unlessShownSoon(s, unseenAtAll(s, place) || unseenByPlace(s, place, node));
}

// drawsText reports whether an element draws the text directly in it. MathML does so in five
// elements only.
function drawsText(el) {
  switch (el.namespaceURI) {
    case SVG: return el.localName === 'foreignObject' || drawsTextOfDrawing(el);
    case MATHML: return LETTERS.has(el.localName);
  }
  return true;
}

const LETTERS = words('mi mn mo ms mtext');

// drawsTextOfDrawing does the same for an element of SVG. SVG draws only what is in a text element,
// and of a switch only one child. What is in a marker or the like is drawn where another element
// uses it, if any does.
function drawsTextOfDrawing(el) {
  const text = el.localName === 'a' ? el.closest('text,tspan,textPath') : el;
  return text !== null && TEXTUAL.has(text.localName) && text.getNumberOfChars() > 0 && text.closest('marker,pattern,mask,clipPath') === null
    && (text.closest('defs,symbol') === null || isUsed(text)) && (text.closest('textPath') === null || hasDrawnLetter(text));
}

// isUsed reports whether an element of SVG is in one that a use element may draw.
function isUsed(element) {
  if (usedIds === null) {
    const uses = [document, ...shadowRoots()].flatMap(root => [...root.querySelectorAll('use')]);
    usedIds = new Set(uses.map(use => use.href?.baseVal?.replace(/^.*#/s, '')));
    usedIds.delete('');
  }
  return closest(element, el => usedIds.has(el.id)) !== null;
}

let usedIds = null; // the ids that use elements refer to; null: not looked for yet in this walk

// hasDrawnLetter reports whether a text on a path has a letter that is drawn. A letter beyond the
// ends of the path is not, and has no size. It looks at the first MOST_ON_PATH letters.
function hasDrawnLetter(text) {
  for (let i = Math.min(text.getNumberOfChars(), MOST_ON_PATH) - 1; i >= 0; i--) if (text.getExtentOfChar(i).width > 0) return true;
  return text.getNumberOfChars() > MOST_ON_PATH;
}

const MOST_ON_PATH = 500;

// unlessShownSoon returns why a text is not seen. It returns '' if a running animation shows the
// text within MOMENTS.
function unlessShownSoon(s, why) {
  if (why === '') return '';
  for (let motion = s.motion; motion !== null; motion = motion.around) if (inMotion.get(motion.el).some(showsSoon)) return '';
  return why;
}

// isTinyFrame reports whether an iframe leaves its document no room.
function isTinyFrame(el) { return innerSize(el) <= 1; }

// innerSize returns the width or the height of an iframe's document in pixels, whichever is less.
function innerSize(el) {
  const { paddingLeft, paddingRight, paddingTop, paddingBottom } = getComputedStyle(el);
  return Math.min(el.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight), el.clientHeight - parseFloat(paddingTop) - parseFloat(paddingBottom));
}

const SMALL_FRAME = 6; // pixels: nobody can read a line of text in a smaller frame

// unseenFrame returns why the content of an iframe is not seen, '' if it is.
function unseenFrame(place) {
  return innerSize(place.el) * place.el.currentCSSZoom < SMALL_FRAME ? 'small' : unseenWhole(place);
}

// unseenWhole returns why nothing in an element, whatever it shows, is seen; '' if it is.
function unseenWhole(place) {
  const s = sightOf(place);
  if (s === OPEN) return '';
  const why = s.gone || (s.alpha < FAINT || s.blur > LARGE ? 'transparent' : s.tint !== null && !differsInTint(s, BLACK, null, WHITE) ? 'color'
    : unseenBox(s, place.el.getBoundingClientRect()));
  return why === PARTLY ? '' : unlessShownSoon(s, why);
}

// unseenAtAll returns why no text directly in an element (place) is seen, '' if there is no such
// reason.
function unseenAtAll(s, place) {
  if (s.gone !== '') return s.gone;
  if (s.alpha < FAINT) return 'transparent';
  if (s.may & SHRINKS && !isLarge(place) && fontSizeOf(place.style) < TINY) return 'small';
  if (s.turn !== null && !(s.turn.least * LARGE >= TINY && isLarge(place)) && s.turn.least * fontSizeOf(place.style) < TINY) return 'small';
  if (s.blur > 0 && s.blur > fontSizeOf(place.style) / 2) return 'transparent';
  return s.may & COLORS || s.tint !== null ? unseenByColor(s, place) : '';
}

// isLarge reports whether the font of an element (place) is so large that only styles with the bit
// SHRINKS can make it tiny.
function isLarge(place) {
  const { parent, bits, style } = place;
  return place.large ??= parent === null || bits & SHRINKS ? fontSizeOf(style) >= LARGE : isLarge(parent);
}

// unseenByPlace returns why a text is not seen because of where it is, '' if it is seen. Asking for
// the rectangles of a text is more expensive than asking for the rectangle of its element. The
// latter is enough if all of the element is seen and the text is not moved out of it.
function unseenByPlace(s, place, node) {
  const shifted = (s.may & (SHIFTS | INDENTS)) !== 0;
  if (s.may & INDENTS && isDense(place, node)) return 'small';
  if (!shifted && !(s.may & CLIPS) || beginsInSight(s, place, node) || isDrawnInSight(s, place) || isInSight(s, place, node)) return '';
  const { el } = place, { clip } = s;
  if (!shifted && clip === null) return '';
  const own = clip !== null && clip.el === el, inBox = !(s.may & INDENTS) && !(own && clip.mayCut) && !mayBeOutside(place, node);
  if (inBox && !shifted && !(own ? clip.up?.cuts : clip.cuts)) return '';
  const box = inBox || own ? rectOf(place) : null;
  if (inBox && unseenBox(s, box, own ? clip.up : clip) === '') return '';
  if (own && !clip.scrollsX && !clip.scrollsY && (box.width < TINY || box.height < TINY)) return 'clipped';
  textRange ??= document.createRange();
  if (node === null) textRange.selectNodeContents(el);
  else textRange.selectNode(node);
  let why = '';
  for (const box of textRange.getClientRects()) {
    why = unseenBox(s, box);
    if (why === '' || why === PARTLY) return '';
  }
  return why;
}

// unseenPseudo returns why the text of ::before or ::after of an element (place) is not seen, '' if
// it is seen.
function unseenPseudo(place, style) {
  const around = sightOf(place);
  return unlessShownSoon(around, unseenDecoration(around, place.el, style));
}

// The rectangles of text by ::before or ::after cannot be found, so it counts as being where its
// element is.
function unseenDecoration(around, el, style) {
  const s = new Sight(around);
  s.alpha *= opacityOf(style);
  if (isCutAway(el, style) || cutsOffAll(style)) return 'clipped';
  if (isMovedFar(el, style)) return 'off-screen';
  s.blur = Math.hypot(s.blur, filterOf(style.filter).blur);
  if (style.display !== 'inline') s.turn = turnIn(style, s.turn);
  s.may |= COLORS | FILLS | SHRINKS;
  s.background = new Background({ el, style }, s.background, true);
  const why = unseenAtAll(s, { el, tag: '', style, parent: null, bits: 0, sight: s });
  if (why !== '' || !(s.may & SHIFTS) && s.clip === null) return why;
  const where = unseenBox(s, el.getBoundingClientRect());
  return where === PARTLY ? '' : where;
}

// cutsOffAll reports whether the styles of a ::before or ::after leave no room for its text.
function cutsOffAll({ overflow, width, height }) {
  return overflow !== 'visible' && Math.min(parseFloat(width), parseFloat(height)) < TINY;
}

// isMovedFar reports whether the styles of a ::before or ::after of an element move its text where
// no scrolling leads. That is far to the left or upwards. If the text does not scroll with the page,
// it is also beyond the window.
function isMovedFar(el, style) {
  const { position, display, transform } = style, across = [style.marginLeft], down = [];
  if (position !== 'static') {
    across.push(style.left);
    down.push(style.top);
  }
  if (display !== 'inline') {
    const { e, f } = transform === 'none' ? NOT_MOVED : new DOMMatrix(transform), [x, y] = style.translate.split(' ');
    across.push(style.textIndent, x, e);
    down.push(style.marginTop, y, f);
  }
  const moves = lengths => lengths.map(length => parseFloat(length) || 0);
  if (Math.min(...moves(across), ...moves(down)) < -FAR) return true;
  const beyond = Math.max(...moves(across)) >= innerWidth || Math.max(...moves(down)) >= innerHeight;
  return beyond && position === 'fixed' && closest(el, each => holdsFixed(getComputedStyle(each))) === null;
}

const NOT_MOVED = { e: 0, f: 0 };
const FAR = 500; // pixels to the left or above; a ::before or ::after at this distance from its element is meant to be unseen
