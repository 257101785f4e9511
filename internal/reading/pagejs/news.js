// News: whether the document shows something else than before. Go reads the page again only then.

let showed = { text: null, version: 0 }; // the text that was seen last, and how many times it has changed
let mutations = 0;
let newsObserver = null;                 // counts mutations from the first awaitNews until endNews; null: none counts
let newsEnds = 0;                        // how many times endNews was called

// awaitNews waits until the document has another version than the given one, at most until the
// deadline (by). It returns the version that the document then has. The first version is 1. If
// endNews was called meanwhile, awaitNews returns 0, because nothing counts mutations any more.
//
// Every mutation makes a new version. Some changes come without a mutation, such as the value of a
// control that a script sets or what a style sheet shows. They are looked for every 100 ms.
async function awaitNews(version, by) {
  for (const ends = newsEnds; ends === newsEnds;) {
    const began = performance.now();
    const now = versionNow();
    const ended = performance.now(), left = by - ended;
    if (now !== version || left <= 0) return now;
    // Reading a large page takes long, and must not take more than a tenth of the page's time.
    await change(Math.min((ended - began) * 9, left), Math.min(left, 100));
  }
  return 0;
}

// endNews makes all pending calls of awaitNews return. A caller that wants to go on waiting calls
// awaitNews again, from version 0.
function endNews() {
  newsEnds++;
  newsObserver?.disconnect();
  newsObserver = null;
}

function versionNow() {
  newsObserver ??= new MutationObserver(list => { mutations += list.length; });
  mutations += newsObserver.takeRecords().length;
  observeWith(newsObserver);
  const text = mutations + shownText();
  if (text !== showed.text) showed = { text, version: showed.version + 1 };
  return showed.version;
}

// shownText returns all text that the document shows, and the states of its controls.
function shownText() {
  let text = '';
  for (const root of [document, ...shadowRoots()]) {
    for (const el of root === document ? [document.body] : root.children) text += '\n' + el?.innerText;
    for (const el of root.querySelectorAll('input,textarea')) text += '\n' + el.value + el.checked + el.indeterminate;
    for (const el of root.querySelectorAll('select')) text += '\n' + valueOf(el);
  }
  return text;
}

Object.assign(chela, { awaitNews, endNews });
