// Squeeze: text that is too small to be read because of its font, or because its element is rotated
// or scaled. Text whose letters lie on each other also counts.

// fontSizeOf returns how large the letters of a font are, in pixels.
function fontSizeOf(style) {
  const size = parseFloat(style.fontSize);
  return declares('font-size-adjust') ? size * adjustmentOf(style) : size;
}

// adjustmentOf returns the factor by which font-size-adjust makes letters larger or smaller. It
// assumes that the x-height of the font is half of its size, as in most fonts.
function adjustmentOf({ fontSizeAdjust = 'none', fontFamily }) {
  const wanted = /\d[\d.]*(e-?\d+)?$/.exec(fontSizeAdjust), adjusted = wanted === null ? 1 : Number(wanted[0]) / 0.5;
  return adjusted * (tinyFonts.get(firstFamily(fontFamily)) ?? 1);
}

const tinyFonts = new Map(); // families whose letters are smaller than in other fonts -> the factor
const SMALL_FONT = 0.25;     // fonts with a smaller factor are tiny

// findTinyFonts finds the tiny fonts of the page. No page uses them for text that is to be read.
function findTinyFonts() {
  for (const { family, sizeAdjust } of document.fonts) {
    const factor = parseFloat(sizeAdjust) / 100, name = firstFamily(family);
    if (!(factor < SMALL_FONT) || tinyFonts.has(name)) continue;
    tinyFonts.set(name, factor);
    file('*', meeting('font-size-adjust', SHRINKS));
  }
}

const firstFamily = families => families.split(',')[0].replace(/["']/g, '').trim().toLowerCase();

// ownTransform returns how an element is turned, scaled and moved by itself.
function ownTransform({ rotate, scale, transform }) {
  const own = new DOMMatrix();
  if (rotate !== 'none') own.multiplySelf(rotation(rotate));
  if (scale !== 'none') {
    const [x, y = x, z = 1] = scale.split(' ').map(Number);
    own.scaleSelf(x, y, z);
  }
  return transform === 'none' ? own : own.multiplySelf(new DOMMatrix(transform));
}

// rotation returns the matrix of a computed value of rotate.
function rotation(rotate) {
  const parts = rotate.split(' '), angle = parts.pop();
  const axis = { x: '1,0,0', y: '0,1,0', z: '0,0,1' }[parts[0]] ?? (parts.length === 3 ? parts.join() : '0,0,1');
  return new DOMMatrix(`rotate3d(${axis},${angle})`);
}

// turnIn returns the Turn of the content of an element, given the Turn around the element (up).
// Most transforms only move an element: then the result is the parameter up.
function turnIn(style, up) {
  const { transform } = style, moves = transform === 'none' || transform.startsWith('matrix(1, 0, 0, 1,');
  const asUsual = (property, usual) => !declares(property) || style[property] === usual;
  const plain = moves && asUsual('scale', 'none') && asUsual('rotate', 'none') && asUsual('zoom', '1')
    && (!declares('transform-style') || style.transformStyle === 'flat' && (up === null || !up.isDeep));
  return plain ? up : new Turn(style, up);
}

// A Turn describes how the content of an element is rotated and scaled, by the element and all its
// ancestors.
class Turn {
  constructor(style, up) {
    const own = ownTransform(style);
    if (up === null || !up.isDeep) own.m13 = own.m23 = own.m43 = 0; // a flat element flattens its contents
    this.matrix = up === null ? own : up.matrix.multiply(own);
    if (style.zoom !== '1') this.matrix.scaleSelf(Number(style.zoom));
    this.isDeep = style.transformStyle === 'preserve-3d';
    this.least = leastOf(this.matrix);
  }
}

// leastOf returns the smallest scale of a matrix in any direction: its smaller singular value.
function leastOf({ a, b, c, d }) {
  const half = (a * a + b * b + c * c + d * d) / 2, determinant = a * d - b * c;
  const most = Math.sqrt(half + Math.sqrt(Math.max(0, half * half - determinant * determinant)));
  return most === 0 ? 0 : Math.abs(determinant) / most;
}

// Letters overlap if the distance from one to the next is less than this part of the font size. In
// text of SVG the distance is measured, in other text estimated.
const DENSE = 0.1, DRAWN_DENSE = 0.2;

// isDense reports whether the letters of a text overlap so much that nobody can read it.
function isDense({ el, style }, node) {
  if (el.namespaceURI === SVG && el.getNumberOfChars) return isDrawnDense(el, style);
  const spacing = parseFloat(style.letterSpacing), text = (node ?? el).textContent;
  return spacing < (DENSE - 0.55) * parseFloat(style.fontSize) && text.trim().length > 2 && !/[\u2e80-\uffef]/.test(text);
}

const MOST_LETTERS = 40; // how many letters of a text are looked at

function isDrawnDense(el, style) {
  const letters = Math.min(el.getNumberOfChars(), MOST_LETTERS), at = [];
  for (let i = 0; i < letters; i++) at.push(el.getStartPositionOfChar(i));
  const steps = at.slice(1).map(({ x, y }, i) => Math.hypot(x - at[i].x, y - at[i].y));
  return letters > 3 && steps.reduce((sum, step) => sum + step, 0) / steps.length < DRAWN_DENSE * parseFloat(style.fontSize);
}
