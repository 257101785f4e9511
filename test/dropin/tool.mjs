// Drives chela with the agent tool of OpenClaw, as it is in the package: node tool.mjs PACKAGE URL
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { serve } from "./site.mjs";

const [openclaw, url] = process.argv.slice(2);
const { createBrowserTool } = await import(path.resolve(openclaw, "dist/extensions/browser/runtime-api.js"));
const tool = createBrowserTool({ sandboxBridgeUrl: url });
const { at, end } = await serve();
const state = process.env.OPENCLAW_STATE_DIR;

// ok makes a call that succeeds, and checks what the agent is shown, with the details.
let calls = 0;
async function ok(args, shows = /./) {
  const { content, details } = await tool.execute(`call${++calls}`, args);
  const result = { details, image: content.find((c) => c.type === "image"), text: content.map((c) => c.text ?? "").join("\n") };
  assert.match(result.text + "\n" + JSON.stringify(details), shows, JSON.stringify(args));
  return result;
}

// fails makes a call that fails, and checks the message.
async function fails(args, message) {
  await assert.rejects(tool.execute(`call${++calls}`, args), (error) => {
    assert.match(error.message, message, JSON.stringify(args));
    return true;
  });
}

const act = (request, shows) => ok({ action: "act", request }, shows);
const actFails = (request, message) => fails({ action: "act", request }, message);
const shown = (text) => act({ kind: "evaluate", fn: "() => out.textContent" }, new RegExp(`"result": "${text}"`));

// refs takes a snapshot, and returns the refs of elements by their names.
async function refs(args = {}) {
  const { text } = await ok({ action: "snapshot", ...args });
  return (name) => {
    const [, ref] = text.match(new RegExp(`"${name}".*?\\[ref=(\\w+)\\]`)) ?? assert.fail(`no ${name} in ${text}`);
    return ref;
  };
}

// The browser, profiles and tabs.
await ok({ action: "doctor" }, /"id":"managed-executable"/);
await ok({ action: "status" }, /"running":false/);
await ok({ action: "start" }, /"running":true.*"cdpPort":\d+/);
await ok({ action: "profiles" }, /"name":"work"[^]*"name":"chela"/);
await ok({ action: "status", profile: "openclaw" }, /"profile":"chela"/);
await ok({ action: "status", profile: "work" }, /"profile":"work"/);
await fails({ action: "status", profile: "nobody" }, /Profile "nobody" not found/);
await ok({ action: "open", targetUrl: at("/"), label: "agent" }, /"label":"agent"/);
await ok({ action: "tabs" }, /"tabCount":1/);
await ok({ action: "focus", targetId: "agent" }, /"ok":true/);
await fails({ action: "open" }, /targetUrl required/);
await fails({ action: "snapshot", targetId: "nope" }, /tab not found/);

// Snapshots.
for (const [args, shows] of [
  [{}, /textbox "Name" \[ref=e\d+\][^]*"format":"ai"/],
  [{ mode: "efficient" }, /button "Submit" \[ref=e\d+\]/],
  [{ snapshotFormat: "ai", maxChars: 200 }, /"truncated":true/],
  [{ interactive: true }, /button "Submit"/],
  [{ compact: true, depth: 3 }, /button "Submit"/],
  [{ refs: "aria" }, /\[ref=e\d+\]/],
  [{ refs: "role" }, /\[ref=e\d+\]/],
  [{ selector: "#color" }, /option "Blue"/],
  [{ frame: "iframe" }, /button "Inside"/],
  [{ urls: true }, /\/next/],
  [{ query: "button submit" }, /1 matching line/],
  [{ query: "zzz" }, /No matching lines/],
  [{ labels: true }, /"labelsCount":[1-9]/],
]) await ok({ action: "snapshot", ...args }, shows);
await aria();

// aria checks the tree: it begins with the page, and no node is deeper than below the one before it. Its refs can be
// acted on, also those of elements that the other formats show without one.
async function aria() {
  const { text } = await ok({ action: "snapshot", snapshotFormat: "aria" }, /"format":"aria"/);
  const { nodes } = JSON.parse(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1));
  assert.equal(nodes[0].role, "RootWebArea");
  nodes.reduce((above, node) => { assert(node.depth <= above + 1, JSON.stringify(node)); return node.depth; }, -1);
  const heading = nodes.find((node) => node.role === "heading").ref;
  await act({ kind: "scrollIntoView", ref: heading });
  assert((await ok({ action: "screenshot", ref: heading })).image);
  const short = await ok({ action: "snapshot", snapshotFormat: "aria", limit: 5 }, /"nodeCount":5/);
  assert.match(short.text, /RootWebArea/);
}

