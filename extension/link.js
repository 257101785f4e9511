// The connection to the server. It is opened again whenever it is lost. Events wait for the next
// connection as long as this service worker runs.

import {Refused, dial, serverURL} from "./line.js";
import {hmac, randomHex, same} from "./proof.js";
import {save, state} from "./state.js";

const worker = randomHex(8);
const handshakeLimit = 5000; // ms
const silence = 15000; // ms without a message, after which the connection counts as dead
const largest = 60 << 20; // bytes of the longest reply; the server accepts 64 MiB
const mostUnseen = 4 << 20; // characters of all messages in unseen together

// status is the state of the connection, which the popup shows. Field is: "unpaired", "away",
// "connected" or "refused"; reason says why it is away or refused.
export const status = {is: "away", reason: ""};

let current = null; // the Line that is connected and has passed the handshake; null if there is none
let heard = 0; // time of the last message from the server
let count = 0; // the number of the last numbered message
let dropped = 0; // number of the last message that is no longer kept although the server has not confirmed it; 0: none
let fresh = true; // the server has not yet accepted a hello of this worker
let unseen = []; // the numbered messages that the server has not confirmed: {n, text, seen}
let size = 0; // characters in unseen

// number gives a message the next number, sends it, and keeps it until the server confirms it. Then
// it calls seen, but not for a message that was not kept.
export function number(message, seen) {
  const text = JSON.stringify({n: ++count, ...message});
  size += text.length;
  if (size > mostUnseen) {
    dropped = count;
    unseen = [];
    size = 0;
  } else {
    unseen.push({n: count, text, seen});
  }
  current?.sendText(text);
}

// change reports a change of the shared tabs. It calls seen as number does.
export function change(what, seen) {
  number({change: what}, seen);
}

// reply answers a command on the connection that it came by. If that has ended, the answer is
// dropped: the server then treats its commands as unconfirmed. On the next connection, the id may
// stand for another command, of a server that was started meanwhile.
function reply(line, message) {
  const text = JSON.stringify(message);
  if (text.length <= largest / 3 || new TextEncoder().encode(text).length <= largest) return line.sendText(text); // a character has at most 3 bytes
  line.send({id: message.id, error: {code: -32000, message: "the result is larger than 64 MiB"}});
}

// connected reports whether the server can be reached.
export function connected() {
  return current?.open ?? false;
}

function forgetSeen(n) {
  while (unseen.length && unseen[0].n <= n) {
    const {text, seen} = unseen.shift();
    size -= text.length;
    seen?.();
  }
  if (dropped <= n) dropped = 0;
}

let running = false;
let wake = () => {};

// keep dials until the browser is no longer paired. Options has two functions: hello returns the
// state of all tabs. The function receive handles a message of the server, and gets a function that
// answers it. A call while keep already runs only checks that the connection is alive.
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

// once connects, and handles messages until the connection ends. It returns whether the handshake
// succeeded (served), and how many ms to wait before the next try.
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

// refused sets the status after a failed try to connect. It returns a longer wait if only the
// person can remove the cause.
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

// greet sends the complete state (hello), then all messages that the server has not yet confirmed.
// The state already includes messages up to number n, so a newly started server ignores these.
async function greet(line, hello, receive) {
  const n = count;
  const all = await hello();
  line.send({hello: {...all, v: 1, n, run: state.run, generation: state.generation, worker, lost: fresh || dropped > 0}});
  for (const {text} of unseen) line.sendText(text);
  heard = Date.now();
  line.take = (message) => {
    heard = Date.now();
    if (message.ping === undefined) return receive(message, (answer) => reply(line, answer));
    fresh = false;
    forgetSeen(message.seen);
    line.send({pong: message.ping});
  };
  current = line;
  Object.assign(status, {is: "connected", reason: ""});
}
