// Color: whether a text has the color of what is painted behind it.

// unseenByColor returns '' if a text can be distinguished from what is painted behind it, else why
// not: 'color' or 'transparent'.
function unseenByColor(s, place) {
  const { el, style } = place;
  if (isDrawing(el, place.tag)) return unseenDrawing(s, place);
  if (declares('text-security') && style.webkitTextSecurity !== 'none') return 'transparent'; // dots are shown in place of the letters
  const outline = s.may & FILLS ? htmlOutline(style) : null, covered = isCoveredBy(outline, s, place);
  const taken = takenColorOf(place);
  if (!covered && isLegible(s, place, taken)) return '';
  const written = textColorOf(s, style);
  if (!covered && written !== taken && isLegible(s, place, written)) return '';
  const color = rgbaOf(written), clear = color !== null && color[3] * s.alpha < FAINT;
  if (!covered && clear && isFilledByBackground(s, place)) return '';
  if (outline !== null && isSeenAs(s, place, outline) || hasShadow(s, place)) return '';
  if (clear && outline === null) return 'transparent';
  return isPaintedOtherwise(s.background.painter, el, outline !== null && (clear || covered) ? outline.color : color) ? '' : 'color';
}

function textColorOf(s, style) {
  return s.may & FILLS ? style.webkitTextFillColor : style.color;
}

// takenColorOf returns the color of the text in an element (place). An element without a declared
// color takes the color of the text around it. If the declared color is like no background, the
// text can be seen in any case, so settle has recorded no COLORS for it. Then takenColorOf also
// returns the color of the text around it.
function takenColorOf(place) {
  const { parent, bits, tag, sight } = place;
  const takes = parent !== null && !(bits & (COLORS | FILLS)) && !COLORED_BY_BROWSERS.has(tag) && !unlisted && !resettled && !sight.background.layered;
  return place.color ??= takes ? takenColorOf(parent) : textColorOf(sight, place.style);
}

const COLORED_BY_BROWSERS = words('a area table mark dialog');

// isLegible reports whether a text differs visibly from what is behind it. The parameter written is
// the color of the text.
function isLegible(s, place, written, color = rgbaOf(written)) {
  const { background, tint } = s;
  if (color === null || color === UNKNOWN) return true;
  if (color[3] * s.alpha < FAINT) return false;
  const known = tint !== null && tint.outside === background ? tint.legible : background.legible;
  if (known.has(written)) return true;
  if (tint === null && s.motion === null && !background.layered && isUnlikeAll(written)) {
    known.add(written);
    return true;
  }
  const box = background.depends ? boxOfText(place) : null;
  if (!(tint === null ? differs(color, background.seenAt(box)) : differsInTint(s, color, box))) return false;
  if (box === null) known.add(written);
  return true;
}

// differs reports whether a color differs visibly from what is behind a text. Every color counts as
// different from a picture.
function differs(color, behind) {
  return behind === UNKNOWN || !looksLike(mixed(color, behind), behind);
}

// boxOfText returns the box of the text in an element (place).
function boxOfText({ el }) {
  textRange ??= document.createRange();
  const assigned = el.localName === 'slot' && el.assignedNodes ? el.assignedNodes() : [];
  if (assigned.length === 0) textRange.selectNodeContents(el);
  else {
    textRange.setStartBefore(assigned[0]);
    textRange.setEndAfter(assigned.at(-1));
  }
  return textRange.getBoundingClientRect();
}

// isFilledByBackground reports whether the letters of a text without a color of its own show a
// background. An element around the text has that background, clipped to the shape of its text.
function isFilledByBackground(s, place) {
  const filling = declares('background-clip') ? closest(place.el, el => getComputedStyle(el).backgroundClip.includes('text')) : null;
  if (filling === null) return false;
  const style = getComputedStyle(filling), fills = imagesOf(filling, style).concat(fillsOf(style));
  if (fills.some(({ color, place }) => color === UNKNOWN || place !== EVERYWHERE)) return true;
  const color = paintedOver(fills.map(each => each.color), CLEAR);
  return isLegible(s, place, `rgb(${color.slice(0, 3)} / ${color[3]})`, color);
}

const colors = new Map(); // a color, as written in computed styles -> its parts

// rgbaOf returns red, green and blue, 0 to 255, and alpha, 0 to 1, of a computed color; null if the
// text is not one.
function rgbaOf(written) {
  let color = colors.get(written);
  if (color === undefined) {
    const parts = /^rgba?\((.*)\)$/.exec(written)?.[1].split(/[\s,/]+/).map(Number);
    color = parts === undefined ? drawn(written) : [parts[0], parts[1], parts[2], parts[3] ?? 1];
    if (colors.size >= MOST_STYLES) colors.clear();
    colors.set(written, color);
  }
  return color;
}

// drawn does the same as rgbaOf for colors that are not in sRGB, such as oklch(…): it draws the
// color on a canvas.
function drawn(written) {
  return CSS.supports('color', written) ? drawnWith([{ color: written }]) : null;
}

// mixed returns the color that is seen if the color over is painted over the color under.
function mixed(over, under) {
  const alpha = over[3], rest = under[3] * (1 - alpha), both = alpha + rest;
  if (alpha === 1 || both === 0) return over;
  return [0, 1, 2].map(i => (over[i] * alpha + under[i] * rest) / both).concat(both);
}

// looksLike reports whether nobody can distinguish two colors. Most pairs differ so much that their
// contrast need not be computed.
function looksLike(a, b) {
  if (Math.abs(a[0] - b[0]) + Math.abs(a[1] - b[1]) + Math.abs(a[2] - b[2]) > 60) return false;
  const one = luminance(a) + 0.05, other = luminance(b) + 0.05;
  return Math.max(one, other) / Math.min(one, other) < ALIKE;
}

function luminance(color) {
  const [r, g, b] = color.map(c => c <= 10 ? c / 3294.6 : ((c / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
