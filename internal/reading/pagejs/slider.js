// Sliders that are not inputs: keys move them, and aria-valuenow says where they stand. So are spin
// buttons that take no text, and separators that take the focus, which divide two panes.

function isSlider(el) { return keysOfSlider(el) !== null; }

// keysOfSlider returns the keys that move a slider by a step: one to a greater and one to a smaller
// position. It returns null for any other element.
function keysOfSlider(el) {
  if (el.localName === 'input') return null;
  switch (attributeOf(el, 'role')) {
    case 'slider': return ['ArrowRight', 'ArrowLeft'];
    case 'spinbutton': return takesText(el) ? null : ['ArrowUp', 'ArrowDown'];
    case 'separator':
      if (el.tabIndex < 0) return null;
      return attributeOf(el, 'aria-orientation') === 'vertical' ? ['ArrowRight', 'ArrowLeft'] : ['ArrowDown', 'ArrowUp'];
    default: return null;
  }
}

// isPosition reports whether a text is a position of a slider: a number, or a share of the way
// between its ends, such as 50%.
function isPosition(text) { return isDecimal(text.trim().replace(/%$/, '')); }

// showsWords reports whether a slider says in words where it stands.
function showsWords(el) { return Boolean(attributeOf(el, 'aria-valuetext')?.trim()); }

// isDecimal reports whether a text is a decimal number: Go does not read 0x10 as one.
function isDecimal(text) { return /\d/.test(text) && !/[xob]/i.test(text) && Number.isFinite(Number(text)); }

const SLIDES = 1000; // milliseconds within which a slider reacts to a key
const SLIDES_AGAIN = 300; // milliseconds that a slider gets at least for each key after its first move

let slideTime = SLIDES; // milliseconds within which the slider that is moved now reacts to a key: see sliderRests

// sliderAt focuses element n, a slider. It returns what is missing, or where the slider stands
// (now) and in which words (shows). It also returns the ends (min, max), which keys move the slider and
// where its middle is. The parameter before is where the slider stood when keys were pressed, '' if none were. After keys, sliderAt
// first waits until the slider has moved and rests. Then it waits for the thumb, which a transition
// moves later: a place on the way would not tell how long a step is. The deadline (by) ends both
// waits.
async function sliderAt(n, before, by) {
  if (before === '') {
    slideTime = SLIDES;
  } else {
    await sliderRests(n, before, by);
    if (element(n) !== null) await settled(element(n), by);
  }
  const el = element(n);
  if (el === null) return { missing: 'gone' };
  const unfit = await takeFocus(el, by);
  if (unfit.missing) return unfit;
  const spins = attributeOf(el, 'role') === 'spinbutton';
  const [now, min, max] = ['valuenow', 'valuemin', 'valuemax'].map(name => attributeOf(el, 'aria-' + name));
  if (now === null || !isDecimal(now) || spins && (min === null || max === null)) return { missing: 'slider' };
  return { says: now, shows: squash(attributeOf(el, 'aria-valuetext') ?? ''), now: Number(now), min: Number(min ?? 0), max: Number(max ?? 100), keys: keysOfSlider(el) ?? [], middle: middlePoint(el) }; // 0 and 100 are the defaults of ARIA for a slider; a spin button has none
}

// sliderRests waits until slider n has left the position before, but not longer than slideTime. Then
// it waits for SLIDES at most, until the slider rests. Some sliders show a key late, and several keys
// one after the other. So the rest lasts for two frames, and for the time that the first move took.
//
// Once a slider has moved, later keys get three times as long as that move took. Many sliders ignore
// some keys, and each of these would take SLIDES otherwise.
async function sliderRests(n, before, by) {
  const began = performance.now(), stands = () => attributeOf(element(n) ?? document.body, 'aria-valuenow');
  let reaction = new Reaction(slideTime, by), last = before, late = 0, moved = 0;
  for (let still = 0; !reaction.isOver(); still++) {
    await reaction.frame();
    const now = performance.now();
    if (stands() !== last) {
      if (moved === 0) {
        [reaction, late] = [new Reaction(SLIDES, by), now - began];
        slideTime = Math.min(SLIDES, Math.max(SLIDES_AGAIN, 3 * late));
      }
      [last, moved, still] = [stands(), now, 0];
    } else if (moved > 0 && still >= 2 && now - moved >= late) return;
  }
}

// guardSlider lets only element n get keys for ms milliseconds, in all documents of this origin. A key
// that comes after the time notAfter is late.
function guardSlider(n, ms, notAfter) {
  guardBesides(ms);
  guardElement(element(n), ms, notAfter, { each: true });
}

Object.assign(chela, { sliderAt, guardSlider });
