// Drives chela with the command line of OpenClaw, as it is in the package, by a gateway that has loaded chela's module,
// and with the agent tool of that gateway: node cli.mjs PACKAGE GATEWAY TOKEN
import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { serve } from "./site.mjs";

const [openclaw, gateway, token] = process.argv.slice(2);
const program = path.resolve(openclaw, "openclaw.mjs");
const { at, end } = await serve();

// Each command is a program of its own, which takes some seconds of processor time to start.
let commands = 0;
const run = (words) => new Promise((resolve) => {
  commands++;
  execFile(process.execPath, [program, "browser", ...words], { timeout: 120_000 },
    (error, out, err) => resolve({ failed: Boolean(error), text: `${out}\n${err}` }));
});

// What goes wrong is printed, and the rest is tried all the same.
let wrong = 0;
async function tried(words, shows, fails) {
  const { failed, text } = await run(words);
  if (failed !== fails || !shows.test(text)) {
    wrong++;
    console.log(`openclaw browser ${words.join(" ")}: want ${shows}${fails ? ", and a failure" : ""}, got ${text}`);
  }
  return text;
}

const ok = (words, shows) => tried(words, shows, false);
const fails = (words, message) => tried(words, message, true);
const evaluate = (fn, shows) => ok(["evaluate", "--fn", fn], shows);

// file checks how the file begins that a command says it has written. Home directories are written as ~ there.
async function file(words, shows, begins) {
  const name = (await ok(words, shows)).match(shows)?.[1].replace(/^~/, process.env.HOME);
  const head = name && fs.readFileSync(name).subarray(0, begins.length).toString("latin1");
  if (head !== begins) {
    wrong++;
    console.log(`openclaw browser ${words.join(" ")}: ${name} begins with ${head}`);
  }
}

await ok(["start"], /browser \[chela\] running: true/);
await ok(["status"], /^cdpUrl: http:\/\/127\.0\.0\.1:\d+$/m);
await ok(["doctor"], /OK +browser|OK browser/);
await ok(["profiles"], /chela: running[^]*\[default\]/);
await ok(["create-profile", "--name", "fresh"], /Created profile "fresh"/);
await ok(["--browser-profile", "fresh", "status"], /running: false/);
await ok(["delete-profile", "--name", "fresh"], /Deleted profile "fresh"/);

await ok(["open", at("/"), "--label", "cli"], /label: cli/);
await ok(["tabs"], /1\. Form \[use: cli tab: t\d+ label:cli\]/);
await ok(["tab", "new", "--label", "other"], /opened new tab t\d+ \(other\)/);
await ok(["tab", "select", "1"], /selected tab 1/);
await ok(["tab", "label", "other", "second"], /labeled tab t\d+ as second/);
await ok(["close", "second"], /closed tab/);
await ok(["focus", "cli"], /focused tab cli/);

const text = await ok(["snapshot"], /textbox "Name" \[ref=e\d+\]/);
const ref = (name) => text.match(new RegExp(`"${name}".*?\\[ref=(\\w+)\\]`))?.[1] ?? "none";
await ok(["snapshot", "--format", "aria", "--limit", "30"], /- heading .*Form.*\[ref=ax\d+\]/);
await ok(["snapshot", "--efficient", "--urls"], /\/next/);
await file(["snapshot", "--labels"], /^(\S+\.png)$/m, "\x89PNG");
await file(["screenshot"], /^(\S+\.png)$/m, "\x89PNG");
await file(["screenshot", "--full-page", "--type", "jpeg"], /^(\S+\.jpg)$/m, "\xff\xd8\xff");
await file(["pdf"], /PDF: ?(\S+)/, "%PDF");

