// Attaching Chromium's debugger to shared tabs, commands to them, and their events.

import {showAct} from "./badge.js";
import {onBegun} from "./downloads.js";
import {change, number} from "./link.js";
import {isInternal} from "./offered.js";
import {ready, save, shortened, state} from "./state.js";

const version = "1.3";

// Failure is an error that the server gets with its code.
export class Failure extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

// shared returns the entry of a shared tab in state.tabs, or fails.
export function shared(tabId) {
  const entry = state.tabs[tabId];
  if (!entry) throw new Failure(404, "no longer shared");
  return entry;
}

const attaching = new Map();

// attach attaches the debugger to a shared tab, and returns whether it was not attached before. If
// the tab cannot be attached, the field held of its entry gets the reason, and the tab remains
// shared.
export function attach(tabId) {
  if (!attaching.has(tabId)) attaching.set(tabId, attachOnce(tabId).finally(() => attaching.delete(tabId)));
  return attaching.get(tabId);
}

async function attachOnce(tabId) {
  const entry = shared(tabId);
  entry.wanted = true;
  if (entry.attached) return false;
  const fresh = await attachToStay(tabId, entry);
  if (state.tabs[tabId] !== entry) {
    await chrome.debugger.detach({tabId}).catch(() => {}); // the person has taken the tab back meanwhile
    throw new Failure(404, "no longer shared");
  }
  Object.assign(entry, {attached: true, held: ""});
  await save();
  return fresh;
}

const ended = new Set(); // tabs whose attachment ended while attach was under way

// attachToStay attaches, and attaches again if that attachment ends at once. Chromium may report
// the end before the attachment. This happens if the page gets a frame of another extension at this
// moment.
async function attachToStay(tabId, entry) {
  for (;;) {
    await releasing.get(tabId);
    ended.delete(tabId);
    const fresh = await attachOrHold(tabId, entry);
    if (!ended.has(tabId) || (await isOurs(tabId))) return fresh;
  }
}

async function attachOrHold(tabId, entry) {
  try {
    await prepare(tabId);
    await chrome.debugger.attach({tabId}, version);
    return true;
  } catch (error) {
    // The attachment belongs to the extension and outlives the worker that made it.
    if (/already attached/.test(error.message) && (await isOurs(tabId))) return false;
    entry.held = whyHeld(error.message);
    await save();
    throw new Failure(409, entry.held);
  }
}

// prepare fails for pages that must not be driven although Chromium would allow it, such as those
// of this extension. It also reloads a discarded tab, without activating it: Chromium would attach
// to a discarded tab, but no command would be answered.
async function prepare(tabId) {
  const tab = await chrome.tabs.get(tabId);
  if (tab.incognito || isInternal(tab.url)) throw new Error("Cannot access a chrome:// URL");
  if (tab.discarded) await chrome.tabs.reload(tabId);
}

// isOurs reports whether this extension's debugger is attached to a tab. It sends a command that
// the browser process answers, so it also returns while the page is busy.
export function isOurs(tabId) {
  return chrome.debugger.sendCommand({tabId}, "Target.getTargetInfo").then(() => true, () => false);
}

// reasons says in plain words what Chromium's refusals to attach mean.
const reasons = [
  [/different extension/, "held by a frame of another extension"],
  [/already attached/, "another debugger is attached"],
  [/chrome:\/\/|chrome-extension:|contents of/, "an internal page of the browser"],
  [/gallery/, "the web store cannot be driven"],
  [/policy|attach to this target/, "forbidden by a policy of this machine"],
];

function whyHeld(message) {
  return reasons.find(([pattern]) => pattern.test(message))?.[1] ?? message;
}

// detach ends the attachment of a tab that stays shared.
export async function detach(tabId) {
  shared(tabId).wanted = false;
  await release(tabId);
}

// reattach detaches the debugger from a tab and attaches it again. All settings that commands made
// before end with this. It fails while a dialog is open, which would be lost.
export async function reattach(tabId) {
  const entry = shared(tabId);
  if (entry.dialog) throw new Failure(409, "dialog");
  await release(tabId);
  await attach(tabId);
}

