// Downloads that pages of shared tabs begin. The debugger knows the tab, and chrome.downloads the
// file: both have the address. The server never hears of downloads of other tabs.

import {change} from "./link.js";
import {save, state} from "./state.js";

const gap = 5000; // most ms between the two events of one download
let begun = []; // {tab, guid, url, at}, from the debugger
let created = []; // {id, url, at}, from chrome.downloads

// onBegun hears from the debugger that a tab begins a download.
export function onBegun(tab, {guid, url}) {
  begun.push({tab, guid, url, at: Date.now()});
  return match();
}

// onCreated hears that the browser has a new download, of whatever tab.
export function onCreated({id, finalUrl}) {
  created.push({id, url: finalUrl, at: Date.now()});
  return match();
}

async function match() {
  const recent = ({at}) => Date.now() - at < gap;
  begun = begun.filter(recent);
  created = created.filter(recent);
  for (const item of created) {
    const found = begun.find(({url}) => url === item.url);
    if (!found) continue;
    begun = begun.filter((other) => other !== found);
    created = created.filter((other) => other !== item);
    state.downloads[item.id] = {tab: found.tab, guid: found.guid};
    await save();
    await report(item.id);
  }
}

// onChanged hears that a download has got a name, or has ended.
export async function onChanged({id}) {
  if (state.downloads[id]) await report(id);
}

async function report(id) {
  const {tab, guid} = state.downloads[id];
  const [item] = await chrome.downloads.search({id});
  const {finalUrl: url, filename, bytesReceived: bytes, totalBytes: total} = item;
  change({download: {id, tab, guid, url, filename, state: item.state, bytes, total}});
  if (item.state === "in_progress") return;
  delete state.downloads[id];
  await save();
}

// cancel ends a download of a shared tab.
export async function cancel(id) {
  if (state.downloads[id]) await chrome.downloads.cancel(id);
}
