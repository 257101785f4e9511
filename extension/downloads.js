// Downloads that pages of shared tabs begin. Chromium reports a download first to the debugger, with
// the tab, and directly after that to chrome.downloads, with the file. So the two reports are joined
// by their order. The server never hears of downloads of other tabs.

import {change} from "./link.js";
import {save, shortened, state} from "./state.js";

let begun = null; // what the debugger has reported of a download that chrome.downloads has not reported yet: {tab, guid, url}
let begunAt = 0; // when that was reported

// joinTime is how long chrome.downloads may take to report a download. Otherwise that download has been
// refused, and a later one of the same address may be of a tab that is not shared.
const joinTime = 3000; // ms

// onBegun handles the debugger's event that a tab begins a download.
export function onBegun(tab, {guid, url}) {
  begun = {tab, guid, url};
  begunAt = Date.now();
}

// onCreated handles the browser's event of a new download, which may be of any tab.
export async function onCreated({id, finalUrl}) {
  const download = {id, ...begun};
  begun = null;
  if (download.url !== finalUrl || Date.now() - begunAt > joinTime) return; // a tab that is not shared has begun it
  state.downloads[id] = {...shortened(download), filename: "", state: "in_progress", bytes: 0, total: -1};
  await save();
  await look(id);
}

// onChanged handles the browser's event that a download has got a file name, or has ended.
export function onChanged({id, state: changed}) {
  return look(id, changed?.current);
}

// onErased handles the browser's event that a download was removed from the list of downloads, which
// also cancels it.
export function onErased(id) {
  return look(id);
}

// look reports a change of a download. If the download is no longer in the list of downloads, the
// parameter last is its last known state.
async function look(id, last = "interrupted") {
  const [item] = await chrome.downloads.search({id});
  const download = state.downloads[id];
  if (download?.state !== "in_progress") return; // of another tab, or its end was reported
  if (item) {
    const {finalUrl: url, filename, bytesReceived: bytes, totalBytes: total} = item;
    Object.assign(download, shortened({url}), {filename, bytes, total});
  }
  download.state = item?.state ?? last;
  await report(download);
}

// report sends the server the state of a download. It forgets a download that has ended, but only
// when the server has confirmed this: otherwise the next start of the worker reports it again.
function report(download) {
  change({download}, () => {
    if (download.state === "in_progress") return;
    delete state.downloads[download.id];
    save();
  });
  return save();
}

// reconcile reports what happened to downloads while no worker ran.
export function reconcile() {
  return Promise.all(Object.values(state.downloads).map((download) => (download.state === "in_progress" ? look(download.id) : report(download))));
}

// cancel cancels a download of a shared tab, and no other.
export async function cancel(id) {
  if (state.downloads[id]) await chrome.downloads.cancel(id);
}