// All kinds of acts.
let ref = await refs();
await act({ kind: "type", ref: ref("Name"), text: "Ada" });
await act({ kind: "click", ref: ref("Submit") });
await shown("clicked Ada");
await act({ kind: "type", ref: ref("Name"), text: " L", slowly: true, submit: true });
await act({ kind: "click", ref: ref("Submit"), doubleClick: true, button: "left", modifiers: ["Shift"] });
await shown("clicked Ada L");
await act({ kind: "clickCoords", x: 5, y: 5 });
await act({ kind: "press", key: "Tab" });
await act({ kind: "hover", ref: ref("Hover") });
await shown("hovered");
await act({ kind: "scrollIntoView", ref: ref("Far") });
await act({ kind: "drag", startRef: ref("Source"), endRef: ref("Target") });
await shown("dropped");
await act({ kind: "select", ref: ref("Color"), values: ["Blue"] });
await act({
  kind: "fill",
  fields: [{ ref: ref("Email"), type: "text", value: "a@b.example" }, { ref: ref("I agree"), type: "checkbox", value: true }],
});
await act({ kind: "evaluate", fn: "() => [color.value, mail.value, agree.checked].join()" }, /Blue,a@b.example,true/);
await act({ kind: "evaluate", fn: "(el) => el.id", ref: ref("Submit") }, /"result": "ok"/);
await actFails({ kind: "evaluate", fn: "() => { throw new Error('no') }" }, /Invalid evaluate function: Error: no/);
await act({ kind: "resize", width: 800, height: 600 });
await act({ kind: "evaluate", fn: "() => innerWidth" }, /"result": 800/);
for (const what of [{ text: "Form" }, { timeMs: 5 }, { loadState: "load" }, { selector: "#ok" }, { url: "**/" }, { fn: "() => true" }])
  await act({ kind: "wait", ...what });
await actFails({ kind: "wait", textGone: "Form", timeoutMs: 500 }, /Timed out/);
await act({ kind: "batch", actions: [{ kind: "type", ref: ref("Name"), text: "B" }, { kind: "click", ref: ref("Submit") }] }, /"results"/);
const wait = { kind: "wait", timeMs: 5 };
await act({ kind: "batch", stopOnError: false, actions: [{ kind: "click", ref: "e999" }, wait] }, /Unknown ref[^]*"ok":true/);
await act({ kind: "batch", actions: [{ kind: "click", ref: ref("Next") }, wait] },
  /Batch aborted after action 1 because the page navigated[^]*pageState/);
await ok({ action: "text" }, /Some words to read/);
await ok({ action: "text", maxChars: 30 }, /Page text was truncated/);

