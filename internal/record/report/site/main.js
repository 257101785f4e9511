// The report as a whole: which calls the list shows, which call the stage shows, and the keys.
const stage = $("stage");
const wide = matchMedia("(min-width: 860px)");
let current = 0; // number of the call that the stage shows; 0: none
let visible = new Set(); // numbers of the calls that pass the filters

// look shows a call on the stage, and marks its row in the list.
function look(number, { focus = true } = {}) {
  const item = $(`c${number}`);
  if (!item) return;
  $(`c${current}`)?.querySelector(".row").removeAttribute("aria-current");
  current = number;
  const link = item.querySelector(".row");
  link.setAttribute("aria-current", "true");
  stage.replaceChildren(...detail(calls[number - 1]));
  place();
  showInOverview(visible, current);
  history.replaceState(null, "", `#c${number}`);
  if (!focus) return;
  link.focus({ preventScroll: true });
  item.scrollIntoView({ block: "nearest" });
}

// place puts the stage beside the list, or below the row of the call in a narrow window.
function place() {
  stage.hidden = !current;
  stage.scrollTop = 0;
  const parent = wide.matches || !current ? document.querySelector("main") : $(`c${current}`);
  if (stage.parentElement !== parent) parent.append(stage);
}

// leave closes the stage in a narrow window, where it is part of the list.
function leave() {
  if (wide.matches || !current) return;
  $(`c${current}`).querySelector(".row").removeAttribute("aria-current");
  current = 0;
  place();
  showInOverview(visible, current);
}

// update shows the calls that pass the filters, and hides the others.
function update() {
  visible = new Set(calls.filter(isShown).map(({ number }) => number));
  for (const { number } of calls) $(`c${number}`).hidden = !visible.has(number);
  const all = visible.size === calls.length;
  document.body.classList.toggle("narrowed", !all);
  $("count").textContent = all ? "" : `${visible.size} of ${many(calls.length, "call")}`;
  $("nothing").hidden = visible.size > 0 || calls.length === 0;
  showInOverview(visible, current);
}

// step looks at the next call in the list or, if by is negative, at the one before.
function step(by) {
  const numbers = [...visible];
  const next = by > 0 ? numbers.find((n) => n > current) : numbers.findLast((n) => n < current);
  if (next) look(next);
}

// What each key does, unless the focus is in a control that uses the key itself.
const keys = {
  ArrowDown: () => step(1),
  ArrowUp: () => step(-1),
  j: () => step(1),
  k: () => step(-1),
  "/": () => $("search").focus(),
  Escape: leave,
};

// press handles a key. Inputs and selects keep all keys but Escape.
function press(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const field = event.target.closest("input, select");
  if (field) {
    if (event.key === "Escape") escapeFrom(field);
    return;
  }
  const scrolls = event.target === stage && event.key.startsWith("Arrow");
  if (!keys[event.key] || scrolls) return;
  event.preventDefault();
  keys[event.key]();
}

// escapeFrom handles Escape in a control. It empties the search field or, if that is empty, moves the
// focus back to the list.
function escapeFrom(field) {
  if (field.id === "search" && field.value) return set("text", (field.value = ""), update);
  field.blur();
  if (current) $(`c${current}`).querySelector(".row").focus({ preventScroll: true });
}

// follow shows the call that a clicked link names. In a narrow window, a second click closes it.
function follow(event) {
  const link = event.target.closest("a[href^='#c']");
  if (!link || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const number = Number(link.hash.slice(2));
  if (number === current && link.classList.contains("row") && !wide.matches) return leave();
  if (!visible.has(number)) clearFilters(update);
  look(number);
}

// measureTop sets the CSS variable --top to the height of the header, which stays in view above the
// list.
function measureTop() {
  document.documentElement.style.setProperty("--top", `${$("top").offsetHeight}px`);
}

// summary writes the time from the first to the last call, and the totals.
function summary() {
  const first = calls[0], last = calls.at(-1);
  $("made").textContent = `Written on ${day(recording.made)}, ${clock(recording.made)}.`;
  if (first) $("span").textContent = `${day(first.time)}, ${clock(first.time)} – ${clock(last.time + last.ms)}`;
  const sum = (of) => calls.reduce((n, call) => n + of(call), 0);
  const totals = [
    many(calls.length, "call"),
    many(sum((call) => (call.act ? 1 : 0)), "act"),
    `${sum((call) => (call.error ? 1 : 0))} failed`,
    many(distinct("tab").length, "tab"),
    many(sum((call) => call.chars ?? 0), "character"),
  ];
  $("totals").append(...totals.map((text) => total(text)));
}

// total makes one item of the totals, with its number above its words.
function total(text) {
  const [number, ...words] = text.split(" ");
  return make("li", { class: words[0] === "failed" && number !== "0" ? "bad" : null }, make("b", null, number), " ", words.join(" "));
}

// notes writes what is missing in the report, and the events before the first call in a tab.
function notes() {
  const { dropped, missing, early } = recording;
  if (dropped) $("notes").append(make("p", { class: "note" }, `${many(dropped, "earlier call")} had to make room, and ${dropped === 1 ? "is" : "are"} not here.`));
  if (missing) $("notes").append(make("p", { class: "note" }, `Not complete: ${missing}.`));
  if (calls.length === 0) $("notes").append(make("p", { class: "note" }, "Nothing was recorded."));
  if (early) $("notes").append(make("details", { class: "note" }, make("summary", null, `${many(early.length, "event")} before the first call in a tab`), allEvents(early)));
}

// start shows the report. The stage shows the call in the fragment of the address or, in a wide
// window, the first call.
function start() {
  summary();
  notes();
  $("calls").append(...calls.flatMap((call, i) => [pause(calls[i - 1], call), row(call)]).filter(Boolean));
  drawOverview();
  makeFilters(update);
  update();
  document.addEventListener("keydown", press);
  document.addEventListener("click", follow);
  overview.addEventListener("click", (event) => look(Number(event.target.closest("[data-call]")?.dataset.call)));
  addEventListener("beforeprint", developAll);
  wide.addEventListener("change", place);
  new ResizeObserver(measureTop).observe($("top"));
  const named = Number(location.hash.slice(2));
  if (named && $(`c${named}`)) look(named);
  else if (calls.length > 0 && wide.matches) look(1, { focus: false });
  performance.mark("shown");
}

start();
