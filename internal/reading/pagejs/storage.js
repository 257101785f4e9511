// localStorage and sessionStorage of this document's origin. The area is 'local' or 'session'. The
// functions answer the document's origin and {fault}, which is '' or says why that storage cannot
// be used. It is 'denied' if the document has none, as its origin is opaque (about:blank, a data:
// address, a sandboxed frame). It is 'full' if there is no room for a value.

// withStorage calls use with the storage and adds the fault to what it answers.
function withStorage(area, use) {
  try {
    return { fault: '', origin: self.origin, ...use(globalThis[area + 'Storage']) };
  } catch (e) {
    const fault = { SecurityError: 'denied', QuotaExceededError: 'full' }[e.name];
    if (!fault) throw e;
    return { fault };
  }
}

// storageItems returns the entries, or the one with this key, as items. JSON in UTF-8 has no form
// for halves of surrogate pairs, so they are replaced by U+FFFD. The names of such entries are in
// changed.
function storageItems(area, key) {
  return withStorage(area, storage => {
    const items = [], changed = [];
    for (let i = 0; i < storage.length; i++) {
      const raw = storage.key(i);
      if (key !== null && raw !== key) continue;
      const name = raw.toWellFormed(), text = storage.getItem(raw), value = text.toWellFormed();
      if (name !== raw || value !== text) changed.push(name);
      items.push({ name, value });
    }
    return { items, changed };
  });
}

// setStorage sets entries. With clear it removes all others first.
function setStorage(area, items, clear) {
  return withStorage(area, storage => {
    if (clear) storage.clear();
    for (const { name, value } of items) storage.setItem(name, value);
  });
}

// removeStorage removes the entry with this key, or all if it is null.
function removeStorage(area, key) {
  return withStorage(area, storage => { key === null ? storage.clear() : storage.removeItem(key); });
}

Object.assign(chela, { storageItems, setStorage, removeStorage });
