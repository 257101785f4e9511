// The pages that the tool and the command line of OpenClaw are tried on.
import http from "node:http";
import { once } from "node:events";

const form = `<title>Form</title><h1>Form</h1>
<input id=name aria-label=Name><input id=mail type=email aria-label=Email><input type=checkbox id=agree aria-label="I agree">
<select id=color aria-label=Color><option>Red<option>Green<option>Blue</select>
<input type=file id=file aria-label=File><button id=choose onclick="file.click()">Choose</button>
<button id=ok onclick="say('clicked ' + document.getElementById('name').value)">Submit</button>
<button onclick="say('answer ' + confirm('Sure?'))">Ask</button>
<button onclick="say('name ' + prompt('Who?', 'me'))">Call</button>
<a href=/report.csv download>Report</a> <a href=/next>Next</a>
<button draggable=true ondragstart="event.dataTransfer.setData('text', 'x')">Source</button>
<button ondragover="event.preventDefault()" ondrop="say('dropped')">Target</button>
<button onmouseenter="say('hovered')">Hover</button>
<button onclick="fetch('/api/data.json')">Fetch</button>
<p id=out></p><iframe srcdoc="<button>Inside</button>"></iframe>
<div style="height:2000px"></div><button>Far</button>
<script>
const say = (text) => { out.textContent = text };
console.log("a message"); console.error("a mistake"); fetch("/api/data.json"); setTimeout(() => { throw new Error("boom") });
</script>`;

const pages = {
  "/": form,
  "/form.html": form,
  "/index": `<title>Index</title><h1>Index</h1><a href=/form.html>Form</a>`,
  "/next": `<title>Next</title><main>${"Some words to read. ".repeat(30)}</main>`,
  "/leave": `<title>Leave</title><button>Touch</button><script>onbeforeunload = (e) => e.preventDefault()</script>`,
  "/alert": `<title>Alert</title><script>alert("at load")</script>`,
};

const files = {
  "/report.csv": ["text/csv", "a,b\n1,2\n"],
  "/api/data.json": ["application/json", '{"a":1}'],
};

// serve returns the address of a page of the site, and what ends it.
export async function serve() {
  const server = http.createServer((req, res) => {
    const path = req.url.replace(/\?.*/, "");
    if (path === "/never") return;
    if (pages[path]) return res.setHeader("Content-Type", "text/html").end(pages[path]);
    if (!files[path]) return res.writeHead(404).end();
    const [type, text] = files[path];
    if (path === "/report.csv") res.setHeader("Content-Disposition", "attachment; filename=report.csv");
    res.setHeader("Content-Type", type).end(text);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const end = () => { server.close(); server.closeAllConnections(); };
  return { at: (path) => `http://127.0.0.1:${server.address().port}${path}`, end };
}
