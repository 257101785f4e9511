// The clipboard. These functions run only in an empty document that chela serves for them: see
// ClipboardOrigin in site/clipboard.go. It has the permission that navigator.clipboard asks for.

async function writeText(text) { await navigator.clipboard.writeText(text); }

// writePicture puts a picture, given in base64, on the clipboard. It returns false if
// the browser cannot read the picture. The clipboard takes PNG only.
async function writePicture(base64) {
  const bytes = Uint8Array.from(atob(base64), c => c.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes])).catch(() => null);
  if (!bitmap) return false;
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext('2d').drawImage(bitmap, 0, 0);
  const png = await canvas.convertToBlob({ type: 'image/png' });
  await navigator.clipboard.write([new ClipboardItem({ 'image/png': png })]);
  return true;
}

// readClipboard returns the text and the picture on the clipboard; each is empty if there is none.
// The text is cut to the given number of characters (most). In the answer, more is how many
// characters were cut off. The picture is PNG in base64.
async function readClipboard(most) {
  const found = { text: '', more: 0, picture: '' };
  for (const item of await navigator.clipboard.read()) {
    if (item.types.includes('text/plain')) found.text = await (await item.getType('text/plain')).text();
    if (item.types.includes('image/png')) found.picture = await inBase64(await item.getType('image/png'));
  }
  found.more = Math.max(0, found.text.length - most);
  found.text = found.text.slice(0, most);
  return found;
}

function inBase64(blob) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(',') + 1));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}

Object.assign(chela, { writeText, writePicture, readClipboard });
