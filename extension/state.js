// What the extension must remember when its worker ends, which may happen at any time. It is one
// object in storage.session, so it lives as long as Chromium's attachments can: until the browser
// ends or the extension is reloaded.

import {randomHex} from "./proof.js";

// state is valid once ready has resolved. Whoever changes it calls save.
//
//	run         a random id of this start of the browser
//	generation  how many times the server was dialled in this run
//	stopped     the person pressed Stop
//	tabs        the shared tabs by their id, see share in tabs.js
//	kids        child sessions of attached tabs by their session id: {tab, parent, info}
//	groups      the names of chela's tab groups by Chromium's group id
//	downloads   the tab of each download under way, and the debugger's id of it
//	front       the tabs that were last in front, by window, the latest first
//	focus       the windows that last had the focus, the latest first, and since when
export const state = {run: "", generation: 0, stopped: false, tabs: {}, kids: {}, groups: {}, downloads: {}, front: {}, focus: {windows: [], since: 0}};

// ready resolves when state has been read. A module of a worker may not await it at its top level:
// Chromium then starts the worker without listeners.
export const ready = load();

async function load() {
  const stored = await chrome.storage.session.get("state");
  Object.assign(state, stored.state);
  if (!state.run) {
    state.run = randomHex(16);
    await save();
  }
}

let writing = Promise.resolve();
let next = null;

// save returns when the present state is stored. Changes made while a write is under way share the
// next write.
export function save() {
  next ??= writing.then(() => {
    writing = next;
    next = null;
    return chrome.storage.session.set({state});
  });
  return next;
}