await ok(["type", ref("Name"), "Ada", "--submit"], /typed into ref/);
await ok(["click", ref("Submit")], /clicked ref e\d+ on http/);
await evaluate("() => out.textContent", /clicked Ada/);
await ok(["click-coords", "5", "5"], /clicked 5,5/);
await ok(["press", "Tab"], /pressed Tab/);
await ok(["hover", ref("Hover")], /hovered ref/);
await ok(["scrollintoview", ref("Far")], /scrolled into view/);
await ok(["drag", ref("Source"), ref("Target")], /dragged/);
await ok(["select", ref("Color"), "Green"], /selected Green/);
await ok(["fill", "--fields", JSON.stringify([{ ref: ref("Email"), value: "a@b.example" }])], /filled 1 field/);
await ok(["resize", "900", "700"], /resized to 900x700/);
await ok(["wait", "--text", "Form"], /wait complete/);
await ok(["batch", "--actions", JSON.stringify([{ kind: "press", key: "Tab" }, { kind: "wait", timeMs: 5 }])], /batch ran 2 action/);
await fails(["click", "e999"], /Unknown ref "e999"/);
await fails(["navigate", "http://blocked.test/"], /blocked by policy/);

await ok(["dialog", "--accept", "--prompt", "Grace"], /dialog armed/);
await ok(["click", ref("Call")], /clicked ref/);
await evaluate("() => out.textContent", /name Grace/);
await ok(["click", ref("Ask")], /blocked by a modal dialog/);
await fails(["screenshot"], /blocked by a modal dialog/);
await ok(["dialog", "--dismiss"], /dialog/);

const uploads = "/tmp/openclaw/uploads";
fs.mkdirSync(uploads, { recursive: true, mode: 0o700 });
fs.writeFileSync(path.join(uploads, "dropin.txt"), "hello");
await ok(["upload", path.join(uploads, "dropin.txt"), "--input-ref", ref("File")], /upload/);
await evaluate("() => file.files[0].name", /dropin.txt/);
fs.rmSync(path.join(uploads, "dropin.txt"));
await file(["download", ref("Report"), "cli.csv"], /downloaded: (\S+)/, "a,b\n1,2\n");

await ok(["console", "--level", "error"], /a mistake/);
await ok(["errors"], /boom/);
await ok(["requests", "--filter", "data.json"], /GET 200 ok/);
await evaluate("() => { setInterval(() => fetch('/api/data.json'), 500) }", /./); // responsebody waits for a new request
await ok(["responsebody", "**/data.json"], /"a": ?1/);
await ok(["highlight", ref("Submit")], /highlighted/);
await ok(["trace", "start"], /trace started/);
await file(["trace", "stop"], /TRACE:(\S+)/, "PK");

await ok(["cookies", "set", "a", "1", "--url", at("/")], /cookie set: a/);
await ok(["cookies"], /"name": "a"/);
await ok(["cookies", "clear"], /cookies cleared/);
await ok(["storage", "local", "set", "theme", "dark"], /localStorage set: theme/);
await ok(["storage", "local", "get"], /"theme": "dark"/);
for (const [words, shows] of [
  [["offline", "off"], /offline: false/],
  [["headers", '{"x-a":"1"}'], /headers set/],
  [["credentials", "me", "secret"], /credentials set/],
  [["geo", "52.5", "13.4", "--origin", at("/")], /geolocation set/],
  [["media", "dark"], /media colorScheme: dark/],
  [["timezone", "Europe/Berlin"], /timezone: Europe\/Berlin/],
  [["locale", "de-DE"], /locale: de-DE/],
  [["device", "iPhone 14"], /device: iPhone 14/],
]) await ok(["set", ...words], shows);

// The agents of the gateway have the same browser.
const answer = await fetch(`${gateway}/tools/invoke`, {
  method: "POST", headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
  body: JSON.stringify({ tool: "browser", args: { action: "tabs" } }),
});
const { result } = await answer.json();
if (result?.details?.tabs?.[0]?.label !== "cli") {
  wrong++;
  console.log("the gateway's agent tool has other tabs:", result);
}

await ok(["close", "cli"], /closed tab/);
await ok(["stop"], /browser \[chela\] running: false/);
end();
console.log(`OpenClaw's command line by a gateway: ${commands} commands, ${wrong || "nothing"} wrong`);
process.exit(wrong ? 1 : 0);
