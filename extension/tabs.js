// Which tabs are shared, and what the extension tells the server about them.

import {badge} from "./badge.js";
import {attachPopup, check, holdEvents, onEnd, release, tryAgain, verify} from "./debuggee.js";
import {giveBack} from "./focus.js";
import {isGroup, putInGroup, takeOut} from "./groups.js";
import {change} from "./link.js";
import {isInternal} from "./offered.js";
import {save, state} from "./state.js";

// share lets the server use a tab. It does not attach the debugger. The entry of the tab has these
// fields. The server has handle, label, refs and frames stored here (see keep in commands.js).
//
//	by        how it came to be shared: button (of the extension), group (the person put it into one
//	          of chela's groups), popup (a shared tab opened it), opened (the server opened it)
//	name      the name of the session whose group it is in; "" is the group for all sessions
//	own       the server has opened it, or a page of such a tab has
//	handle    the name by which agents address it
//	label     the name that an agent has given it; "" if none
//	refs      no ref of an element in it has a higher number
//	frames    no ref names a frame in it with a higher number
//	opener    the id of the shared tab that opened it, 0 if none
//	grouped   it is in one of chela's groups, and becomes unshared when it leaves that
//	listed    the server has been told of it
//	attached  the extension's debugger is attached
//	wanted    the server wants the debugger to be attached
//	held      why the debugger cannot be attached; "" if it can
//	dialog    the parameters of Page.javascriptDialogOpening while a dialog is open; null if none is
//	fetch     the parameters of Fetch.enable on it; null if its requests are not paused
//	enabled   which of the domains DOM and Overlay the server has enabled
export function share(tabId, by, more = {}) {
  const entry = {by, name: "", own: false, handle: "", label: "", refs: 0, frames: 0, opener: 0, grouped: false, listed: false, attached: false, wanted: false, held: "", dialog: null, fetch: null, ...more};
  state.tabs[tabId] = entry;
  return entry;
}

// shareByButton shares the tab that the person looks at, and puts it into a tab group so that this
// can be seen.
export async function shareByButton(tabId) {
  const tab = await chrome.tabs.get(tabId);
  if (tab.incognito || isInternal(tab.url)) throw new Error("This page cannot be shared.");
  if (!state.tabs[tabId]) share(tabId, "button");
  await putInGroup(tabId, state.tabs[tabId].name);
  await announce(tabId);
}

// unshare takes a tab away from the server: when it returns, the server can no longer use the tab.
export async function unshare(tabId, reason) {
  if (!state.tabs[tabId]) return;
  await end(tabId, {unshared: tabId, reason});
  await takeOut(tabId).catch(() => {}); // the tab may be closed
}

// unshareAll takes all tabs back.
export function unshareAll(reason) {
  return Promise.all(Object.keys(state.tabs).map((id) => unshare(+id, reason)));
}

// end detaches the debugger from a tab and forgets the tab. The server gets the given change.
async function end(tabId, what) {
  const {listed} = state.tabs[tabId];
  await Promise.all([release(tabId), forget(tabId)]);
  if (listed) change(what);
  ending.get(tabId)?.resolve(what);
  ending.delete(tabId);
}

const ending = new Map(); // what whenEnded has promised, by tab

// whenEnded returns a promise that resolves when a tab was closed or taken back, and the server has
// been told. Its value is the change that the server got.
export function whenEnded(tabId) {
  if (!ending.has(tabId)) ending.set(tabId, Promise.withResolvers());
  return ending.get(tabId).promise;
}

function forget(tabId) {
  delete state.tabs[tabId];
  sent.delete(tabId);
  badge();
  return save();
}

// stop sets whether agents may act at all.
export async function stop(stopped) {
  state.stopped = stopped;
  await save();
  badge();
  change({stopped});
}

