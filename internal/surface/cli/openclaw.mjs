// This module makes an OpenClaw gateway use chela in place of its own browser server. Then its agents
// and the command `openclaw browser` use chela. `chela openclaw-module` has printed it, for OpenClaw
// 2026.9.6. The gateway loads it if its environment has:
//   OPENCLAW_EAGER_BROWSER_CONTROL_SERVER=1 OPENCLAW_BROWSER_CONTROL_MODULE=/path/of/this/file.mjs
import { execFile } from "node:child_process";
import http from "node:http";
import { createRequire, registerHooks } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { promisify } from "node:util";

const chela = CHELA;
// chela uses the gateway's state directory, so it has the gateway's settings: policy, profiles, port.
// Whoever can open the socket in this directory needs no token.
const state = process.env.CHELA_STATE_DIR || process.env.OPENCLAW_STATE_DIR || join(homedir(), ".openclaw");
const run = (...words) => promisify(execFile)(chela, words, { env: { ...process.env, CHELA_STATE_DIR: state } });

// Starts chela's server, unless it runs already, by a command that only a server can answer. The server
// ends by itself after an hour without calls.
const start = () => run("tabs");

// Handles a call of an agent or of the command line. OpenClaw looks for a function of this name.
export async function dispatchBrowserControlRequest({ method, path, query, body, signal, assertCurrent }) {
  await assertCurrent?.();
  const send = () => new Promise((resolve, reject) => {
    const place = { agent: false, socketPath: join(state, "chela.sock"), path: `${path}?${new URLSearchParams(query)}` };
    const request = http.request({ ...place, method, signal, headers: { "content-type": "application/json" } }, resolve);
    request.on("error", reject).end(body === undefined ? "" : JSON.stringify(body));
  });
  const answer = await send().catch(async (error) => {
    if (error.syscall !== "connect") throw error;
    await start();
    return send();
  });
  return { status: answer.statusCode, body: await json(answer) };
}

// Returns a handler for browser.request, the gateway's method that `openclaw browser` calls. Calls for
// a node or a dashboard still go to own, the gateway's own handler.
const request = (own) => async (call) => {
  const { params, respond, signal } = call;
  if (params.target === "node" || params.dashboard || params.path === "/dashboard") return own(call);
  const limits = [signal, params.timeoutMs && AbortSignal.timeout(params.timeoutMs)].filter(Boolean);
  try {
    const { status, body } = await dispatchBrowserControlRequest({ ...params, signal: AbortSignal.any(limits) });
    const code = status < 500 ? "INVALID_REQUEST" : "UNAVAILABLE";
    if (status < 400) respond(true, body);
    else respond(false, undefined, { code, message: body.error, details: body });
  } catch (error) {
    respond(false, undefined, { code: "UNAVAILABLE", message: `chela: ${error.message}` });
  }
};

// Replaces the handler of browser.request. The list of the gateway's methods, where it stands, is only
// passed to methods of plugins. So attach is registered as such a method, and called once.
function attach({ context, respond }) {
  const method = context.getGatewayMethodRegistry().descriptors().find(({ name }) => name === "browser.request");
  method.handler = request(method.handler);
  respond(true, {});
}

export async function startBrowserControlServerFromConfig() {
  await start();
  // At its first call, the agents' tool loads OpenClaw's local-dispatch.runtime.js. Load this module
  // in its place.
  registerHooks({
    resolve: (name, context, next) =>
      name === "./local-dispatch.runtime.js" ? { url: import.meta.url, shortCircuit: true } : next(name, context),
  });
  const { gatewayMethodDescriptors: methods } = globalThis[Symbol.for("openclaw.pluginRegistryState")].activeRegistry;
  methods.push({ name: "chela.attach", handler: attach, owner: { kind: "plugin", pluginId: "browser" }, scope: "operator.admin" });
  const { callGatewayFromCli } = await import(createRequire(process.argv[1]).resolve("openclaw/plugin-sdk/gateway-runtime"));
  // The gateway answers only after its start, and the start waits until this function has returned.
  // So the answer is not awaited here.
  callGatewayFromCli("chela.attach", { json: true, timeout: "120000" }).then(
    () => console.log("its browser server is chela"),
    (error) => console.error(`chela is not the server of openclaw browser: ${error.message}`));
}

export async function stopBrowserControlServer() {
  await run("shutdown");
}
