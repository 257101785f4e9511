// Sliders that are not inputs: keys move them, and aria-valuenow says where they stand.

function isSlider(el) { return el.localName !== 'input' && attributeOf(el, 'role') === 'slider'; }

// isPosition reports whether a text is a position of a slider: a number, or a share of the way
// between its ends, such as 50%.
function isPosition(text) { return isDecimal(text.trim().replace(/%$/, '')); }

// isDecimal reports whether a text is a decimal number: Go does not read 0x10 as one.
function isDecimal(text) { return /\d/.test(text) && !/[xob]/i.test(text) && Number.isFinite(Number(text)); }

const SLIDES = 300; // milliseconds within which a slider reacts to a key
const GLIDES = 1000; // milliseconds within which its thumb then follows

// sliderAt focuses element n, a slider. It returns where the slider stands (now), between which
// ends (min, max) and where its middle is, or what is missing. The parameter before is where the
// slider stood when keys were pressed, '' if none were. After keys, sliderAt first waits until
// the slider has moved and rests. A transition moves its thumb later than its position, and a place
// on the way would not tell how long a step is. The wait ends SLIDES after the keys if the slider
// has not moved, and else GLIDES after it moved. The deadline (by) also ends it.
async function sliderAt(n, before, by) {
  let end = Math.min(by, performance.now() + SLIDES), moved = false;
  for (let last = '', still = 0; before !== '' && still < 2 && performance.now() < end;) {
    const painted = await nextFrame(end); // between two frames, a transition stands still
    const el = element(n) ?? document.body, position = attributeOf(el, 'aria-valuenow'), now = [position, ...middle(el)].join();
    if (!moved && position !== before) {
      moved = true;
      end = Math.min(by, performance.now() + GLIDES);
    }
    still = moved && now === last ? still + painted : 0;
    last = now;
  }
  const el = element(n);
  if (el === null) return { missing: 'gone' };
  if (!inView(...middle(el))) reveal(el, 'center');
  if (focused() !== el) el.focus();
  if (focused() !== el) return { missing: 'unfocusable' };
  const [now, min, max] = ['aria-valuenow', 'aria-valuemin', 'aria-valuemax'].map(name => attributeOf(el, name));
  if (now === null || !isDecimal(now)) return { missing: 'slider' };
  return { says: now, now: Number(now), min: Number(min ?? 0), max: Number(max ?? 100), middle: middlePoint(el) }; // 0 and 100 are the defaults of ARIA
}

Object.assign(chela, { sliderAt });