// describe returns a shared tab in the form in which messages to the server have it. While the tab
// shows an internal page, its address and title are left out.
async function describe(tabId, targets) {
  const entry = state.tabs[tabId];
  const tab = await chrome.tabs.get(tabId);
  const {type} = await chrome.windows.get(tab.windowId);
  const internal = isInternal(tab.url || tab.pendingUrl);
  return {
    tabId,
    target: targets.find((target) => target.tabId === tabId)?.id ?? "",
    url: internal ? "" : tab.url || tab.pendingUrl || "about:blank",
    title: internal ? "" : tab.title,
    window: tab.windowId,
    popup: type === "popup",
    group: tab.groupId,
    name: entry.name,
    opener: state.tabs[entry.opener] ? entry.opener : 0,
    active: tab.active,
    discarded: tab.discarded,
    attached: entry.attached,
    shared: entry.by,
    opened: entry.own,
    handle: entry.handle,
    label: entry.label,
    refs: entry.refs ?? 0,
    frames: entry.frames ?? 0,
    held: entry.held || (internal ? "an internal page of the browser" : ""),
    ...(entry.dialog && {dialog: entry.dialog}),
  };
}

const sent = new Map(); // the state of each tab, as JSON, that was last sent to the server, by tab
const waiting = new Map(); // promises of announcements that have not begun, by tab
let last = Promise.resolve();

// announce sends the server the present state of a tab if it has changed. It returns that state.
export function announce(tabId) {
  if (!waiting.has(tabId)) {
    waiting.set(tabId, last = last.catch(() => {}).then(() => {
      waiting.delete(tabId);
      return announceNow(tabId);
    }));
  }
  return waiting.get(tabId);
}

async function announceNow(tabId) {
  if (!state.tabs[tabId]) return null;
  badge();
  const tab = await describe(tabId, await chrome.debugger.getTargets());
  const entry = state.tabs[tabId];
  if (!entry) return null;
  if (!entry.listed && !tab.url) return tab; // an internal page was never offered
  entry.listed = true;
  const known = JSON.stringify({...tab, attached: false});
  if (sent.get(tabId) !== known) change({tab});
  sent.set(tabId, known);
  await save();
  return tab;
}

// list returns all shared tabs. A tab that closes meanwhile is left out.
export async function list() {
  const targets = await chrome.debugger.getTargets();
  const all = await Promise.all(Object.keys(state.tabs).map((id) => describe(+id, targets).catch(() => null)));
  return all.filter((tab) => tab && state.tabs[tab.tabId]);
}

// offer returns the shared tabs for the hello. A tab that has shown only internal pages so far is
// left out.
export async function offer() {
  const offered = (await list()).filter(({tabId, url}) => state.tabs[tabId].listed || url);
  for (const {tabId} of offered) state.tabs[tabId].listed = true;
  return offered;
}

// onUpdated handles changes of the addresses, titles and groups of tabs. A tab that enters one of
// chela's groups becomes shared. A tab that leaves such a group is not shared any more.
export async function onUpdated(tabId, changes) {
  if ("groupId" in changes) await regroup(tabId);
  if (!state.tabs[tabId]) return;
  if (["url", "title", "groupId", "discarded", "pinned"].some((name) => name in changes)) await announce(tabId);
}

async function regroup(tabId) {
  const {groupId} = await chrome.tabs.get(tabId); // the tab may have moved on to another group
  const entry = state.tabs[tabId];
  if (entry?.grouped && !isGroup(groupId)) return unshare(tabId, "group");
  if (!isGroup(groupId)) return;
  Object.assign(entry ?? share(tabId, "group"), {grouped: true, name: state.groups[groupId]});
  await save();
}

// onActivated tells the server which tab of a window is active now.
export async function onActivated({windowId}) {
  const tabs = await chrome.tabs.query({windowId});
  await Promise.all(tabs.filter(({id}) => state.tabs[id]).map(({id}) => announce(id)));
}

// onRemoved forgets a tab that was closed.
export async function onRemoved(tabId) {
  if (state.tabs[tabId]) await end(tabId, {gone: tabId});
}

