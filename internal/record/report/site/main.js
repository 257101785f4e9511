// The report as a whole: what is shown, which call is looked at, and the keys.
const stage = $("stage");
const wide = matchMedia("(min-width: 860px)");
let current = 0; // number of the call that is looked at; 0: none
let visible = new Set(); // numbers of the calls that the filters leave

// look shows the detail of a call. In a narrow window it stands below the row of the call.
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

// leave closes the detail, where it covers the list.
function leave() {
  if (wide.matches || !current) return;
  $(`c${current}`).querySelector(".row").removeAttribute("aria-current");
  current = 0;
  place();
  showInOverview(visible, current);
}

// update shows the calls that the filters leave.
function update() {
  visible = new Set(calls.filter(isShown).map(({ number }) => number));
  for (const { number } of calls) $(`c${number}`).hidden = !visible.has(number);
  const all = visible.size === calls.length;
  document.body.classList.toggle("narrowed", !all);
  $("count").textContent = all ? "" : `${visible.size} of ${many(calls.length, "call")}`;
  $("nothing").hidden = visible.size > 0 || calls.length === 0;
  showInOverview(visible, current);
}

// step moves to the next call that is shown, or to the one before it.
function step(by) {
  const numbers = [...visible];
  const next = by > 0 ? numbers.find((n) => n > current) : numbers.findLast((n) => n < current);
  if (next) look(next);
}

// The keys, as far as no control needs them for itself.
const keys = {
  ArrowDown: () => step(1),
  ArrowUp: () => step(-1),
  j: () => step(1),
  k: () => step(-1),
  "/": () => $("search").focus(),
  Escape: leave,
};

// press handles a key. In the field for the search, Escape empties it first, and then returns to the list.
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

// escapeFrom ends the use of a control: a search is emptied, then the list has the keys again.
function escapeFrom(field) {
  if (field.id === "search" && field.value) return set("text", (field.value = ""), update);
  field.blur();
  if (current) $(`c${current}`).querySelector(".row").focus({ preventScroll: true });
}

// follow looks at the call that a link names. A second click closes the detail in a narrow window.
function follow(event) {
  const link = event.target.closest("a[href^='#c']");
  if (!link || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const number = Number(link.hash.slice(2));
  if (number === current && link.classList.contains("row") && !wide.matches) return leave();
  if (!visible.has(number)) clearFilters(update);
  look(number);
}

// measureTop tells the style how high the header is, which stays in view above the list.
function measureTop() {
  document.documentElement.style.setProperty("--top", `${$("top").offsetHeight}px`);
}

// summary writes when the calls were, and how many they were.
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

// total makes one figure of the summary, with its number above its words.
function total(text) {
  const [number, ...words] = text.split(" ");
  return make("li", { class: words[0] === "failed" && number !== "0" ? "bad" : null }, make("b", null, number), " ", words.join(" "));
}

// notes writes what is not in the report, and what happened before the first call in a tab.
function notes() {
  const { dropped, missing, early } = recording;
  if (dropped) $("notes").append(make("p", { class: "note" }, `${many(dropped, "earlier call")} had to make room, and ${dropped === 1 ? "is" : "are"} not here.`));
  if (missing) $("notes").append(make("p", { class: "note" }, `Not complete: ${missing}.`));
  if (calls.length === 0) $("notes").append(make("p", { class: "note" }, "Nothing was recorded."));
  if (early) $("notes").append(make("details", { class: "note" }, make("summary", null, `${many(early.length, "event")} before the first call in a tab`), allEvents(early)));
}

// start shows the report: the call that the address names, or the first one beside the list.
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
