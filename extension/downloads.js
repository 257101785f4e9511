// Downloads that pages of shared tabs begin. The debugger's event names the tab, and that of
// chrome.downloads the file. Both have the address, by which this file joins them. The server never
// hears of downloads of other tabs.

import {change} from "./link.js";
import {save, state} from "./state.js";

const gap = 5000; // ms that the two events of one download may be apart
let begun = []; // downloads seen by the debugger only: {tab, guid, url, at}
let created = []; // downloads seen by chrome.downloads only: {id, url, at}

// onBegun handles the debugger's event that a tab begins a download.
export function onBegun(tab, {guid, url}) {
  begun.push({tab, guid, url, at: Date.now()});
  return match();
}

// onCreated handles the browser's event of a new download, which may be of any tab.
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

// onChanged handles the browser's event that a download has got a file name, or has ended.
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

// cancel cancels a download of a shared tab, and no other.
export async function cancel(id) {
  if (state.downloads[id]) await chrome.downloads.cancel(id);
}
