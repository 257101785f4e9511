// The person's tab and window stay in front when a page that an agent drives opens another one.

import {save, state} from "./state.js";

const gestureLasts = 5000; // ms; a page may open windows for so long after an act
const arriving = 3000; // ms in which a popup comes to the front, if it does
const kept = 4; // how many of the last tabs and windows are remembered

const popups = new Map(); // the windows of new popups by the popups' tab ids, 0 while unknown

// giveBack undoes that a new popup comes to the front, if an agent caused it. What the person opens
// by a click in a shared tab comes to the front as always.
export async function giveBack(tabId, opener) {
  if (Date.now() - (opener.driven ?? 0) > gestureLasts) return;
  popups.set(tabId, 0);
  setTimeout(() => popups.delete(tabId), arriving);
  const {windowId, active} = await chrome.tabs.get(tabId);
  popups.set(tabId, windowId);
  if (active) await restoreTab(tabId, windowId);
  const {windows, since} = state.focus;
  if (windows[0] === windowId && Date.now() - since < arriving) await restoreWindow(windowId);
}

// restoreTab puts the tab in front again that was in front of the popup's window before.
async function restoreTab(tabId, windowId) {
  await first(state.front[windowId] ?? [], (id) => id !== tabId && !popups.has(id), (id) => chrome.tabs.update(id, {active: true}));
}

// restoreWindow gives the focus to the browser's window that had it before. If another program had
// it, that cannot get it back; then at least the person's window has it, and not the agent's.
async function restoreWindow(windowId) {
  await first(state.focus.windows, (id) => id !== windowId, (id) => chrome.windows.update(id, {focused: true}));
}

// first does something with the latest of some tabs or windows. Those that are gone are passed
// over.
async function first(ids, suits, act) {
  for (const id of ids.filter(suits)) {
    try {
      return await act(id);
    } catch {}
  }
}

function latest(id, ids = []) {
  return [id, ...ids.filter((other) => other !== id)].slice(0, kept);
}

// onActivated remembers the tab in front of a window, or undoes that a popup is there.
export async function onActivated({tabId, windowId}) {
  if (popups.has(tabId)) return restoreTab(tabId, windowId);
  state.front[windowId] = latest(tabId, state.front[windowId]);
  await save();
}

// onFocus remembers the window with the focus, or undoes that a popup took it.
export async function onFocus(windowId) {
  if (windowId === -1) return; // no window of the browser has it
  state.focus = {windows: latest(windowId, state.focus.windows), since: Date.now()};
  await save();
  if ([...popups.values()].includes(windowId)) await restoreWindow(windowId);
}

// look learns what is in front, for windows that were there before the worker.
export async function look() {
  for (const tab of await chrome.tabs.query({active: true})) state.front[tab.windowId] ??= [tab.id];
  if (state.focus.windows.length) return save();
  const window = await chrome.windows.getLastFocused().catch(() => null); // there may be none
  if (window) state.focus = {windows: [window.id], since: 0};
  await save();
}
