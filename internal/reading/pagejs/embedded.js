// Pages inside <iframe>, <object> and <embed>.

// holdsPage reports whether an <object> or <embed> shows a page of its own. An embed has no
// property for its window, so holdsPage searches the windows in this one. A window of another
// origin does not reveal its element: then the answer is guessed from the address and the type.
function holdsPage(el, tag) {
  if (tag === 'object') return el.contentWindow !== null;
  for (let i = 0; i < self.length; i++) {
    try {
      if (self[i].frameElement === el) return true;
    } catch {
      if (el.src && new URL(el.src).origin !== location.origin && PAGE_TYPES.has(el.type)) return true;
    }
  }
  return false;
}

const PAGE_TYPES = new Set(['', 'text/html', 'application/xhtml+xml']);

// showsFallback reports whether an <object> shows what is inside it in place of its data.
function showsFallback(el) {
  if (el.contentWindow !== null) return false;
  const range = document.createRange();
  range.selectNodeContents(el);
  return range.getClientRects().length > 0;
}

// isUnloaded reports whether an iframe still has its first, empty document in place of the one at
// its address. That first document has the origin of this document, so this script can look at it.
function isUnloaded(el) {
  if (el.contentDocument?.URL !== 'about:blank') return false;
  return el.hasAttribute('srcdoc') || !/^(about:|javascript:|$)/.test(el.src ?? ''); // an object has no src
}

// chela.isUnloaded reports the same for the iframe that a ref number means.
chela.isUnloaded = n => {
  const el = element(n);
  return el !== null && isUnloaded(el);
};
