// When a page that an agent drives opens another page, the person's tab and window stay in front.

import {save, state} from "./state.js";

const gestureLasts = 5000; // ms after an agent's act during which Chromium lets the page open windows (transient user activation)
const arriving = 3000; // ms after its creation within which a popup may be brought to the front
const kept = 4; // how many tabs of each window, and how many windows, are remembered

const popups = new Map(); // the window ids of new popups, by the tab ids of the popups; 0 while unknown

// giveBack brings the person's tab and window to the front again if an agent caused a new popup. A
// popup that the person opens by a click in a shared tab comes to the front as always.
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

// restoreTab activates the tab that was active in the popup's window before.
async function restoreTab(tabId, windowId) {
  await first(state.front[windowId] ?? [], (id) => id !== tabId && !popups.has(id), (id) => chrome.tabs.update(id, {active: true}));
}

// restoreWindow gives the focus back to the browser window that had it before. If another program
// had the focus, an extension cannot give it back. Then the browser window that had the focus last
// gets it, and not the popup.
async function restoreWindow(windowId) {
  await first(state.focus.windows, (id) => id !== windowId, (id) => chrome.windows.update(id, {focused: true}));
}

// first calls the function act with an id. It is the first of the given ids for which suits returns
// true and whose tab or window still exists.
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

// onActivated remembers the active tab of a window. If a popup of an agent was activated, it
// activates the former tab again.
export async function onActivated({tabId, windowId}) {
  if (popups.has(tabId)) return restoreTab(tabId, windowId);
  state.front[windowId] = latest(tabId, state.front[windowId]);
  const open = new Set((await chrome.windows.getAll()).map(({id}) => id));
  for (const id of Object.keys(state.front)) if (!open.has(+id)) delete state.front[id];
  await save();
}

// onFocus remembers the window with the focus. If a popup of an agent took the focus, it gives the
// focus back.
export async function onFocus(windowId) {
  if (windowId === -1) return; // no window of the browser has the focus
  state.focus = {windows: latest(windowId, state.focus.windows), since: Date.now()};
  await save();
  if ([...popups.values()].includes(windowId)) await restoreWindow(windowId);
}

// look records which tabs and which window are in front now, because they were activated before the
// worker started.
export async function look() {
  for (const tab of await chrome.tabs.query({active: true})) state.front[tab.windowId] ??= [tab.id];
  if (state.focus.windows.length) return save();
  const window = await chrome.windows.getLastFocused().catch(() => null); // there may be none
  if (window) state.focus = {windows: [window.id], since: 0};
  await save();
}
