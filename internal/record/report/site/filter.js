// The filters: the list shows only calls of this kind, tab and session, with these words ("" is any).
const wanted = { kind: "all", tab: "", session: "", text: "" };
const searchable = new Map(); // the searchable words of a call by its number; filled when it is first searched

// isShown says whether a call passes the filters.
function isShown(call) {
  if (!kinds.find(({ id }) => id === wanted.kind).has(call)) return false;
  if (wanted.tab && call.tab !== wanted.tab) return false;
  if (wanted.session && call.session !== wanted.session) return false;
  if (!wanted.text) return true;
  if (!searchable.has(call.number)) searchable.set(call.number, wordsOf(call));
  return wanted.text.split(/\s+/).every((word) => searchable.get(call.number).includes(word));
}

// makeFilters makes the controls of the filters, and calls changed when one is used.
function makeFilters(changed) {
  for (const kind of kinds) {
    const number = calls.filter(kind.has).length;
    const radio = make("input", { type: "radio", name: "kind", value: kind.id, checked: kind.id === "all" ? "" : false, disabled: number === 0 && kind.id !== "all" ? "" : false });
    radio.addEventListener("change", () => set("kind", kind.id, changed));
    $("kinds").append(make("label", null, radio, make("span", null, kind.name, " ", make("span", { class: "number" }, String(number)))));
  }
  makeChoice($("tabs"), "tab", "All tabs", changed);
  makeChoice($("sessions"), "session", "All sessions", changed);
  $("search").addEventListener("input", () => set("text", $("search").value.trim().toLowerCase(), changed));
  $("clear").addEventListener("click", () => clearFilters(changed));
}

// makeChoice fills the select of a filter with the values that a field of the calls has. It hides the
// select if there are fewer than two.
function makeChoice(label, field, all, changed) {
  const values = distinct(field);
  label.hidden = values.length < 2;
  const select = label.querySelector("select");
  select.append(make("option", { value: "" }, all), ...values.map((value) => make("option", { value }, value)));
  select.addEventListener("change", () => set(field, select.value, changed));
}

function set(field, value, changed) {
  wanted[field] = value;
  changed();
}

// clearFilters shows all calls again.
function clearFilters(changed) {
  Object.assign(wanted, { kind: "all", tab: "", session: "", text: "" });
  $("kinds").querySelector("input").checked = true;
  for (const select of document.querySelectorAll(".tools select")) select.value = "";
  $("search").value = "";
  changed();
}
