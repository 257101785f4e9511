// Dropping files: finds out whether the page takes the files, and makes sure that only the element
// gets them. The guard swallows input for other elements, see guard.js. For a drop, the guard also
// has these properties:
//
//	drop     how many files are dropped
//	entered  the target of the first event of the drag
//	over     the last dragover event since the last dragTaken, and its target
//	under    the target of the last dragover event before that dragTaken
//	input    the file input that takes the files by itself
//	dropped  whether the page got the drop

const OVER_EVERY = 25; // milliseconds; browsers dispatch dragover again and again while nothing moves

// judgeDrag judges the events of a drag, as judge in guard.js judges those of the mouse. As with a
// press, the page may do what it likes once the drag has entered the element. It may show a drop
// area above everything, for example. But the element must stay where the drop is, unless the page
// has hidden it.
function judgeDrag(event) {
  if (!guard || !event.isTrusted || event.timeStamp > guard.until) return;
  if (guard.element && !guard.drop) return; // the guard is for other input
  const target = targetOf(event);
  if (!guard.seen) judgeBeginning(event, target);
  guard.entered ??= target; // a person may have clicked before the drag: then the guard has seen an event already
  if (guard.passed && hasLeft(event, target)) Object.assign(guard, { passed: false, by: target });
  if (!guard.passed) swallow(event);
  else if (event.type === 'dragover') guard.over = { event, target };
  else if (event.type === 'drop') {
    guard.dropped = true;
    keepFromOpening(event, target);
  }
}

// keepFromOpening keeps the browser from opening files that no listener of the page takes: scripts
// in them would run. The listeners here run after those of the page. The page may stop the event at
// any node, so each node gets a listener. Such a listener prevents the default only if the event
// was stopped at its node, or has come to the window, which is last. So the listeners of the page
// get the event unchanged. On a file input the default is not prevented: there it gives the files
// to the input.
function keepFromOpening(event, target) {
  if (target.localName === 'input' && target.type === 'file' && !target.matches(':disabled')) return;
  const last = e => {
    if (e === event && (e.cancelBubble || e.currentTarget === window)) e.preventDefault();
  };
  addEventListener('drop', last, { once: true });
  for (let n = target; n; n = n.parentNode || n.host) n.addEventListener('drop', last, { once: true });
}

// hasLeft reports whether the guarded element is shown, but is no longer at the position of the
// drag. Some pages let the words in a drop area ignore the mouse meanwhile. No hit test finds
// them then, but their place shows whether they have moved.
function hasLeft(event, target) {
  const el = guard.element, { entered } = guard;
  if (reaches(el, target) || !el.isConnected || !isShown(el)) return false;
  if (ignoresMouse(entered)) return !rectsOf(entered).some(r => isIn(r, event.clientX, event.clientY));
  return !el.getRootNode().elementsFromPoint(event.clientX, event.clientY).some(n => reaches(el, n));
}

// dragEntry returns the middle of the viewport if element n is hidden: some drop areas
// are shown only when files are dragged into the window.
function dragEntry(n) {
  const el = element(n);
  if (!el) return { missing: 'gone' };
  return isShown(el) || widgetOf(el) ? {} : { missing: 'hidden', x: innerWidth / 2, y: innerHeight / 2 };
}

// dragTaken waits for a frame, so that the page can show what it shows during a drag. It returns
// what judgeBeginning noted in the guard. The effect in the answer is what a drop would do now: copy,
// link, move or none, or "" while the target still changes. If the answer has single, the input
// takes only one of the files. After "none" it waits until the next dragover is due, so that Go can
// look again.
async function dragTaken(_, by) {
  await nextFrame(by);
  await nextTask();
  if (!guard?.drop) return { seen: false, passed: false, effect: '' };
  const { over, under, seen, late, passed } = guard;
  Object.assign(guard, { over: null, under: over?.target });
  const input = over && inputUnder(over), single = Boolean(input && !input.multiple && guard.drop > 1);
  guard.input = input;
  const effect = over && over.target === under ? dropEffect(over, input, single) : '';
  if (effect === 'none') await new Promise(resolve => setTimeout(resolve, OVER_EVERY));
  return { seen, late, passed, effect, single, by: guard.by ? describe(guard.by) : '' };
}

function dropEffect({ event }, input, single) {
  if (event.defaultPrevented) return event.dataTransfer.dropEffect;
  return input && !single && !input.matches(':disabled') ? 'copy' : 'none';
}

// inputUnder returns the file input that takes the files dropped on it, or null. It returns null if
// the page has prevented the default.
function inputUnder({ event, target }) {
  return !event.defaultPrevented && target.localName === 'input' && target.type === 'file' ? target : null;
}

// dropped ends the guard and returns whether the page got the drop.
function dropped() {
  const g = guard;
  return { ...unguardHere(), dropped: Boolean(g?.dropped || g?.input?.files.length) };
}

Object.assign(chela, { dragEntry, dragTaken, dropped });
