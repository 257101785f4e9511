// Drives chela with the types that openapi-typescript generates from its OpenAPI document, by its
// companion openapi-fetch: main.mjs SERVER TOKEN SITE.
import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

const [baseUrl, token, site] = process.argv.slice(2) as [string, string, string];
const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}`, "X-Chela-Session": "openapi-typescript" } });

const opened = await client.POST("/tabs/open", { body: { url: site } });
assert(opened.data, JSON.stringify(opened.error));
const targetId: string = opened.data.tabId;

const seen = await client.GET("/snapshot", { params: { query: { targetId, interactive: true } } });
const ref = /button "Go" \[ref=(\w+)\]/.exec(seen.data?.snapshot ?? "")?.[1];
assert(ref, JSON.stringify(seen.data ?? seen.error));

// The kind chooses the fields: a click needs a ref.
const clicked = await client.POST("/act", { body: { kind: "click", ref } });
assert(clicked.data?.ok, JSON.stringify(clicked.error));
// @ts-expect-error: there is no such kind
const wrong: components["schemas"]["AnyActRequest"] = { kind: "zap" };
assert.equal(wrong.kind, "zap");

const refused = await client.POST("/act", { body: { kind: "click", ref: "e999" } });
const code: components["schemas"]["ErrorCode"] | undefined = refused.error?.code;
assert.equal(code, "unknown_ref");
assert.equal(refused.response.status, 404);

const shot = await client.POST("/screenshot", { body: {} });
const id = shot.data?.fileIds?.[shot.data.path ?? ""];
assert(id, JSON.stringify(shot.data ?? shot.error));
const picture = await client.GET("/files/{id}", { params: { path: { id } }, parseAs: "arrayBuffer" });
assert.deepEqual([...new Uint8Array(picture.data!).slice(1, 4)], [..."PNG"].map((c) => c.charCodeAt(0)));

const batch = await client.POST("/act", { body: { kind: "batch", actions: [{ kind: "click", ref }, { kind: "snapshot" }] } });
assert(batch.data && "results" in batch.data && batch.data.results.length === 2, JSON.stringify(batch.error));

const closed = await client.DELETE("/tabs/{targetId}", { params: { path: { targetId } } });
assert(closed.data?.ok, JSON.stringify(closed.error));
console.log("ok");
