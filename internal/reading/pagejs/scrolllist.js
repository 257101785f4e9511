// Scrolling through a list to options that are not rendered yet.

// scrollThrough scrolls a list from its beginning towards its end, until the option is rendered. It
// returns the options that were found, or how the search ended (end). That is late if the deadline
// (by) came before the end of the list. It is back if the list does not stay where it was scrolled to.
async function scrollThrough(list, value, known, by) {
  const box = scrollerOf(list);
  if (box === null) return {};
  for (let top = 0, reached = -1;;) {
    const before = list.textContent;
    if (await scrollBox(box, top)) await rowsRendered(list, box, before, by);
    const found = matchesIn(list, value, known);
    if (found) return { found };
    if (performance.now() >= by) return { end: 'late' };
    if (!list.isConnected) return {};
    if (box.scrollTop <= reached) return { end: 'back' };
    reached = box.scrollTop;
    if (reached + box.clientHeight >= box.scrollHeight - 1 && !await grows(box, by)) return {};
    top = reached + box.clientHeight * .9;
  }
}

const LATE = 50; // milliseconds by which a scroll event may be late

// scrollBox scrolls a box and waits for its scroll event. It reports whether the box has moved.
//
// A virtual list renders other rows when it gets that event. Chromium sends it with the next frame.
// Few frames are painted in a window behind others, or on a machine under load: there the next one
// is hundreds of milliseconds away. A long list would take longer than a call may. So if the event
// is late, scrollBox dispatches one. That event only makes the list look at its position. The click
// on the option is trusted input from Chromium.
async function scrollBox(box, top) {
  const before = box.scrollTop;
  box.scrollTo({ top, behavior: 'instant' });
  if (box.scrollTop === before) return false;
  await new Promise(resolve => {
    const late = setTimeout(() => { box.dispatchEvent(new Event('scroll')); resolve(); }, LATE); // the page may keep the event from the listener
    box.addEventListener('scroll', () => { clearTimeout(late); resolve(); }, { once: true });
  });
  return true;
}

// rowsRendered waits until a list that was scrolled shows the rows of its new place. A list may
// have to fetch its rows, so the wait ends after UNCHANGED or at the deadline (by). Some lists
// render in the scroll event, others in a task or an animation frame after it. So the text of the
// list must have changed since before the scroll, or two frames must have been painted. The text
// alone is not enough: a list that has all its rows in the document has the same text wherever it
// is scrolled to.
async function rowsRendered(list, box, before, by) {
  const reaction = new Reaction(UNCHANGED, by);
  for (let frames = 0; !reaction.isOver();) {
    if ((frames >= 2 || list.textContent !== before) && reachesEdge(list, box)) return;
    if (await reaction.frame()) frames++;
  }
}

// reachesEdge reports whether there is an option in the last fifth of what a box shows.
// The rows that a virtual list had before it was scrolled are above that.
function reachesEdge(list, box) {
  const options = optionsOf(list), { top, height } = box.getBoundingClientRect();
  return options.length === 0 ? wordsIn(list).length > 0 : options.some(option => boxOf(option).bottom > top + height * .8);
}

// grows waits until a list has loaded more at its end, and reports whether it did.
async function grows(box, by) {
  const height = box.scrollHeight;
  for (const reaction = new Reaction(UNCHANGED, by); !reaction.isOver();) {
    if (box.scrollHeight !== height) return true;
    await reaction.frame();
  }
  return false;
}

// scrollerOf returns the box that scrolls a list: the list itself, a box in it or a box around it.
function scrollerOf(list) {
  const scrolls = el => el.clientHeight > 20 && el.scrollHeight > el.clientHeight + 1 && /auto|scroll|hidden/.test(getComputedStyle(el).overflowY);
  if (scrolls(list)) return list;
  for (const el of flat(list)) if (scrolls(el)) return el;
  for (let up = parentOf(list), i = 0; up && up !== document.body && i < 3; up = parentOf(up), i++) if (scrolls(up)) return up;
  return null;
}
