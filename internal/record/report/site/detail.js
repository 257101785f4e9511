// The detail of one call.

// detail makes the elements that show one call on the stage, the part of the page for one call.
function detail(call) {
  const parts = [heading(call), shots(call)];
  if (call.error) parts.push(make("p", { class: "error" }, foreign(call.error)));
  parts.push(factList(call));
  if (call.args) parts.push(make("h3", null, "Arguments"), pairs(call.args.map(({ name, text }) => [name, foreign(text)]), "args"));
  if (call.events) parts.push(make("h3", null, "What happened"), allEvents(call.events));
  return parts;
}

// heading writes what was called, and whether it succeeded.
function heading(call) {
  const verdict = call.error ? make("span", { class: "tag bad" }, call.code ?? "failed") : make("span", { class: "tag good" }, "ok");
  return make("h2", { id: "stage-title" }, title(call), " ", subject(call.element), " ", verdict);
}

// shots shows the tab before and after a call. The element is outlined on the picture before it.
function shots(call) {
  const figures = [];
  const name = call.element?.name ?? call.element?.ref ?? "the element";
  if (call.before) {
    const label = call.element?.box ? `Before: ${name} is outlined` : "Before";
    figures.push(figure(call.before.earlier ? "Some acts earlier" : "Before", call.before, call.element?.box, label));
  }
  if (call.after) figures.push(figure(call.before ? "After" : "The tab", call.after, null, "The tab after the call"));
  return make("div", { class: "shots" }, ...figures);
}

// figure shows one picture with a caption.
function figure(caption, shot, box, label) {
  return make("figure", null, picture(shot, box, { label, dim: true }), make("figcaption", null, `${caption} · ${clock(shot.time, true)}`));
}

// factList lists what is known of a call.
function factList(call) {
  const element = call.element;
  return pairs([
    ["Began", `${clock(call.time, true)}, ${day(call.time)}`],
    ["Took", lasting(call.ms)],
    ["Answer", call.chars ? many(call.chars, "character") : null],
    ["Tab", openedBy(call)],
    ["Session", call.session && foreign(call.session)],
    ["Caller", call.caller && foreign(call.caller)],
    ["Batch", call.batch ? linkTo(call.batch, `part of call ${call.batch}`) : null],
    ["Element", element && make("span", null, subject(element) ?? "", element.ref ? ` ${element.ref}` : "")],
    ["Effects", call.effects && call.effects.map((effect) => effectNames[effect] ?? effect).join(", ")],
    ["Address", call.url && foreign(call.url)],
  ]);
}

// openedBy writes the tab of a call, with a link to the call that opened it.
function openedBy(call) {
  return make("span", null, call.tab, call.openedBy ? ", opened by " : null, call.openedBy ? linkTo(call.openedBy, `call ${call.openedBy}`) : null);
}

// pairs lists names with values, without those that have no value.
function pairs(list, kind = "pairs") {
  return make("dl", { class: kind }, ...list.filter(([, value]) => value).map(([name, value]) => make("div", { class: name === "Address" && "long" }, make("dt", null, name), make("dd", null, value))));
}

// allEvents lists events with their times.
function allEvents(events) {
  return make("ol", { class: "events" }, ...events.map((event) => make("li", null, make("time", null, clock(event.time, true)), " ", eventLine(event))));
}
