// Pickers of the file system. Their windows belong to the system, and the protocol can enter
// nothing there. So this function answers them. It runs in the world of the page:
//
//   - showOpenFilePicker and showDirectoryPicker open the chooser of a file input. It gets the
//     files that a caller has given for the next chooser, see page/upload.go. The page can only
//     read them.
//   - showSaveFilePicker gives a file in the origin's private file system. When the page
//     closes what it has written there, the file is downloaded as by a link, by the same
//     rules as any other download.
//
// This lets a page do nothing that its own scripts could not do. If ms is null, all three are
// replaced for ever. Otherwise only the two open pickers are replaced. After ms milliseconds the
// browser's own functions answer again.
ms => {
  const until = ms === null ? Infinity : performance.now() + ms;
  if (ms === null) answer('showSaveFilePicker', save);
  answer('showOpenFilePicker', open);
  answer('showDirectoryPicker', openFolder);

  // answer replaces one of the page's functions by a function of this file.
  function answer(name, by) {
    if (typeof self[name] !== 'function') return;
    self[name] = new Proxy(self[name], {
      apply: (own, self, args) => performance.now() > until || !mayAsk() ? Reflect.apply(own, self, args) : by(args[0] ?? {}),
    });
  }

  // mayAsk reports whether the browser would show the picker now. If not, the call goes to the
  // browser, which refuses it.
  function mayAsk() {
    try {
      return navigator.userActivation.isActive && Boolean(top.document);
    } catch {
      return false; // a frame of another site
    }
  }

  function choose(attributes) {
    return new Promise((resolve, reject) => {
      const input = Object.assign(document.createElement('input'), { type: 'file', ...attributes });
      input.onchange = () => resolve([...input.files]);
      input.oncancel = () => reject(new DOMException('The user aborted a request.', 'AbortError'));
      input.click();
    });
  }

  async function open({ multiple }) {
    const files = await choose({ multiple: Boolean(multiple) });
    return files.map(fileHandle);
  }

  async function openFolder() {
    const files = await choose({ webkitdirectory: true });
    const [name] = files[0].webkitRelativePath.split('/');
    return folderHandle(name, files.map(file => ({ file, path: file.webkitRelativePath.split('/').slice(1) })));
  }

  function denied() {
    return Promise.reject(new DOMException('The file can only be read.', 'NotAllowedError'));
  }

  async function permission(asked) {
    return asked?.mode === 'readwrite' ? 'denied' : 'granted';
  }

  function handleOf(prototype, kind, name, members) {
    const handle = Object.create(prototype.prototype);
    const all = { kind, name, isSameEntry: async other => other === handle, queryPermission: permission, requestPermission: permission, remove: denied, ...members };
    for (const [key, value] of Object.entries(all)) Object.defineProperty(handle, key, { value });
    return handle;
  }

  function fileHandle(file) {
    return handleOf(FileSystemFileHandle, 'file', file.name, { getFile: async () => file, createWritable: denied, createSyncAccessHandle: denied });
  }

  // folderHandle returns the handle of a folder. The parameter files lists its files as {file,
  // path}.
  function folderHandle(name, files) {
    const entries = new Map();
    for (const [first, inside] of Map.groupBy(files, ({ path }) => path[0])) {
      const folder = inside[0].path.length > 1;
      entries.set(first, folder ? folderHandle(first, inside.map(({ file, path }) => ({ file, path: path.slice(1) }))) : fileHandle(inside[0].file));
    }
    const get = kind => async (wanted, o) => {
      const found = entries.get(wanted);
      if (found?.kind === kind) return found;
      if (found) throw new DOMException('The entry is of another kind.', 'TypeMismatchError');
      return o?.create ? denied() : Promise.reject(new DOMException('There is no such entry.', 'NotFoundError'));
    };
    const list = of => async function* () { yield* of.call(entries); };
    const handle = handleOf(FileSystemDirectoryHandle, 'directory', name, {
      entries: list(entries.entries), keys: list(entries.keys), values: list(entries.values), removeEntry: denied,
      getFileHandle: get('file'), getDirectoryHandle: get('directory'),
      resolve: async wanted => {
        if (wanted === handle) return [];
        for (const [key, entry] of entries) {
          const inside = entry === wanted ? [] : entry.kind === 'directory' ? await entry.resolve(wanted) : null;
          if (inside !== null) return [key, ...inside];
        }
        return null;
      },
    });
    return Object.defineProperty(handle, Symbol.asyncIterator, { value: handle.entries });
  }

  async function save({ suggestedName, types }) {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle('.saved-' + crypto.randomUUID(), { create: true });
    const handle = await folder.getFileHandle(fileName(suggestedName, types), { create: true });
    const createWritable = handle.createWritable.bind(handle);
    Object.defineProperty(handle, 'createWritable', { value: async o => downloading(handle, await createWritable(o)) });
    return handle;
  }

  // fileName returns the name that a page suggests, or else a name with the first extension that
  // the page accepts.
  function fileName(suggested, types) {
    const [endings] = Object.values(types?.[0]?.accept ?? {});
    const name = String(suggested || 'untitled' + ([endings ?? []].flat()[0] ?? ''));
    return name.replace(/[\\/:*?"<>|\0-\x1f\x7f]/g, '_').replace(/^\.+$|[. ]+$/g, '_').slice(0, 120) || 'untitled';
  }

  // downloading returns a stream into a file that is downloaded when the stream is closed. Pages
  // call the methods of the stream, or pipe another stream into it.
  function downloading(handle, into) {
    const stream = new WritableStream({
      write: chunk => into.write(chunk),
      abort: reason => into.abort(reason),
      close: async () => {
        await into.close();
        download(await handle.getFile(), handle.name);
      },
    });
    const write = async chunk => {
      const writer = stream.getWriter();
      try {
        await writer.write(chunk);
      } finally {
        writer.releaseLock();
      }
    };
    Object.setPrototypeOf(stream, FileSystemWritableFileStream.prototype);
    const methods = { write, seek: position => write({ type: 'seek', position }), truncate: size => write({ type: 'truncate', size }) };
    for (const [name, value] of Object.entries({ mode: into.mode, ...methods })) Object.defineProperty(stream, name, { value });
    return stream;
  }

  function download(file, name) {
    const href = URL.createObjectURL(file);
    Object.assign(document.createElement('a'), { href, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(href), 60_000);
  }
}
