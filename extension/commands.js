// The commands that the server may send to the extension.

import {Failure, attach, detach, reattach, send, shared} from "./debuggee.js";
import {cancel} from "./downloads.js";
import {flash} from "./flash.js";
import {putInGroup, windowOf} from "./groups.js";
import {isInternal} from "./offered.js";
import {announce, share, unshare, whenEnded} from "./tabs.js";
import {save, state} from "./state.js";

// dying is Chromium's error if the service worker ends during a call, which may have had its
// effect. So receive sends no reply: the server then treats the command as unconfirmed, and not as
// refused.
const dying = "No SW";

// receive carries out a command of the server, and calls reply with the answer.
export async function receive({id, do: name, ...fields}, reply) {
  if (id === undefined) return;
  try {
    reply({id, result: await (name === undefined ? send(fields) : carryOut(name, fields))});
  } catch (error) {
    if (error.message === dying) return;
    reply({id, error: name === undefined ? fromChromium(error) : {code: error.code ?? 400, message: error.message}});
  }
}

// fromChromium converts the error of a chrome.debugger command. The texts of Chromium's own errors
// are JSON.
function fromChromium(error) {
  if (error instanceof Failure) return {code: error.code, message: error.message};
  try {
    const {code, message} = JSON.parse(error.message);
    if (message) return {code, message};
  } catch {}
  return {code: -32000, message: error.message};
}

async function carryOut(name, fields) {
  if (!Object.hasOwn(commands, name)) throw new Failure(501, `unknown: ${name}`);
  if (!["open", "downloads.cancel"].includes(name)) shared(fields.tab);
  if (state.stopped && !["detach", "unshare", "keep"].includes(name)) throw new Failure(409, "stopped");
  return (await commands[name](fields)) ?? {};
}

const commands = {
  attach: async ({tab}) => ({fresh: await attach(tab)}),
  detach: ({tab}) => detach(tab),
  reattach: ({tab}) => reattach(tab),
  unshare: ({tab}) => unshare(tab, "server"),
  open,
  close,
  front,
  keep,
  flash,
  "downloads.cancel": ({download}) => cancel(download),
};

// open makes a tab that is not the active one of its window, so that the person still sees the same
// tab. The tab opens in the window that has the group of its session or, if none has, in the window
// that last had the focus.
async function open({url, name = ""}) {
  if (isInternal(url)) throw new Failure(400, "an internal page of the browser");
  const windowId = (await windowOf(name)) ?? (await personsWindow());
  const tab = await chrome.tabs.create({url, active: false, windowId});
  share(tab.id, "opened", {own: true});
  await putInGroup(tab.id, name);
  return {tab: await announce(tab.id)};
}

async function personsWindow() {
  const window = await chrome.windows.getLastFocused({windowTypes: ["normal"]}).catch(() => null);
  if (window?.type === "normal") return window.id;
  return (await chrome.windows.create({focused: false})).id;
}

// close returns when the tab is closed. Before that, the page may show a dialog (beforeunload) that
// the person or the agent answers. If the person takes the tab back instead, close fails.
async function close({tab}) {
  const ended = whenEnded(tab);
  const removed = chrome.tabs.remove(tab).then(() => ended);
  const {unshared} = await Promise.race([removed, ended]);
  if (unshared) throw new Failure(404, "taken back before it was closed");
}

async function front({tab}) {
  const {windowId} = await chrome.tabs.update(tab, {active: true});
  await chrome.windows.update(windowId, {focused: true});
}

// keep stores what the server wants to get back in the next hello, such as the handle and label of
// a tab. It also puts the tab into the group of its session.
async function keep({tab, name, handle = "", label = "", refs = 0, frames = 0}) {
  const entry = shared(tab);
  Object.assign(entry, {handle, label, refs, frames});
  await (name === entry.name ? save() : putInGroup(tab, name));
  return {tab: await announce(tab)};
}
