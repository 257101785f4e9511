// The tab groups of sessions. A group counts only if this extension has made it. Chromium may
// restore a group when it starts, or sync it from another machine, and nobody has shared those tabs
// here.

import {save, state} from "./state.js";

const colors = ["blue", "red", "yellow", "green", "pink", "purple", "cyan", "orange"];

// isGroup reports whether a group is one of chela's.
export function isGroup(groupId) {
  return groupId in state.groups;
}

// putInGroup puts a tab into the group of a session in the tab's own window: another group would
// move the tab. It does nothing for a pinned tab, which would be unpinned, and for a popup window,
// which would lose its tab.
export async function putInGroup(tabId, name) {
  const entry = state.tabs[tabId];
  entry.name = name;
  const tab = await chrome.tabs.get(tabId);
  const {type} = await chrome.windows.get(tab.windowId);
  if (tab.pinned || type !== "normal") return save();
  if (state.groups[tab.groupId] !== name) {
    // the event that the tab leaves its old group comes from this move, not from the user
    entry.grouped = false;
    await move(tabId, entry, tab.windowId, name);
  }
  entry.grouped = true;
  await save();
}

// move runs one call at a time. Otherwise two tabs of a new session would get two groups. If the
// person takes the tab back meanwhile, it does not stay in the group: it would be shared again.
let moving = Promise.resolve();

function move(tabId, entry, windowId, name) {
  const shared = () => state.tabs[tabId] === entry;
  moving = moving.catch(() => {}).then(async () => {
    const found = await find(windowId, name);
    const into = found === undefined ? {createProperties: {windowId}} : {groupId: found};
    const groupId = await whileDragging(async () => shared() ? chrome.tabs.group({tabIds: [tabId], ...into}) : undefined);
    if (groupId !== undefined && found === undefined) {
      state.groups[groupId] = name;
      await chrome.tabGroups.update(groupId, {title: titleOf(name), color: color(name)});
    }
    if (!shared()) await takeOut(tabId);
  });
  return moving;
}

const longest = 24; // characters of a session's name in the title of its group

function titleOf(name) {
  if (!name) return "chela";
  return `chela: ${name.length > longest ? name.slice(0, longest - 1) + "…" : name}`;
}

async function find(windowId, name) {
  const inWindow = await chrome.tabGroups.query({windowId});
  return inWindow.find(({id}) => state.groups[id] === name)?.id;
}

// windowOf returns the window that has the group of a session, undefined if none has. A session with
// tabs in several windows has a group in each.
export async function windowOf(name) {
  const groups = await chrome.tabGroups.query({});
  return groups.find(({id}) => state.groups[id] === name)?.windowId;
}

// color returns the color of a group. It depends only on the name.
function color(name) {
  let sum = 0;
  for (const c of name) sum = (31 * sum + c.codePointAt(0)) >>> 0;
  return colors[sum % colors.length];
}

// takeOut takes a tab out of chela's group, so that nobody believes it to be shared.
export async function takeOut(tabId) {
  const tab = await chrome.tabs.get(tabId);
  if (isGroup(tab.groupId)) await whileDragging(() => chrome.tabs.ungroup([tabId]));
}

// whileDragging repeats a change of the tab strip while Chromium refuses it because the person
// drags a tab.
async function whileDragging(edit) {
  for (;;) {
    try {
      return await edit();
    } catch (error) {
      if (!/dragging/.test(error.message)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

// onGroupRemoved forgets a group.
export function onGroupRemoved({id}) {
  delete state.groups[id];
  return save();
}
