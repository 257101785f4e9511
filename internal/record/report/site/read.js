// The recording that the Go package report has written into the document, and functions that read it.
const $ = (id) => document.getElementById(id);
const recording = JSON.parse($("recording").textContent);
const calls = recording.calls;

// The kinds of calls by which the list can be filtered; has says whether a call is of the kind.
const kinds = [
  { id: "all", name: "All", has: () => true },
  { id: "acts", name: "Acts", has: (call) => !!call.act },
  { id: "failed", name: "Failed", has: (call) => !!call.error },
  { id: "console", name: "Console", has: (call) => hasEvent(call, "console", "error") },
  { id: "network", name: "Network", has: (call) => hasEvent(call, "request") },
];

// hasEvent says whether one of these kinds of events belongs to a call.
function hasEvent(call, ...wanted) {
  return (call.events ?? []).some((event) => wanted.includes(event.kind));
}

// distinct returns the different values of a field of all calls, in the order in which they occur.
function distinct(field) {
  return [...new Set(calls.map((call) => call[field]).filter(Boolean))];
}

// wordsOf returns all text of a call that a search looks at, in lower case.
function wordsOf(call) {
  const { element, args = [], effects = [], events = [] } = call;
  const words = [call.title, call.op, call.tab, call.session, call.caller, call.url, call.error, call.code, element?.role, element?.name];
  for (const { name, text } of args) words.push(name, text);
  for (const { kind, text, url, status } of events) words.push(kind, text, url, status);
  return [...words, ...effects].filter(Boolean).join("\n").toLowerCase();
}

// callBefore returns the last call that began before a time.
function callBefore(time) {
  return calls.findLast((call) => call.time <= time);
}
