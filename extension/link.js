// The connection to the server. It is opened again whenever it is lost, and no event is lost while
// the worker lives.

import {Refused, dial, serverURL} from "./line.js";
import {hmac, randomHex, same} from "./proof.js";
import {save, state} from "./state.js";

const worker = randomHex(8);
const handshakeLimit = 5000; // ms
const silence = 15000; // ms without a message, after which the connection counts as dead
const largest = 60 << 20; // characters of a reply, some of which take more than a byte
const mostUnseen = 4 << 20; // characters of unseen messages that are kept

// status says for the popup how the connection is: "unpaired", "away", "connected" or "refused",
// with a reason.
export const status = {is: "away", reason: ""};

let current = null; // the Line after its handshake
let heard = 0; // when the last message came
let count = 0; // the number of the last numbered message
let dropped = 0; // unseen messages up to this number were thrown away
let fresh = true; // the server has not yet accepted a hello of this worker
let unseen = []; // {n, text} of what the server has not yet confirmed
let size = 0; // characters in unseen

// number gives a message the next number, sends it, and keeps it until the server has seen it.
export function number(message) {
  const text = JSON.stringify({n: ++count, ...message});
  size += text.length;
  if (size > mostUnseen) {
    dropped = count;
    unseen = [];
    size = 0;
  } else {
    unseen.push({n: count, text});
  }
  current?.sendText(text);
}

// change reports a change of the shared tabs.
export function change(what) {
  number({change: what});
}

// reply answers a command. If the connection is gone, the server knows that its commands are
// unconfirmed.
export function reply(message) {
  const text = JSON.stringify(message);
  if (text.length <= largest) return current?.sendText(text);
  current?.send({id: message.id, error: {code: -32000, message: "the result is larger than 64 MiB"}});
}

// connected reports whether the server can be reached.
export function connected() {
  return current?.open ?? false;
}

function forgetSeen(n) {
  while (unseen.length && unseen[0].n <= n) size -= unseen.shift().text.length;
  if (dropped <= n) dropped = 0;
}

let running = false;
let wake = () => {};

// keep dials until the browser is no longer paired. Options are functions: hello returns the state
// of all tabs, receive takes a message of the server. Calls while it runs only check that the
// connection is alive.
export async function keep(options) {
  if (running) return check();
  running = true;
  try {
    await dialWhilePaired(options);
  } finally {
    running = false;
    Object.assign(status, {is: "unpaired", reason: ""});
  }
}

async function dialWhilePaired(options) {
  let pause = 200;
  for (;;) {
    const {keyId, key} = await chrome.storage.local.get(["keyId", "key"]);
    if (!key) return;
    const {wait, served} = await once({keyId, key}, options);
    pause = served ? 200 : Math.min(2 * pause, 1000);
    await new Promise((resolve) => {
      wake = resolve;
      setTimeout(resolve, wait ?? pause);
    });
  }
}

// again ends the present connection, or the pause before the next one, because the key has changed.
export function again() {
  current?.close();
  wake();
}

function check() {
  if (current && Date.now() - heard > silence) current.close();
}

// once connects and serves until the connection ends. It returns how long to wait before the next
// try.
async function once(pairing, {hello, receive}) {
  let line, late;
  try {
    line = await dial(await serverURL(), handshakeLimit);
    late = setTimeout(() => line.close(), handshakeLimit);
    await prove(line, pairing);
    clearTimeout(late);
    await greet(line, hello, receive);
    const {code} = await line.closed;
    return {served: true, wait: code === 4001 ? 5000 : undefined};
  } catch (error) {
    return refused(error);
  } finally {
    clearTimeout(late);
    line?.close();
    if (current === line) current = null;
    if (status.is === "connected") Object.assign(status, {is: "away", reason: ""});
  }
}

// refused sets the status that says why there is no connection. Where only the person can change
// the reason, the next try comes later.
function refused(error) {
  if (!(error instanceof Refused)) {
    Object.assign(status, {is: "away", reason: error.message});
    return {};
  }
  Object.assign(status, {is: "refused", reason: error.status === 401 ? "not paired" : error.message});
  return {wait: {409: 1000, 408: 200}[error.status] ?? 5000};
}

// prove proves to the server that this extension has the key, after the server has proved the same.
async function prove(line, {keyId, key}) {
  const nonce = randomHex(16);
  line.send({kind: "hello", v: 1, keyId, nonce});
  const challenge = await line.next("challenge");
  const said = [keyId, nonce, challenge.nonce, String(challenge.expires)];
  if (!same(challenge.proof, await hmac(key, ["chela-extension/1", "server", ...said]))) {
    throw new Refused(401, "what answers is not the chela that this browser is paired with");
  }
  state.generation++;
  await save();
  const own = [state.run, String(state.generation)];
  const proof = await hmac(key, ["chela-extension/1", "extension", ...said, ...own]);
  line.send({kind: "proof", run: state.run, generation: state.generation, proof});
  await line.next("ok");
}

// greet sends the complete state, then all messages that the server has not yet confirmed. The
// state already includes the messages up to n, so a server that has just started ignores them.
async function greet(line, hello, receive) {
  const n = count;
  const all = await hello();
  line.send({hello: {...all, v: 1, n, run: state.run, generation: state.generation, worker, lost: fresh || dropped > 0}});
  for (const {text} of unseen) line.sendText(text);
  heard = Date.now();
  line.take = (message) => {
    heard = Date.now();
    if (message.ping === undefined) return receive(message);
    fresh = false;
    forgetSeen(message.seen);
    line.send({pong: message.ping});
  };
  current = line;
  Object.assign(status, {is: "connected", reason: ""});
}
