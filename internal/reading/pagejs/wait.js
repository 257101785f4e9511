// Waiting in the page for what it shows.

const LOOK_AGAIN = 1000; // milliseconds

// awaitShown waits until this frame shows o.text, or shows an element that o.selector matches, at
// most until the deadline (o.by). If o.gone is true, it waits until the text is not shown any more.
// The answer says whether that has happened (holds). If elements may have a closed shadow root, the
// answer has their number (suspects). Go looks into them and calls again.
//
// A page may add such elements all the time, and Go cannot look into some. With o.last, the answer
// comes with suspects only after LOOK_AGAIN. A text in a closed root is not seen, so while there are
// suspects, it may not be gone. With o.whole, they are only elements that the page has just added:
// they count as if they had no closed root. If the suspects are all that prevents the answer, it says so
// (unopened).
async function awaitShown(o) {
  const called = performance.now();
  for (;;) {
    const began = performance.now();
    const found = roots();
    const met = holds(o, found), now = met && (!o.gone || o.whole || !hosts.length);
    const ended = performance.now(), left = o.by - ended;
    if (now || left <= 0) return { holds: now, unopened: met && !now };
    if (hosts.length && (!o.last || ended - called > LOOK_AGAIN)) return { suspects: hosts.length, unopened: met };
    // A look at a large page takes long. Looking must not take more than a tenth of the page's
    // time, but the wait must still end in time.
    await change(Math.min((ended - began) * 9, left), Math.min(left, 100));
  }
}

function holds(o, roots) {
  if (!isFrameRendered()) return Boolean(o.gone);
  if (o.selector !== undefined) return roots.some(root => [...root.querySelectorAll(o.selector)].some(isShown));
  return shows(folded(o.text)) !== Boolean(o.gone);
}

// shows reports whether the text can be read in this frame.
function shows(text) {
  const { body } = document;
  return body !== null && rendersText(body) && folded(renderedText(body)).includes(text);
}

// isFrameRendered reports whether this document is rendered, as far as that can be known. A frame of
// another origin does not show its element to the document in it.
function isFrameRendered() {
  for (let win = self; win.frameElement; win = win.parent) if (!isRendered(win.frameElement)) return false;
  return document.documentElement?.checkVisibility() === true;
}

// folded returns a text in the form in which texts are compared: as seen, without upper case. The style
// text-transform changes the capitals in innerText, and a snapshot has the letters of the document.
function folded(text) { return asSeen(text).toLowerCase(); }

// roots returns the document and all shadow roots within it. It puts elements that may have a
// closed shadow root into hosts.
function roots() {
  const found = [document];
  hosts = [];
  for (let i = 0; i < found.length; i++) {
    for (const el of found[i].querySelectorAll('*')) {
      const root = shadowOf(el);
      if (root) found.push(root);
      else if (mayHideShadow(el, el.localName)) hosts.push(new WeakRef(el));
    }
  }
  return found;
}

// change waits until the document changes, and then for some more time (least). If no change comes,
// it ends after the larger of two times, least and most. Both are in milliseconds.
function change(least, most) {
  return new Promise(resolve => {
    const observer = new MutationObserver(() => setTimeout(finish, least));
    const timer = setTimeout(finish, Math.max(least, most));
    function finish() {
      observer.disconnect();
      clearTimeout(timer);
      resolve();
    }
    observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  });
}

// selectorError returns what is wrong with a CSS selector, '' if nothing.
function selectorError(selector) {
  try { document.createDocumentFragment().querySelector(selector); return ''; } catch (e) { return e.message.replace(/^Failed to execute .*?: /, ''); }
}

Object.assign(chela, { awaitShown, selectorError });
