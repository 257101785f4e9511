// IndexedDB of this document's origin. Databases go to Go and come from it as JSON text, because
// they may be large and deep. Functions that open a database return {fault}, which is '' or says
// why the database could not be used. The fault is 'busy' if the database could not be opened
// before the deadline, the parameter by (a time of performance.now()). The cause is a tab that is
// changing the database. Go runs this file, with encode.js, only in documents that need it: see
// pagejs.IndexedDB.

// databases lists the databases of the document's origin.
async function databases() {
  return (await indexedDB.databases()).filter(d => d.version).map(({ name, version }) => ({ name, version }));
}

const busy = new Error('busy');

// settled waits for a request, at most until the deadline (by).
function settled(request, by) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(busy), by - performance.now());
    request.onsuccess = () => { clearTimeout(timer); resolve(request.result); };
    request.onerror = () => { clearTimeout(timer); reject(request.error); };
  });
}

// withDatabase opens a database and calls the function use with it. Without a version the database
// must exist, since opening it would create it. A database that is opened too late is closed.
async function withDatabase(name, version, upgrade, by, use) {
  const request = indexedDB.open(name, version);
  request.onupgradeneeded = () => upgrade ? upgrade(request.result) : request.transaction.abort();
  let db;
  try {
    db = await settled(request, by);
    db.onversionchange = () => db.close(); // a page can change the version without waiting for this script
    return { fault: '', ...await use(db) };
  } catch (e) {
    request.onsuccess = () => request.result.close();
    return { fault: e === busy ? 'busy' : String(e.message || e) };
  } finally {
    db?.close();
  }
}

const keyPathOf = ({ keyPath }) => typeof keyPath === 'string' ? { keyPath } : keyPath === null ? {} : { keyPathArray: [...keyPath] };

// readDatabase returns a database as text. The field lost lists the kinds of values that could not
// be written, see encoded. The parameter most limits the text, in UTF-16 code units. If the text
// would be longer, the fault is 'large'.
async function readDatabase(name, most, by) {
  const lost = new Set();
  return withDatabase(name, undefined, null, by, async db => {
    const names = [...db.objectStoreNames];
    if (!names.length) return { text: JSON.stringify({ name, version: db.version, stores: [] }), lost: [] };
    const transaction = db.transaction(names, 'readonly');
    const stores = [];
    let length = 0;
    for (const name of names) {
      const store = transaction.objectStore(name);
      const records = [];
      const request = store.openCursor();
      for (let cursor = await settled(request, by); cursor; cursor = await settled(request, by)) {
        const record = {};
        if (store.keyPath === null) put(record, 'key', cursor.key, lost);
        put(record, 'value', cursor.value, lost);
        const text = JSON.stringify(record);
        if ((length += text.length) > most) return { fault: 'large' };
        records.push(text);
        cursor.continue();
      }
      const indexes = [...store.indexNames].map(n => store.index(n)).map(index => (
        { name: index.name, ...keyPathOf(index), multiEntry: index.multiEntry, unique: index.unique }));
      const about = JSON.stringify({ name, autoIncrement: store.autoIncrement, ...keyPathOf(store), indexes });
      stores.push(`${about.slice(0, -1)},"records":[${records}]}`);
    }
    const about = JSON.stringify({ name, version: db.version });
    return { text: `${about.slice(0, -1)},"stores":[${stores}]}`, lost: [...lost] };
  });
}

function put(record, field, value, lost) {
  const { plain, encoded: other } = encoded(value, lost);
  if (other === undefined) record[field] = plain;
  else record[field + 'Encoded'] = other;
}

// createDatabase makes a database with its object stores, but without records. It replaces a
// database of the same name.
async function createDatabase(text, by) {
  const { name, version, stores } = JSON.parse(text);
  try {
    await settled(indexedDB.deleteDatabase(name), by);
  } catch (e) {
    return { fault: e === busy ? 'busy' : String(e.message || e) };
  }
  const upgrade = db => {
    for (const s of stores) {
      const store = db.createObjectStore(s.name, { autoIncrement: s.autoIncrement, keyPath: s.keyPathArray ?? s.keyPath ?? null });
      for (const i of s.indexes) store.createIndex(i.name, i.keyPathArray ?? i.keyPath, { unique: i.unique, multiEntry: i.multiEntry });
    }
  };
  return withDatabase(name, version, upgrade, by, () => ({}));
}

// addRecords adds records to an object store.
async function addRecords(name, store, text, by) {
  return withDatabase(name, undefined, null, by, async db => {
    const transaction = db.transaction(store, 'readwrite');
    const done = new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onabort = () => reject(transaction.error);
    });
    for (const r of JSON.parse(text)) {
      const value = 'value' in r ? r.value : decoded(r.valueEncoded);
      const key = 'key' in r ? r.key : decoded(r.keyEncoded);
      transaction.objectStore(store).put(value, key);
    }
    await done;
  });
}

Object.assign(globalThis.chela, { databases, readDatabase, createDatabase, addRecords });
