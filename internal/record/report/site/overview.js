// The overview: one bar for each call, whose height shows how long the call took.
const overview = $("overview");
const high = 32;

// drawOverview draws the bars. Below the bar of a call with events is a dot.
function drawOverview() {
  overview.setAttribute("viewBox", `0 0 ${Math.max(calls.length, 1)} ${high + 6}`);
  const longest = Math.max(...calls.map((call) => call.ms), 1000);
  overview.style.maxWidth = `${calls.length * 18}px`;
  overview.replaceChildren(...calls.map((call, i) => bar(call, i, longest)));
}

// bar draws the bar of a call. Heights are logarithmic, so that the bars of short calls can be seen.
function bar(call, i, longest) {
  const height = Math.max(3, (high * Math.log10(1 + call.ms)) / Math.log10(1 + longest));
  const parts = [draw("rect", { class: "all", x: i, y: 0, width: 1, height: high + 6 }), draw("rect", { class: "length", x: i + 0.12, y: high - height, width: 0.76, height })];
  if (call.events) parts.push(draw("rect", { class: "dot", x: i + 0.2, y: high + 2, width: 0.6, height: 3 }));
  return draw("g", { class: stateOf(call), "data-call": call.number }, ...parts, draw("title", null, `${clock(call.time)} ${call.title}`));
}

// showInOverview marks the current call, and the calls that the filters hide.
function showInOverview(visible, current) {
  for (const group of overview.children) {
    const number = Number(group.dataset.call);
    group.classList.toggle("out", !visible.has(number));
    group.classList.toggle("current", number === current);
  }
}
