// Functions that make elements and texts. Text goes into the document as text nodes, never as markup.

// make makes an element with attributes and children. A child is a node, a text, or nothing.
function make(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

// draw makes an element of SVG.
function draw(tag, attributes, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

// fill gives an element its attributes and children. An attribute that is null or false is left out.
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}

// foreign writes text of a page in a bdi element: right-to-left text must not reorder the text beside
// it.
function foreign(text) {
  return make("bdi", null, text);
}

// two writes a number with at least two digits.
const two = (n) => String(n).padStart(2, "0");

// clock writes a time of the day; exact adds the milliseconds.
function clock(time, exact) {
  const t = new Date(time);
  const text = `${two(t.getHours())}:${two(t.getMinutes())}:${two(t.getSeconds())}`;
  return exact ? `${text}.${String(t.getMilliseconds()).padStart(3, "0")}` : text;
}

// day writes a date.
function day(time) {
  return new Date(time).toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });
}

// lasting writes how long something took, in milliseconds.
function lasting(ms) {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60e3) return `${(ms / 1000).toFixed(1)} s`;
  const minutes = Math.round(ms / 60e3);
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

// many writes a number of things, such as 1 call and 2 calls.
function many(n, one, more = one + "s") {
  return `${n.toLocaleString("en")} ${n === 1 ? one : more}`;
}

// The words for kinds of events.
const eventNames = { console: "console", error: "page error", request: "request", dialog: "dialog", download: "download", newTab: "new tab" };

// The words for effects of an act whose names are not plain words.
const effectNames = { newTab: "new tab", fileChooser: "file chooser" };

// subject writes the element of a call, such as: button “Add to cart”.
function subject(element) {
  if (!element?.role && !element?.name) return null;
  const name = element.name ? foreign(`“${element.name}”`) : null;
  return make("span", { class: "subject" }, element.role ?? "element", name && " ", name);
}

// eventLine writes an event: its kind, HTTP status, text and address. For a new tab it links to the
// first call in that tab.
function eventLine(event) {
  const failed = event.status ? `${event.status}` : null;
  const target = event.first ? linkTo(event.first, `call ${event.first}`) : null;
  return make(
    "span",
    { class: "event" },
    make("span", { class: `kind ${severity(event)}` }, eventNames[event.kind] ?? event.kind),
    make("span", { class: "said" }, failed && make("b", null, failed), failed && " ", foreign(event.text), target && " → ", target),
    event.url ? make("span", { class: "at" }, foreign(event.url)) : null,
  );
}

// severity returns the CSS class of an event: bad, warned or plain.
function severity(event) {
  if (event.kind === "error" || event.kind === "request") return "bad";
  return event.kind === "console" ? "warned" : "plain";
}

// linkTo makes a link to a call.
function linkTo(number, text) {
  return make("a", { href: `#c${number}` }, text);
}
