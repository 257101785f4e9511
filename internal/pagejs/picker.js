// The picker. Through the protocol, files can be given to a file input's chooser, and
// not to that of showOpenFilePicker. So while files are armed for the next chooser,
// showOpenFilePicker opens that of an input. This function runs in the page's own
// world; the next call of showOpenFilePicker puts the native one back.
ms => {
  const until = performance.now() + ms;
  const native = Symbol.for('native'), now = self.showOpenFilePicker, own = now?.[native] ?? now;
  if (!own) return;
  self.showOpenFilePicker = Object.assign(function showOpenFilePicker(options) {
    self.showOpenFilePicker = own;
    if (performance.now() > until) return own.call(self, options);
    return new Promise((resolve, reject) => {
      const input = document.createElement('input');
      input.type = 'file';
      input.multiple = Boolean(options?.multiple);
      input.onchange = () => resolve([...input.files].map(handle));
      input.oncancel = () => reject(new DOMException('The user aborted a request.', 'AbortError'));
      input.click();
    });
  }, { [native]: own });

  // handle is a file as the picker gives it, to be read.
  function handle(file) {
    const denied = async () => { throw new DOMException('The file can only be read.', 'NotAllowedError'); };
    const permission = async asked => (asked?.mode === 'readwrite' ? 'denied' : 'granted');
    const h = Object.create(FileSystemFileHandle.prototype);
    for (const [name, value] of Object.entries({
      kind: 'file', name: file.name, getFile: async () => file, isSameEntry: async other => other === h,
      queryPermission: permission, requestPermission: permission, createWritable: denied, createSyncAccessHandle: denied,
    })) Object.defineProperty(h, name, { value });
    return h;
  }
}