const releasing = new Map(); // promises of the detachments under way, by tab; an attachment waits for them

// release detaches the debugger from a tab, and forgets everything that its entry had from the
// debugger.
export async function release(tabId) {
  forget(tabId);
  const detached = chrome.debugger.detach({tabId}).catch(() => {}); // the debugger may already have detached
  releasing.set(tabId, detached);
  await Promise.all([save(), detached]);
  if (releasing.get(tabId) === detached) releasing.delete(tabId);
}

function forget(tabId) {
  const entry = state.tabs[tabId];
  if (entry) Object.assign(entry, {attached: false, dialog: null, fetch: null, enabled: {}, paused: {}});
  for (const [session, kid] of Object.entries(state.kids)) if (kid.tab === tabId) delete state.kids[session];
}

// attachPopup attaches to a tab that a page has just opened, and makes Chromium pause its requests
// as those of its opener (Fetch.enable). It awaits nothing before that, since the first request is
// sent within 50 ms.
export async function attachPopup(tabId, fetch) {
  const entry = state.tabs[tabId];
  entry.wanted = true;
  try {
    const done = chrome.debugger.attach({tabId}, version);
    Object.assign(entry, {fetch, born: Date.now()});
    const held = fetch && chrome.debugger.sendCommand({tabId}, "Fetch.enable", fetch);
    held?.catch(() => {}); // this also fails if the attachment fails
    await done;
    entry.attached = true;
    await held;
  } catch (error) {
    if (!entry.attached) entry.held = whyHeld(error.message);
  }
  await save();
  if (state.tabs[tabId] !== entry) await chrome.debugger.detach({tabId}).catch(() => {}); // the person has taken the tab back meanwhile
}

// acts matches the commands that are refused after the person pressed Stop, because they act on the
// page. Commands that end an act, such as the release of a mouse button, are still sent.
const acts = /^(Input\.|Page\.(navigate|reload|bringToFront))/;
const ends = ["mouseReleased", "keyUp", "touchEnd", "touchCancel", "dragCancel"];

function endsInput(method, params) {
  if (method === "Input.setInterceptDrags") return !params.enabled;
  return method === "Input.cancelDragging" || (method.startsWith("Input.") && ends.includes(params.type));
}

// send sends a command to a tab or one of its child sessions. Commands of one tab reach it in the
// order of the calls.
export async function send({tab, session, method, params = {}}) {
  const entry = shared(tab);
  if (!entry.attached) throw new Failure(409, "not attached");
  if (state.stopped && acts.test(method) && !endsInput(method, params)) throw new Failure(409, "stopped");
  if (method === "Page.navigate" && isInternal(params.url)) throw new Failure(409, "an internal page of the browser");
  if (method === "Page.navigateToHistoryEntry") await refuseInternalEntry(tab, params.entryId);
  note(entry, session, method, params);
  const to = session ? {tabId: tab, sessionId: session} : {tabId: tab};
  const result = await chrome.debugger.sendCommand(to, method, params).catch((error) => {
    if (warning.test(error.message)) return throughWarning(tab, method, params);
    if (unusable.test(error.message)) onUseless(tab).catch(() => {});
    throw error;
  });
  return method === "Page.getNavigationHistory" ? withoutInternal(result) : (result ?? {});
}

// warning matches Chromium's error for commands while a tab shows a warning of the browser, such as
// about a bad certificate. The debugger stays attached.
const warning = /^Cannot attach to this target/;

// throughWarning carries out Page.navigate in a tab that shows a warning: it opens about:blank
// first. Every other command fails there. It does not wait for longer than leaveLimit: the person may
// have closed the tab or taken it back. Then sending the command fails.
async function throughWarning(tabId, method, params) {
  if (method !== "Page.navigate") throw new Failure(409, "a warning of the browser");
  const {promise: left, resolve} = Promise.withResolvers();
  const on = (event) => event.tabId === tabId && event.frameId === 0 && resolve();
  const limit = setTimeout(resolve, leaveLimit);
  chrome.webNavigation.onCommitted.addListener(on);
  try {
    await chrome.tabs.update(tabId, {url: "about:blank"});
    await left;
  } finally {
    chrome.webNavigation.onCommitted.removeListener(on);
    clearTimeout(limit);
  }
  return chrome.debugger.sendCommand({tabId}, method, params);
}

