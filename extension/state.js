// The state that must outlive the extension's service worker, which Chromium may end at any time.
// It is one object in storage.session. That lasts as long as attachments of the debugger can: until
// the browser ends or the extension is reloaded.

import {randomHex} from "./proof.js";

// state is valid once ready has resolved. Code that changes it must call save.
//
//	run         a random id, made when the browser starts or the extension is reloaded
//	generation  how many times the server was dialled in this run
//	stopped     the person pressed Stop
//	tabs        the shared tabs by their id, see share in tabs.js
//	kids        child sessions of attached tabs, by session id: the tab, the id of the parent session
//	            ("": the tab's own session), and Chromium's TargetInfo
//	groups      the names of the sessions of chela's tab groups, by Chromium's group id
//	downloads   the state of each download as it was reported last, by its id in chrome.downloads. A
//	            download leaves when the server has confirmed its end, see downloads.js
//	front       the tabs that were last active in each window, the latest first
//	focus       the windows that last had the focus, the latest first; since: when it got the focus
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

// unsaved says why the present state could not be stored; "" if it is stored.
export let unsaved = "";

// save returns when the present state is stored, or could not be stored. It never fails: what the
// person wants, such as Stop, must have its effect even then. Until the state is stored, tick calls
// save again. Changes made while a write is under way share the next write.
export function save() {
  next ??= writing.then(async () => {
    writing = next;
    next = null;
    unsaved = await chrome.storage.session.set({state}).then(() => "", (error) => error.message);
  });
  return next;
}

const longest = 4096; // characters of a text in state that a page has chosen

// shortened returns a copy of an object whose long texts are cut. Chromium stores at most 10 MB, and
// pages choose the addresses and titles of their workers.
export function shortened(object) {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, value?.length > longest ? value.slice(0, longest) + "…" : value]));
}
