// A red frame shows the person where an agent acts.

import {Failure, shared} from "./debuggee.js";
import {state} from "./state.js";

const lasts = 400; // ms
const color = {r: 200, g: 50, b: 40, a: 0.25};
const shown = new Map(); // the timers that remove the frames, by tab

// flash frames a rectangle of the viewport, in CSS pixels, for a moment. It fails if the server
// itself uses the domain Overlay in the tab, so that the server's highlights stay.
export async function flash({tab, x, y, width, height}) {
  const entry = shared(tab);
  if (!entry.attached || entry.enabled?.Overlay) throw new Failure(409, "not now");
  const rect = {x: Math.round(x), y: Math.round(y), width: Math.round(width), height: Math.round(height)};
  clearTimeout(shown.get(tab));
  shown.set(tab, setTimeout(() => clear(tab), lasts));
  await Promise.all([
    send(tab, "DOM.enable"), // Overlay.enable fails without it
    send(tab, "Overlay.enable"),
    send(tab, "Overlay.highlightRect", {...rect, color, outlineColor: {...color, a: 1}}),
  ]);
}

function send(tabId, method, params) {
  return chrome.debugger.sendCommand({tabId}, method, params);
}

// clear removes the frame. Domains that the server has enabled meanwhile stay enabled.
function clear(tab) {
  shown.delete(tab);
  const {attached, enabled} = state.tabs[tab] ?? {};
  if (!attached) return;
  for (const domain of ["Overlay", "DOM"]) if (!enabled?.[domain]) send(tab, `${domain}.disable`).catch(() => {});
}

// clearAll removes frames that an earlier start of this service worker has drawn, and could not
// remove before it ended.
export function clearAll() {
  Object.keys(state.tabs).forEach((id) => clear(+id));
}
