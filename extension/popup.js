// What the person sees when they press the extension's button.

const by = (id) => document.getElementById(id);
const texts = {connected: "connected", away: "chela is not running", unpaired: "not paired", refused: "refused"};

async function ask(message) {
  const {result, error} = await chrome.runtime.sendMessage(message);
  if (error) throw new Error(error);
  return result;
}

// press sends the message of a button to the worker, and shows the error if that fails.
async function press(message) {
  by("error").textContent = "";
  await ask(message).catch((error) => (by("error").textContent = error.message));
  await show();
}

// show shows the present state in the popup.
async function show() {
  const now = await ask({do: "show"});
  const [here] = await chrome.tabs.query({active: true, lastFocusedWindow: true});
  const shared = now.tabs.some((tab) => tab.tabId === here?.id);
  by("status").textContent = now.paired ? texts[now.is] + (now.is === "refused" ? `: ${now.reason}` : "") : texts.unpaired;
  if (now.unsaved) by("status").textContent += `; cannot store its state: ${now.unsaved}`;
  by("pairing").hidden = now.paired && now.is !== "refused";
  by("sharing").hidden = !now.paired;
  button("share", shared ? "Take this tab back" : "Share this tab", {do: shared ? "unshare" : "share", tab: here?.id});
  button("stop", now.stopped ? "Go on" : "Stop", {do: now.stopped ? "go" : "stop"});
  list(now.tabs);
  return now;
}

function button(id, text, message) {
  by(id).textContent = text;
  by(id).onclick = () => press(message);
}

const rows = new Map(); // the elements of the list, by the ids of their tabs

// list shows the shared tabs. The element of a tab stays, so that its button keeps the focus, and a
// click on it is not lost.
function list(tabs) {
  for (const [id, item] of rows) {
    if (tabs.some((tab) => tab.tabId === id)) continue;
    item.remove();
    rows.delete(id);
  }
  tabs.forEach((tab, i) => {
    if (!rows.has(tab.tabId)) rows.set(tab.tabId, row(tab.tabId));
    const item = rows.get(tab.tabId);
    item.querySelector("span").textContent = tab.title || tab.url || "a page of the browser";
    item.querySelector("small").textContent = tab.held || (tab.discarded ? "asleep" : tab.name);
    const place = by("tabs").children[i] ?? null;
    if (item !== place) by("tabs").insertBefore(item, place);
  });
}

// row makes the element of a shared tab, with a button that takes the tab back.
function row(id) {
  const back = Object.assign(document.createElement("button"), {textContent: "Take back"});
  back.onclick = () => press({do: "unshare", tab: id});
  const item = document.createElement("li");
  item.append(document.createElement("span"), document.createElement("small"), back);
  return item;
}

by("pairing").onsubmit = (event) => {
  event.preventDefault();
  press({do: "pair", digits: by("digits").value});
};

let asked = false;

// look shows the state. If the browser has no key, or the server refuses its key, look asks once
// for another one. It asks the program that `chela extension install` has registered. The worker
// asks only when it starts, and may have learned later that the key is refused.
async function look() {
  const {paired, is} = await show();
  if (asked || (paired && is !== "refused")) return;
  asked = true;
  await press({do: "askHost"});
}

look();
setInterval(look, 1000); // only while the popup is open
