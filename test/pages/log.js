// log reports to the test what happened. The last event is the title, and all events are the lines
// of the element #out. A frame sends its events to the top page, so a test looks only there.
function log(text) {
  if (window !== top) return top.postMessage({ log: text }, "*");
  document.title = text;
  let out = document.getElementById("out");
  if (!out) {
    out = document.createElement("pre");
    out.id = "out";
    document.body.append(out);
  }
  out.append(text + "\n");
}

// given returns a parameter of the page's address, or a default.
function given(name, usual) {
  return new URLSearchParams(location.search).get(name) ?? usual;
}

// hold lets nothing else run in the page until the server has answered at an address. It leaves the
// processor to others.
function hold(address) {
  const request = new XMLHttpRequest();
  request.open("GET", address, false);
  request.send();
}

addEventListener("message", (event) => event.data?.log && log(event.data.log));
