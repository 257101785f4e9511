// Which pages agents may drive.

const web = /^(https?|file|data|blob):/i;
const stores = /^https:\/\/(chromewebstore\.google\.com|chrome\.google\.com\/webstore)(\/|$)/i;

// isInternal reports whether a page belongs to the browser, to an extension or to a store of
// extensions. A tab that was just created has an empty address, and does not count as internal.
export function isInternal(url) {
  if (!url || url === "about:blank" || url === "about:srcdoc") return false;
  return !web.test(url) || stores.test(url);
}
