// Which tabs are shared, and what the server is told of them.

import {badge} from "./badge.js";
import {attachPopup, check, holdEvents, onEnd, release, tryAgain, verify} from "./debuggee.js";
import {giveBack} from "./focus.js";
import {isGroup, putInGroup, takeOut} from "./groups.js";
import {change} from "./link.js";
import {isInternal} from "./offered.js";
import {save, state} from "./state.js";

// share makes a tab one that the server may use. It does not attach anything.
//
//	by        how it came to be shared: button, group, popup, opened
//	name      the session of its group, "" for all
//	own       an agent has opened it, or a page of such a tab
//	handle    by which agents know it, its label, and the highest numbers in its refs: kept for the
//	          server
//	opener    the shared tab that opened it, 0 if none
//	grouped   it is in one of chela's groups, and becomes unshared when it leaves
//	listed    the server knows it
//	attached  our debugger is attached
//	wanted    the server wants it to be attached
//	held      why it cannot be attached
//	dialog    the dialog that is open
//	fetch     the parameters of Fetch.enable on it
//	enabled   the domains that flash also needs and that the server has enabled
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
  const entry = state.tabs[tabId];
  if (!entry) return;
  await Promise.all([release(tabId), forget(tabId)]);
  if (entry.listed) change({unshared: tabId, reason});
  await takeOut(tabId).catch(() => {}); // the tab may be closed
}

// unshareAll takes all tabs back.
export function unshareAll(reason) {
  return Promise.all(Object.keys(state.tabs).map((id) => unshare(+id, reason)));
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

// describe returns a shared tab in the form of the protocol. While the tab shows an internal page,
// it leaves out the address and title.
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

const sent = new Map(); // what the server was last told of each tab
const waiting = new Map(); // announcements that have not begun
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

// offer returns the shared tabs that the server may hear of.
export async function offer() {
  const offered = (await list()).filter(({tabId, url}) => state.tabs[tabId].listed || url);
  for (const {tabId} of offered) state.tabs[tabId].listed = true;
  return offered;
}

// onUpdated follows the addresses, titles and groups of tabs. A tab that enters one of chela's
// groups becomes shared. A tab that leaves such a group is not shared any more.
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

// onActivated reports which tab of the window is active now.
export async function onActivated({windowId}) {
  const tabs = await chrome.tabs.query({windowId});
  await Promise.all(tabs.filter(({id}) => state.tabs[id]).map(({id}) => announce(id)));
}

const closing = new Map();

// whenGone returns when a tab is closed and the server has been told.
export function whenGone(tabId) {
  return new Promise((resolve) => closing.set(tabId, resolve));
}

// onRemoved forgets a tab that was closed.
export async function onRemoved(tabId) {
  const entry = state.tabs[tabId];
  if (!entry) return;
  await release(tabId);
  await forget(tabId);
  if (entry.listed) change({gone: tabId});
  closing.get(tabId)?.();
  closing.delete(tabId);
}

// onReplaced moves the entry of a tab to its new id: Chromium gives one to a tab that it discards.
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
// new tab page. The person has opened these, although Chromium names the tab in front as their
// opener.
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

// drivenIn returns an attached tab of a group, if the group is one of chela's. A tab that
// window.open makes is in its opener's group from the start, but names no opener.
function drivenIn(groupId) {
  if (!isGroup(groupId)) return 0;
  const name = state.groups[groupId];
  const found = Object.entries(state.tabs).filter(([, entry]) => entry.attached && entry.grouped && entry.name === name);
  found.sort(([, a], [, b]) => (b.driven ?? 0) - (a.driven ?? 0));
  return +(found[0]?.[0] ?? 0);
}

// onTarget learns who opened a tab. The event names the opener for each tab, with noopener also,
// but comes later than onCreated.
export async function onTarget({sourceTabId, tabId, url}) {
  if (!state.tabs[sourceTabId] || isInternal(url)) return;
  const entry = state.tabs[tabId];
  if (!entry) return adopt(tabId, sourceTabId);
  if (!["popup", "group"].includes(entry.by) || entry.opener === sourceTabId) return;
  entry.opener = sourceTabId;
  await announce(tabId);
}

// adopt shares a popup with the session of its opener. If an agent drives the opener, the popup is
// attached at once, so that its first request is judged.
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

// onNavigated attaches again to a tab that could not be attached before, and checks an attachment
// that may have stopped working.
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
