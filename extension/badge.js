// What the extension's button shows: how many tabs are shared, and whether an agent is acting in
// one.

import {state} from "./state.js";

const colors = {stopped: "#888888", acting: "#b06000", shared: "#c83228"};
const lasts = 2000; // ms for which the button shows that an agent has acted
let acting = null; // the timer that ends the display of the last act; null while none is shown

// badge shows the present state on the extension's button.
export function badge() {
  const count = Object.keys(state.tabs).length;
  const is = state.stopped ? "stopped" : acting ? "acting" : "shared";
  const titles = {stopped: "agents are stopped", acting: "an agent is at work", shared: `${count} shared`};
  chrome.action.setBadgeText({text: count ? String(count) : ""});
  chrome.action.setBadgeBackgroundColor({color: colors[is]});
  chrome.action.setTitle({title: count || state.stopped ? `chela: ${titles[is]}` : "chela"});
}

// showAct shows for a moment that an agent acts.
export function showAct() {
  const before = acting;
  clearTimeout(before);
  acting = setTimeout(() => {
    acting = null;
    badge();
  }, lasts);
  if (!before) badge();
}
