// What the page does with keys that a browser would act on itself, such as F5. A page prevents the
// browser's action by preventDefault, and no command of the DevTools protocol reports this.

// The keydown events of this document since watchKeysHere was called; null: it was not called.
// Whether an event is prevented is known only after all listeners have run. All have run when
// Chromium answers the command that pressed the key.
let keysDown = null;

function recordKey(event) {
  if (event.isTrusted) keysDown.push(event);
}

function watchKeysHere() {
  keysDown = [];
  addEventListener('keydown', recordKey, { capture: true });
}

function keysPreventedHere() {
  const events = keysDown ?? [];
  keysDown = null;
  removeEventListener('keydown', recordKey, { capture: true });
  return events.some(event => event.defaultPrevented);
}

// watchKeys records the keys that come to any document of this origin from now on.
function watchKeys() {
  for (const each of everywhere()) each.watchKeysHere();
}

// keysPrevented ends the recording. It reports whether the page prevented the browser's action for
// one of the keys.
function keysPrevented() {
  return everywhere().map(each => each.keysPreventedHere()).includes(true);
}

Object.assign(chela, { watchKeys, watchKeysHere, keysPrevented, keysPreventedHere });