const leaveLimit = 5000; // ms

// note records how the requests of the tab are paused, which attachPopup needs, and when a command
// was last sent that may open a popup. It also records whether the server has enabled the domains
// DOM and Overlay, which flash.js uses.
function note(entry, session, method, params) {
  if (acts.test(method)) showAct();
  if (/^(Input\.|Runtime\.(evaluate|callFunctionOn)|Page\.navigate)/.test(method)) entry.driven = Date.now();
  if (/^Fetch\.(continue|fail|fulfill)/.test(method)) delete entry.paused?.[params.requestId];
  const [domain, verb] = method.split(".");
  if (session || !["Fetch", "DOM", "Overlay"].includes(domain) || !["enable", "disable"].includes(verb)) return;
  if (domain === "Fetch") entry.fetch = verb === "enable" ? params : null;
  else (entry.enabled ??= {})[domain] = verb === "enable";
  save();
}

// withoutInternal blanks the entries of a tab's history that are pages of the browser or of
// extensions.
function withoutInternal(history) {
  const blank = {url: "about:blank", userTypedURL: "about:blank", title: ""};
  const entries = history.entries.map((entry) => (isInternal(entry.url) ? {...entry, ...blank} : entry));
  return {...history, entries};
}

async function refuseInternalEntry(tabId, id) {
  const {entries} = await chrome.debugger.sendCommand({tabId}, "Page.getNavigationHistory");
  if (isInternal(entries.find((entry) => entry.id === id)?.url)) throw new Failure(409, "an internal page of the browser");
}

const holding = new Map(); // the events that are held back, by tab, see holdEvents

// holdEvents holds back the events of a tab until the function that it returns is called.
export function holdEvents(tabId) {
  const events = [];
  holding.set(tabId, events);
  return () => {
    holding.delete(tabId);
    events.forEach((event) => number(event));
  };
}

// onEvent passes an event of a shared tab to the server. It sends the event of a dialog only after
// the dialog is stored. If the worker ended before that, the next hello would not have the dialog.
export function onEvent({tabId, sessionId}, method, params) {
  const entry = state.tabs[tabId];
  if (!entry) return;
  const saved = remember(entry, tabId, sessionId, method, params);
  if (method === "Page.javascriptDialogOpening" && !holding.has(tabId)) saved.finally(holdEvents(tabId));
  const event = {tab: tabId, session: sessionId, method, params};
  const held = holding.get(tabId);
  held ? held.push(event) : number(event);
}

// remember stores what the hello of the next connection must tell the server. It returns a promise
// that resolves when this is stored, or undefined if there is nothing to store.
function remember(entry, tab, session, method, params) {
  switch (method) {
    case "Target.attachedToTarget":
      state.kids[params.sessionId] = {tab, parent: session ?? "", info: shortened(params.targetInfo)};
      break;
    case "Target.targetInfoChanged": {
      const kid = Object.values(state.kids).find((kid) => kid.tab === tab && kid.info.targetId === params.targetInfo.targetId);
      if (kid) kid.info = shortened(params.targetInfo);
      break;
    }
    case "Target.detachedFromTarget":
      forgetKid(params.sessionId);
      break;
    case "Page.javascriptDialogOpening":
      entry.dialog = shortened(params);
      break;
    case "Page.javascriptDialogClosed":
      entry.dialog = null;
      break;
    case "Page.downloadWillBegin":
      onBegun(tab, params);
      return;
    case "Fetch.requestPaused":
      if (Date.now() - (entry.born ?? 0) > 5000) return; // only the first requests of new popups wait until the server is connected again
      (entry.paused ??= {})[params.requestId] = {session, at: Date.now()};
      break;
    default:
      return;
  }
  return save();
}

function forgetKid(session) {
  delete state.kids[session];
  for (const [child, kid] of Object.entries(state.kids)) if (kid.parent === session) forgetKid(child);
}

