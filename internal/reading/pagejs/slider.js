// Sliders that are not inputs: keys move them, and aria-valuenow says where they stand.

function isSlider(el) { return el.localName !== 'input' && attributeOf(el, 'role') === 'slider'; }

// isPosition reports whether a text is a position of a slider: a number, or a share of the way
// between its ends, such as 50%.
function isPosition(text) { return isDecimal(text.trim().replace(/%$/, '')); }

// isDecimal reports whether a text is a decimal number: Go does not read 0x10 as one.
function isDecimal(text) { return /\d/.test(text) && !/[xob]/i.test(text) && Number.isFinite(Number(text)); }

const SLIDES = 300; // milliseconds within which a slider reacts to a key

// sliderAt focuses element n, a slider. It returns where the slider stands (now), between which
// ends (min, max) and where its middle is, or what is missing. The parameter before is where the
// slider stood when keys were pressed, '' if none were. After keys, sliderAt first waits until
// the slider has moved and rests, but not longer than SLIDES. Then it waits for the thumb, which a
// transition moves later: a place on the way would not tell how long a step is. The deadline (by)
// ends both waits.
async function sliderAt(n, before, by) {
  const reaction = new Reaction(SLIDES, by), stands = () => attributeOf(element(n) ?? document.body, 'aria-valuenow');
  for (let last = '', still = 0; before !== '' && still < 2 && !reaction.isOver(); last = stands()) {
    await reaction.frame();
    still = stands() !== before && stands() === last ? still + 1 : 0;
  }
  if (before !== '' && element(n) !== null) await settled(element(n), by);
  const el = element(n);
  if (el === null) return { missing: 'gone' };
  const unfit = await takeFocus(el, by);
  if (unfit.missing) return unfit;
  const [now, min, max] = ['aria-valuenow', 'aria-valuemin', 'aria-valuemax'].map(name => attributeOf(el, name));
  if (now === null || !isDecimal(now)) return { missing: 'slider' };
  return { says: now, now: Number(now), min: Number(min ?? 0), max: Number(max ?? 100), middle: middlePoint(el) }; // 0 and 100 are the defaults of ARIA
}

// guardSlider lets only element n get keys for ms milliseconds, in all documents of this origin. A key
// that comes after the time notAfter is late.
function guardSlider(n, ms, notAfter) {
  guardBesides(ms);
  guardElement(element(n), ms, notAfter, { each: true });
}

Object.assign(chela, { sliderAt, guardSlider });
