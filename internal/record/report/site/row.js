// The list of calls.

// shortEvents is how many events the list shows of a call.
const shortEvents = 4;

// The list shows a pause between two calls if it was at least this long, in milliseconds.
const longPause = 60e3;

// The names of tabs and sessions are written only where there are several.
const manyTabs = distinct("tab").length > 1;
const manySessions = distinct("session").length > 1;

// lastShown has the number of the last picture that the list shows, for each tab.
const lastShown = new Map();

// row makes the row of a call.
function row(call) {
  const item = make("li", { id: `c${call.number}`, class: `call ${stateOf(call)}` });
  const shot = thumbnail(call);
  item.append(
    make(
      "a",
      { class: "row", href: `#c${call.number}` },
      make("span", { class: "when" }, make("time", { datetime: new Date(call.time).toISOString() }, clock(call.time))),
      make("span", { class: "about" }, make("span", { class: "what" }, title(call), " ", subject(call.element)), make("span", { class: "facts" }, ...facts(call))),
      shot ? picture(shot, shot === call.before ? call.element.box : null) : null,
    ),
  );
  if (call.error) item.append(make("p", { class: "error" }, foreign(call.error)));
  if (call.events) item.append(shortList(call));
  return item;
}

// thumbnail chooses the picture of a row. If the call acted on an element, that is the picture before
// the call, which shows the element; else the one after it. A call that does not act gets a picture
// only if the list has not just shown it.
function thumbnail(call) {
  const shot = call.element?.box && call.before ? call.before : call.after;
  if (!shot || (!call.act && lastShown.get(call.tab) === shot.picture)) return null;
  lastShown.set(call.tab, (call.after ?? shot).picture);
  return shot;
}

// stateOf returns the classes of a call.
function stateOf(call) {
  return [call.act && "act", call.error && "failed", call.batch && "part"].filter(Boolean).join(" ");
}

// title writes what was called, with the name of the operation in bold.
function title(call) {
  const rest = call.title.startsWith(`${call.op} `) ? call.title.slice(call.op.length) : "";
  return make("span", { class: "title" }, make("b", null, rest ? call.op : call.title), foreign(rest));
}

// facts lists how a call went: the code of its error, its effects, its tab and session, its duration.
function facts(call) {
  const list = [];
  if (call.error) list.push(make("span", { class: "tag bad" }, call.code ?? "failed"));
  for (const effect of call.effects ?? []) list.push(make("span", { class: "tag" }, effectNames[effect] ?? effect));
  list.push(make("span", { class: "quiet" }, [manyTabs && call.tab, manySessions && call.session, lasting(call.ms)].filter(Boolean).join(" · ")));
  return list;
}

// shortList lists the first events of a call. The stage shows all of them.
function shortList(call) {
  const list = make("ul", { class: "events" }, ...call.events.slice(0, shortEvents).map((event) => make("li", null, eventLine(event))));
  const more = call.events.length - shortEvents;
  if (more > 0) list.append(make("li", null, linkTo(call.number, `${more} more`)));
  return list;
}

// pause makes the line between two calls that are far apart, or on different days.
function pause(before, call) {
  if (!before) return null;
  const ms = call.time - before.time - before.ms;
  if (day(before.time) !== day(call.time)) return make("li", { class: "pause" }, day(call.time));
  return ms >= longPause ? make("li", { class: "pause" }, `${lasting(ms)} later`) : null;
}