// failUnjudged fails the paused requests of popups that the server has neither continued nor failed
// within 2 seconds.
export function failUnjudged() {
  for (const [tabId, entry] of Object.entries(state.tabs)) {
    for (const [requestId, {session, at}] of Object.entries(entry.paused ?? {})) {
      if (Date.now() - at < 2000) continue;
      delete entry.paused[requestId];
      const to = session ? {tabId: +tabId, sessionId: session} : {tabId: +tabId};
      chrome.debugger.sendCommand(to, "Fetch.failRequest", {requestId, errorReason: "BlockedByClient"}).catch(() => {});
    }
  }
}

function holdAnew(tabId, fetch) {
  for (const to of sessionsOf(tabId)) {
    chrome.debugger.sendCommand(to, "Fetch.disable").catch(() => {}); // workers have no Fetch
    chrome.debugger.sendCommand(to, "Fetch.enable", fetch).catch(() => {});
  }
}

// sessionsOf returns the session of a tab, and those of its frames and workers.
function sessionsOf(tabId) {
  const kids = Object.keys(state.kids).filter((session) => state.kids[session].tab === tabId);
  return [{tabId}, ...kids.map((sessionId) => ({tabId, sessionId}))];
}

// letGo lets the person use the tabs whose requests are paused, even if the server does not come back.
// It detaches the debugger from them, which continues the requests. A tab with an open dialog is left
// as it is, since the dialog would be lost. It must be called again, for when the dialog has closed.
// Fetch is not disabled there: enabled again, it would have no effect on requests that the page sends
// when the dialog closes.
export async function letGo() {
  const held = Object.keys(state.tabs).filter((id) => state.tabs[id].fetch && !state.tabs[id].dialog);
  await Promise.all(held.map((id) => letGoOf(+id)));
}

// letGoOf detaches the debugger from a tab. If the server comes back, it attaches to the tab and sets it
// up again. Until then nobody attaches, as nobody would judge the requests.
async function letGoOf(tabId) {
  state.tabs[tabId].wanted = false;
  await release(tabId);
  change({detached: tabId, reason: "the server was away"});
}

// onEnd handles the end of an attachment that the person did not cause. The page is gone, or the
// tab shows a page that may not be driven. If the tab is still there, onEnd tries to attach again.
export async function onEnd(tabId, reason) {
  const entry = state.tabs[tabId];
  if (!entry) return;
  ended.add(tabId);
  const was = entry.attached;
  forget(tabId);
  await save();
  if (was) change({detached: tabId, reason});
  await tryAgain(tabId);
}

// unusable matches the errors of commands whose attachment is gone or does not work. Chromium
// accepts an attachment while a frame of another extension is loading, and then refuses every
// command.
const unusable = /^(Debugger is not attached|Cannot access)/;

// onUseless detaches the debugger from a tab where it accepts no commands, and tries to attach it
// again.
async function onUseless(tabId) {
  if (!state.tabs[tabId]?.attached) return;
  await chrome.debugger.detach({tabId}).catch(() => {});
  await onEnd(tabId, "target_closed");
}

// verify checks whether the attachment still accepts commands. It is called whenever a page or
// frame has loaded.
export async function verify(tabId) {
  if (!(await isOurs(tabId))) await onUseless(tabId);
}

// tryAgain attaches to a tab that the server wants attached and that is not, if Chromium now allows
// it.
export async function tryAgain(tabId) {
  const entry = state.tabs[tabId];
  if (!entry?.wanted || entry.attached || attaching.has(tabId)) return;
  if ((await chrome.tabs.get(tabId)).discarded) return; // a discarded tab is woken only when a call names it
  await attach(tabId);
  change({attached: tabId});
}

// check compares the stored state with what is attached: events may be lost when the extension's
// process is killed. A request that was paused then would stay paused for ever, because no server
// knows of it. So check continues all paused requests; only later ones are paused again.
export async function check() {
  await ready;
  const attached = Object.keys(state.tabs).filter((id) => state.tabs[id].attached);
  await Promise.all(attached.map(async (id) => {
    if (!(await isOurs(+id))) forget(+id);
    else if (state.tabs[id]?.fetch) holdAnew(+id, state.tabs[id].fetch);
  }));
  await save();
}
