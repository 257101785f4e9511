// Tries chela with the TypeScript SDK of MCP: node client.mjs stdio|http CHELA URL TOKEN
import assert from "node:assert/strict";
import http from "node:http";
import { once } from "node:events";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";

const [transport, chela, url, token] = process.argv.slice(2);
const picture = "chela://screenshot/last";

// A site whose /never does not answer.
const site = http.createServer((req, res) => {
  if (req.url !== "/never") res.setHeader("Content-Type", "text/html").end(`<title>${req.url}</title><h1>Hello</h1>`);
}).listen(0, "127.0.0.1");
await once(site, "listening");
const at = (path) => `http://127.0.0.1:${site.address().port}${path}`;

async function agent() {
  const client = new Client({ name: "ts", version: "1" });
  await client.connect(transport === "stdio"
    ? new StdioClientTransport({ command: chela, args: ["mcp"], env: process.env })
    : new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { Authorization: `Bearer ${token}` } } }));
  return client;
}

const call = (client, args, options) => client.callTool({ name: "browser", arguments: args }, undefined, options);
const text = (result) => result.content[0].text;

async function done(client, args, options) {
  const result = await call(client, args, options);
  assert(!result.isError, text(result));
  return result;
}

const one = await agent(), other = await agent();
assert.deepEqual((await one.listTools()).tools.map((t) => t.name), ["browser"]);
assert((await call(one, { action: "zap" })).isError);

// Progress, and tabs that another session does not use.
const progress = [];
await done(one, { action: "open", url: at("/one") }, { onprogress: (p) => progress.push(p) });
assert(progress.some((p) => p.message === "loading the page"), JSON.stringify(progress));
assert(progress.every((p, i) => i === 0 || p.progress > progress[i - 1].progress), JSON.stringify(progress));
await done(other, { action: "open", url: at("/other") });
assert.match(text(await done(one, { action: "evaluate", fn: "location.pathname" })), /one/);
assert.match(text(await done(other, { action: "evaluate", fn: "location.pathname" })), /other/);

// The picture of a screenshot, also as a resource of its session alone.
const updated = new Promise((resolve) => one.setNotificationHandler(ResourceUpdatedNotificationSchema, (n) => resolve(n.params.uri)));
await one.subscribeResource({ uri: picture });
const image = (await done(one, { action: "screenshot" })).content.find((c) => c.type === "image");
assert.equal(await updated, picture);
const [{ blob, mimeType }] = (await one.readResource({ uri: picture })).contents;
assert.deepEqual([blob, mimeType], [image.data, image.mimeType]);
assert.equal((await other.listResources()).resources.length, 0);

// A call that is cancelled does not hold up the next one.
const cancel = new AbortController();
site.once("request", () => cancel.abort());
await assert.rejects(call(one, { action: "navigate", url: at("/never") }, { signal: cancel.signal }));
assert.match(text(await done(one, { action: "snapshot" })), /Hello/);

for (const client of [one, other]) {
  await client.transport.terminateSession?.();
  await client.close();
}
site.close();
site.closeAllConnections();
console.log(`TypeScript SDK over ${transport}: ok`);
