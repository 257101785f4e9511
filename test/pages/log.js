// log tells a test what happened: the last event is the title, all of them are the lines of #out.
// A frame tells its top, so that one look at the page is enough.
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

// given returns a parameter of the page's address, or what is usual.
function given(name, usual) {
  return new URLSearchParams(location.search).get(name) ?? usual;
}

addEventListener("message", (event) => event.data?.log && log(event.data.log));