// onReplaced moves the entry of a tab to a new id. Chromium gives a tab a new id when it discards
// the tab.
export async function onReplaced(added, removed) {
  const entry = state.tabs[removed];
  if (!entry) return;
  delete state.tabs[removed];
  state.tabs[added] = Object.assign(entry, {attached: false});
  await save();
  await announce(added);
  change({replaced: [removed, added]});
}

// onCreated shares a tab that a page has opened. It does not share pages of the browser, such as a
// new tab page. The person opens these, but Chromium names the tab in front as their opener.
export async function onCreated(tab) {
  if (state.tabs[tab.id] || tab.incognito) return;
  const opener = isInternal(tab.pendingUrl || tab.url) ? 0 : openerOf(tab);
  if (opener) return adopt(tab.id, opener);
  if (!isGroup(tab.groupId)) return;
  share(tab.id, "group", {grouped: true, name: state.groups[tab.groupId]});
  await announce(tab.id);
}

function openerOf({openerTabId, groupId}) {
  return state.tabs[openerTabId] ? openerTabId : drivenIn(groupId);
}

// drivenIn returns the likely opener of a tab in one of chela's groups, or 0. It is the attached
// tab of the group in which an agent acted last. A tab that window.open makes is in its opener's
// group from the start, but Chromium names no opener.
function drivenIn(groupId) {
  if (!isGroup(groupId)) return 0;
  const name = state.groups[groupId];
  const found = Object.entries(state.tabs).filter(([, entry]) => entry.attached && entry.grouped && entry.name === name);
  found.sort(([, a], [, b]) => (b.driven ?? 0) - (a.driven ?? 0));
  return +(found[0]?.[0] ?? 0);
}

// onTarget records which tab opened another one. The event names the opener even with noopener, but
// comes later than that of onCreated.
export async function onTarget({sourceTabId, tabId, url}) {
  if (!state.tabs[sourceTabId] || isInternal(url)) return;
  const entry = state.tabs[tabId];
  if (!entry) return adopt(tabId, sourceTabId);
  if (!["popup", "group"].includes(entry.by) || entry.opener === sourceTabId) return;
  entry.opener = sourceTabId;
  await announce(tabId);
}

// adopt shares a popup with the session of its opener. If the opener is attached, the popup is
// attached at once, so that the server can judge its first request.
async function adopt(tabId, openerId) {
  const opener = state.tabs[openerId];
  share(tabId, "popup", {opener: openerId, name: opener.name, own: opener.own});
  const deliver = holdEvents(tabId);
  try {
    if (opener.attached) {
      const attached = attachPopup(tabId, opener.fetch);
      giveBack(tabId, opener).catch(() => {}); // the opened tab may close at once
      await attached;
    }
    await announce(tabId);
  } finally {
    deliver();
  }
  if (opener.grouped && state.tabs[tabId]) await putInGroup(tabId, opener.name);
}

// onDetach handles the end of an attachment. If the person closes Chromium's bar about debugging,
// all tabs are unshared.
export function onDetach({tabId}, reason) {
  return reason === "canceled_by_user" ? unshareAll("cancelled") : onEnd(tabId, reason).catch(() => announce(tabId));
}

// onNavigated runs when a page or frame has loaded. It attaches to a tab that could not be attached
// before, and checks that an existing attachment still works.
export async function onNavigated({tabId}) {
  const entry = state.tabs[tabId];
  if (!entry?.wanted) return;
  try {
    await (entry.attached ? verify(tabId) : tryAgain(tabId));
  } finally {
    await announce(tabId);
  }
}

// reconcile forgets tabs that were closed or unshared while no worker ran, since the events about
// them were lost.
export async function reconcile() {
  const open = new Map((await chrome.tabs.query({})).map((tab) => [tab.id, tab]));
  for (const [id, entry] of Object.entries(state.tabs)) {
    const tab = open.get(+id);
    if (!tab) await onRemoved(+id);
    else if (isGroup(tab.groupId)) entry.grouped = true;
    else if (entry.grouped) await unshare(+id, "group");
  }
  await check();
  badge();
}
