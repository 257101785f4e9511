// Listeners of the page script on the window.
//
// They are added while the page script is loaded, and so before any listener of the page. But the
// same window, with the same page script, can be given another document:
//
//   - A page may write its document again (document.open). That removes all listeners from the
//     window, and gives the document another root element.
//   - A popup's window has an empty document at first. If its first page is of the opener's origin,
//     the page gets this window. The listeners are still there. But the headless shell calls none of
//     them in the capturing phase, until they are added again.

const windowListeners = []; // the arguments of addEventListener, in the order in which they were added

// The document and its root element at the time when the listeners were added last.
let listensIn = document, listensAt = document.documentElement;

// listen adds a listener of some types of events to the window. It must be called while the page
// script is loaded.
function listen(types, listener, options) {
  for (const type of types) {
    windowListeners.push([type, listener, options]);
    addEventListener(type, listener, options);
  }
}

// keepListening adds the listeners again if the window has another document. Those that are called
// keep their place before the listeners of the page.
function keepListening() {
  const root = document.documentElement;
  if (root === listensAt && document === listensIn || root === null) return;
  if (document !== listensIn && !hears(root)) for (const args of windowListeners) removeEventListener(...args);
  for (const args of windowListeners) addEventListener(...args);
  listensIn = document;
  listensAt = root;
}

const trial = 'chela' + Math.random(); // a type of events that no page can know
let heard = false;
listen([trial], () => { heard = true; }, { capture: true });

// hears reports whether the listeners are called for an event of an element.
function hears(el) {
  heard = false;
  el.dispatchEvent(new Event(trial));
  return heard;
}
