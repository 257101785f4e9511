// The extension's service worker. It listens to the events of the browser, and handles them once it
// has read its state.

import {receive} from "./commands.js";
import {failUnjudged, letGo, onEvent} from "./debuggee.js";
import * as downloads from "./downloads.js";
import {clearAll} from "./flash.js";
import * as focus from "./focus.js";
import {onGroupRemoved} from "./groups.js";
import {connected, keep, status} from "./link.js";
import {browserVersion, byDigits, byHost} from "./pair.js";
import {ready, save, state, unsaved} from "./state.js";
import * as tabs from "./tabs.js";

// on registers a listener. Chromium requires that this happens while the worker's script runs at
// its start. Listeners are called in the order of the events, after the state is read. An error in
// a listener is only logged: mostly the tab was closed meanwhile.
function on(event, handle) {
  event.addListener((...args) => {
    ready.then(() => handle(...args)).catch((error) => console.debug(error));
  });
}

on(chrome.debugger.onEvent, onEvent);
on(chrome.debugger.onDetach, tabs.onDetach);
on(chrome.tabs.onCreated, tabs.onCreated);
on(chrome.tabs.onUpdated, tabs.onUpdated);
on(chrome.tabs.onRemoved, tabs.onRemoved);
on(chrome.tabs.onReplaced, tabs.onReplaced);
on(chrome.tabs.onActivated, tabs.onActivated);
on(chrome.tabs.onActivated, focus.onActivated);
on(chrome.windows.onFocusChanged, focus.onFocus);
on(chrome.downloads.onCreated, downloads.onCreated);
on(chrome.downloads.onChanged, downloads.onChanged);
on(chrome.downloads.onErased, downloads.onErased);
on(chrome.tabGroups.onRemoved, onGroupRemoved);
on(chrome.webNavigation.onCreatedNavigationTarget, tabs.onTarget);
on(chrome.webNavigation.onCompleted, tabs.onNavigated);
on(chrome.alarms.onAlarm, tick);
on(chrome.runtime.onStartup, tick);
on(chrome.runtime.onInstalled, tick);

chrome.runtime.onMessage.addListener((message, sender, answer) => {
  ready.then(() => requests[message.do](message)).then((result) => answer({result}), (error) => answer({error: error.message}));
  return true; // Chromium then keeps the channel open until answer is called
});

// requests has a function for each request of the popup.
const requests = {
  show: async () => ({stopped: state.stopped, unsaved, ...status, tabs: await tabs.list(), paired: await paired()}),
  share: ({tab}) => tabs.shareByButton(tab),
  unshare: ({tab}) => tabs.unshare(tab, "button"),
  stop: () => tabs.stop(true),
  go: () => tabs.stop(false),
  pair: async ({digits}) => {
    await byDigits(digits);
    await start();
  },
  askHost: async () => (await byHost()) && start(),
  start,
};

async function paired() {
  return Boolean((await chrome.storage.local.get("key")).key);
}

// hello returns the first message to the server: what this browser and extension are, and the
// shared tabs.
async function hello() {
  const kids = Object.entries(state.kids).map(([session, kid]) => ({session, ...kid}));
  const {version} = chrome.runtime.getManifest();
  return {version, userAgent: navigator.userAgent, browser: await browserVersion(), stopped: state.stopped, tabs: await tabs.offer(), kids};
}

// begun resolves when the state has been compared with the tabs that are open now. The worker
// connects to the server only after that.
const begun = ready.then(() => Promise.all([tabs.reconcile().then(clearAll), downloads.reconcile(), focus.look()])).catch((error) => console.debug(error));

const awaySeconds = 90; // seconds without the server, after which the requests of tabs are no longer paused
let away = 0;

// tick runs each second while the browser is paired. An alarm calls it, which also starts the
// worker again if Chromium has ended it.
async function tick() {
  await begun;
  keep({hello, receive});
  if (unsaved) save();
  away = connected() ? 0 : away + 1;
  if (away) failUnjudged();
  if (away >= awaySeconds) await letGo();
}

// start runs each time that Chromium starts this worker, and after pairing. It ignores an error of
// the installed program, which the popup asks again and shows.
async function start() {
  await begun;
  if (!(await paired()) && !(await byHost().catch(() => false))) return;
  await chrome.alarms.create("tick", {periodInMinutes: 1 / 60}); // only unpacked extensions may have a period as short as this
  tick();
}

start();
