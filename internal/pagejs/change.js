// Changes: whether the document changed while something was done to it, and
// when it has come to rest.

let watcher = null;
let changes = 0;

// watch begins to count what changes in this document.
function watch() {
  changes = 0;
  watcher ??= new MutationObserver(records => { changes += records.length; });
  watcher.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
}

for (const type of ['input', 'change', 'toggle']) {
  addEventListener(type, () => { if (watcher) changes++; }, { capture: true });
}

// changed ends the count and says whether anything changed.
function changed() {
  if (!watcher) return false;
  changes += watcher.takeRecords().length;
  watcher.disconnect();
  watcher = null;
  return changes > 0;
}

// rest waits until nothing has changed for idle milliseconds, at most for most.
function rest(idle, most) {
  return new Promise(resolve => {
    const observer = new MutationObserver(() => { clearTimeout(calm); calm = setTimeout(end, idle); });
    let calm = setTimeout(end, idle);
    const limit = setTimeout(end, most);
    function end() {
      observer.disconnect();
      clearTimeout(calm);
      clearTimeout(limit);
      resolve();
    }
    observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  });
}

Object.assign(chela, { watch, changed, rest });