// Errors.
await ok({ action: "navigate", targetUrl: at("/") }, /"pageState":\{"ok":true/);
ref = await refs();
await actFails({ kind: "click", ref: "e999" }, /Unknown ref "e999". Run a new snapshot/);
await actFails({ kind: "click" }, /click requires ref or selector/);
await fails({ action: "navigate", targetUrl: "http://blocked.test/" }, /blocked by policy/);
await fails({ action: "navigate", targetUrl: "file:///etc/passwd" }, /unsupported protocol "file:"/);
await fails({ action: "navigate", targetUrl: at("/never"), timeoutMs: 1500 }, /did not load in time/);
await ok({ action: "navigate", targetUrl: at("/") });
ref = await refs();

// Dialogs: a call that gets no file or text behind one fails.
await act({ kind: "click", ref: ref("Ask") }, /"blockedByDialog":true.*Sure\?/);
await ok({ action: "snapshot" }, /"blockedByDialog":true/);
const downloads = [{ action: "download", ref: ref("Report"), path: "a.csv" }, { action: "waitfordownload", timeoutMs: 500 }];
for (const args of [{ action: "screenshot" }, { action: "pdf" }, { action: "text" }, ...downloads])
  await fails(args, /blocked by a modal dialog/);
await ok({ action: "dialog", accept: true });
await shown("answer true");
await ok({ action: "snapshot" }, /"recent":\[\{"id":"d1"/);
await ok({ action: "dialog", accept: true, promptText: "Grace" });
await act({ kind: "click", ref: ref("Call") });
await shown("name Grace");
await fails({ action: "dialog", accept: true, dialogId: "d99" }, /Dialog "d99" is not pending/);
await ok({ action: "navigate", targetUrl: at("/alert") }, /"blockedByDialog":true/);
await ok({ action: "dialog", accept: true });
await ok({ action: "navigate", targetUrl: at("/leave") });
await act({ kind: "click", ref: (await refs())("Touch") });
await fails({ action: "navigate", targetUrl: at("/next") }, /beforeunload/);
await ok({ action: "dialog", accept: true });
await act({ kind: "wait", url: "**/next" });

// Uploads, from the folders of OpenClaw, and downloads.
await ok({ action: "navigate", targetUrl: at("/") });
ref = await refs();
const uploads = "/tmp/openclaw/uploads", inbound = path.join(state, "media/inbound");
for (const [dir, name] of [[uploads, "dropin.txt"], [inbound, "sent.txt"]]) {
  fs.mkdirSync(dir, { recursive: true, mode: 0o700 });
  fs.writeFileSync(path.join(dir, name), "hello");
}
const uploaded = (name) => act({ kind: "evaluate", fn: "() => file.files[0].name" }, new RegExp(name));
await ok({ action: "upload", paths: [path.join(uploads, "dropin.txt")], inputRef: ref("File") });
await uploaded("dropin.txt");
await ok({ action: "upload", paths: ["media://inbound/sent.txt"], element: "#file" });
await uploaded("sent.txt");
await ok({ action: "upload", paths: [path.join(uploads, "dropin.txt")], ref: ref("Choose") });
await uploaded("dropin.txt");
await ok({ action: "upload", paths: [path.join(inbound, "sent.txt")], inputRef: ref("File") });
await uploaded("sent.txt");
await fails({ action: "upload", paths: ["/etc/passwd"], inputRef: ref("File") }, /Invalid path/);
fs.rmSync(path.join(uploads, "dropin.txt"));
const saved = async (args) => {
  const { details } = await ok(args, /report.csv/);
  assert.equal(fs.readFileSync((details.download ?? details.downloads[0]).path, "utf8"), "a,b\n1,2\n");
  return (details.download ?? details.downloads[0]).path;
};
await saved({ action: "download", ref: ref("Report"), path: "report.csv" });
fs.rmSync(await saved({ action: "download", ref: ref("Report"), path: "/tmp/openclaw/downloads/report.csv" }));
await fails({ action: "download", ref: ref("Report"), path: "../../x" }, /must stay within downloads directory/);
const clicked = await saved({ action: "act", kind: "click", ref: ref("Report") });
assert(clicked.startsWith(path.join(state, "media")), `OpenClaw may not send ${clicked} to a chat`);
await saved({ action: "navigate", targetUrl: at("/report.csv") });

// Pictures, PDF, console and requests.
await ok({ action: "navigate", targetUrl: at("/"), targetId: "agent" });
ref = await refs();
for (const args of [{}, { fullPage: true, type: "jpeg" }, { ref: ref("Submit") }, { element: "#ok" }])
  assert((await ok({ action: "screenshot", ...args }, /"outbound":false/)).image);
await ok({ action: "open", targetUrl: at("/"), label: "fresh" });
await ok({ action: "screenshot", labels: true, targetId: "fresh" }, /"labelsCount":[1-9]/);
await ok({ action: "pdf" }, /FILE:.*\.pdf/);
await ok({ action: "console" }, /a message/);
await ok({ action: "console", level: "error" }, /a mistake/);
await ok({ action: "requests", filter: "data.json", limit: 1 }, /"returned":1/);
await ok({ action: "errors", clear: true }, /boom/);

// Emulation.
await ok({ action: "emulate", device: "iPhone 14", colorScheme: "dark", timezoneId: "Europe/Berlin", locale: "de-DE" },
  /"applied":\["device","colorScheme","timezoneId","locale"\]/);
await act({ kind: "evaluate", fn: "() => matchMedia('(prefers-color-scheme: dark)').matches" }, /"result": true/);
await act({ kind: "evaluate", fn: "() => new Intl.DateTimeFormat().resolvedOptions().timeZone" }, /Europe\/Berlin/);
await fails({ action: "emulate", device: "Nokia 3310" }, /Unknown device/);
await fails({ action: "emulate", timezoneId: "Mars/Base" }, /Invalid timezone ID/);

await act({ kind: "close", targetId: "fresh" });
await ok({ action: "close", targetId: "agent" });
await ok({ action: "stop" }, /"running":false/);
end();
console.log(`OpenClaw's agent tool: ${calls} calls, ok`);
process.exit();
