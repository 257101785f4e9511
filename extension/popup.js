// What the person sees when they press the extension's button.

const by = (id) => document.getElementById(id);
const texts = {connected: "connected", away: "chela is not running", unpaired: "not paired", refused: "refused"};

async function ask(message) {
  const {result, error} = await chrome.runtime.sendMessage(message);
  if (error) throw new Error(error);
  return result;
}

// press does what a button is for, and shows what went wrong.
async function press(message) {
  by("error").textContent = "";
  await ask(message).catch((error) => (by("error").textContent = error.message));
  await show();
}

// show draws the present state.
async function show() {
  const now = await ask({do: "show"});
  const [here] = await chrome.tabs.query({active: true, lastFocusedWindow: true});
  const shared = now.tabs.some((tab) => tab.tabId === here?.id);
  by("status").textContent = now.paired ? texts[now.is] + (now.is === "refused" ? `: ${now.reason}` : "") : texts.unpaired;
  by("pairing").hidden = now.paired && now.is !== "refused";
  by("sharing").hidden = !now.paired;
  button("share", shared ? "Take this tab back" : "Share this tab", {do: shared ? "unshare" : "share", tab: here?.id});
  button("stop", now.stopped ? "Go on" : "Stop", {do: now.stopped ? "go" : "stop"});
  by("tabs").replaceChildren(...now.tabs.map(row));
  return now;
}

function button(id, text, message) {
  by(id).textContent = text;
  by(id).onclick = () => press(message);
}

// row returns the element of the list that shows a shared tab, with a button that takes the tab
// back.
function row(tab) {
  const title = Object.assign(document.createElement("span"), {textContent: tab.title || tab.url || "a page of the browser"});
  const why = Object.assign(document.createElement("small"), {textContent: tab.held || (tab.discarded ? "asleep" : tab.name)});
  const back = Object.assign(document.createElement("button"), {textContent: "Take back"});
  back.onclick = () => press({do: "unshare", tab: tab.tabId});
  const item = document.createElement("li");
  item.append(title, why, back);
  return item;
}

by("pairing").onsubmit = (event) => {
  event.preventDefault();
  press({do: "pair", digits: by("digits").value});
};

let asked = false;

// look shows the state. If the browser has no key, or the server refuses its key, look asks the
// program of `chela extension install` once for another. It asks here, because the worker may have
// learned only now that the key is refused.
async function look() {
  const {paired, is} = await show();
  if (asked || (paired && is !== "refused")) return;
  asked = true;
  await press({do: "askHost"});
}

look();
setInterval(look, 1000); // the popup is open for a few seconds
