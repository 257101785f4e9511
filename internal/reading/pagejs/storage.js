// localStorage and sessionStorage of this document's origin. The area is 'local' or 'session'. The
// functions return the document's origin and a fault: '', or why the storage cannot be used. The
// fault is 'denied' if the document has no storage, because its origin is opaque (about:blank, a
// data: address, a sandboxed frame). The fault is 'full' if there is no room for a value.

// withStorage calls the function use with the storage. It returns what use returns, and the fault.
function withStorage(area, use) {
  try {
    return { fault: '', origin: self.origin, ...use(globalThis[area + 'Storage']) };
  } catch (e) {
    const fault = { SecurityError: 'denied', QuotaExceededError: 'full' }[e.name];
    if (!fault) throw e;
    return { fault };
  }
}

// storageItems returns all entries as items, or only the entry with this key. JSON in UTF-8 has no
// form for halves of surrogate pairs, so they are replaced by U+FFFD. The names of such entries are
// in changed.
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

// setStorage sets entries. If the parameter clear is true, it removes all others first.
function setStorage(area, items, clear) {
  return withStorage(area, storage => {
    if (clear) storage.clear();
    for (const { name, value } of items) storage.setItem(name, value);
  });
}

// removeStorage removes the entry with this key, or all entries if the key is null. In the answer,
// missing says that there was no entry with the key.
function removeStorage(area, key) {
  return withStorage(area, storage => {
    const missing = key !== null && storage.getItem(key) === null;
    key === null ? storage.clear() : storage.removeItem(key);
    return { missing };
  });
}

Object.assign(chela, { storageItems, setStorage, removeStorage });
