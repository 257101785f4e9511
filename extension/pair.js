// Pairing with the server on this machine: by native messaging, or by six digits that the server
// shows and the person types.

import {Refused, dial, installed, serverURL} from "./line.js";
import {again} from "./link.js";
import {bytes, hex, hmac, same} from "./proof.js";

// p is the 2048-bit prime of RFC 3526, group 14.
const p = BigInt("0x" +
  "ffffffffffffffffc90fdaa22168c234c4c6628b80dc1cd129024e088a67cc74020bbea63b139b22514a08798e3404ddef9519b3cd3a431b302b0a6df25f1437" +
  "4fe1356d6d51c245e485b576625e7ec6f44c42e9a637ed6b0bff5cb6f406b7edee386bfb5a899fa5ae9f24117c4b1fe649286651ece45b3dc2007cb8a163bf05" +
  "98da48361c55d39a69163fa8fd24cf5f83655d23dca3ad961c62f356208552bb9ed529077096966d670c354e4abc9804f1746c08ca18217c32905e462e36ce3b" +
  "e39e772c180e86039b2783a2ec07a28fb5c55df06f4c52c9de2bcbf6955817183995497cea956ae515d2261898fa051015728e5a8aacaa68ffffffffffffffff");

const shareDigits = 512;
const answers = 10000; // ms within which pairing must be done

// byDigits pairs with the server that shows these digits. The digits are never sent: each side
// proves that it knows them (SPEKE). Somebody who listens cannot derive them from the messages.
export async function byDigits(digits) {
  const line = await dial(await serverURL(), answers);
  const late = setTimeout(() => line.close(), answers);
  try {
    await store(await agree(line, digits, crypto.getRandomValues(new Uint8Array(32))));
  } finally {
    clearTimeout(late);
    line.close();
  }
}

// agree carries out the exchange, and returns the key that both sides compute from it. The
// parameter secret is 32 random bytes.
export async function agree(line, digits, secret) {
  const exponent = BigInt("0x" + hex(secret));
  const own = padded(power(await base(digits), exponent));
  line.send({kind: "pair", v: 1, share: own, name: browserName()});
  const {share} = await line.next("share");
  const theirs = readShare(share);
  const common = hex(await crypto.subtle.digest("SHA-256", bytes(padded(power(theirs, exponent)))));
  line.send({kind: "confirm", proof: await hmac(common, ["chela-pair/1", "extension", own, share])});
  const {keyId, proof} = await line.next("paired");
  if (!same(proof, await hmac(common, ["chela-pair/1", "server", own, share, keyId]))) {
    throw new Refused(401, "what answers does not know the code");
  }
  return {keyId, key: await hmac(common, ["chela-pair/1", "key", own, share, keyId])};
}

// base turns the digits into the number that both sides raise to the power of their secrets.
async function base(digits) {
  const hash = await crypto.subtle.digest("SHA-512", new TextEncoder().encode("chela-pair/1 " + digits));
  return BigInt("0x" + hex(hash)) ** 2n % p;
}

function power(number, exponent) {
  let result = 1n;
  for (const bit of exponent.toString(2)) {
    result = (result * result) % p;
    if (bit === "1") result = (result * number) % p;
  }
  return result;
}

function padded(number) {
  return number.toString(16).padStart(shareDigits, "0");
}

function readShare(share) {
  const number = /^[0-9a-f]{512}$/.test(share) ? BigInt("0x" + share) : 0n;
  if (number <= 1n || number >= p - 1n) throw new Refused(400, "chela sent no valid share");
  return number;
}

let asking = null;

// byHost asks the program that `chela extension install` has registered with the browser for a key.
// It returns false if there is no such program: then the person types digits. It fails if the
// program reports an error. Each answer is another key, so concurrent callers share one call.
export function byHost() {
  asking ??= askHost().finally(() => (asking = null));
  return asking;
}

async function askHost() {
  let answer;
  try {
    const {name} = await installed();
    answer = await chrome.runtime.sendNativeMessage(name, {kind: "pair", v: 1, name: browserName()});
  } catch {
    return false; // no file, or Chromium does not know the program
  }
  if (answer.error) throw new Error(answer.hint ? `${answer.error}; try: ${answer.hint}` : answer.error);
  if (!/^[0-9a-f]{16}$/.test(answer.keyId) || !/^[0-9a-f]{64}$/.test(answer.key)) return false;
  await store(answer);
  return true;
}

async function store({keyId, key}) {
  await chrome.storage.local.set({keyId, key});
  again();
}

// browserVersion returns the product and version of this browser, such as "Chromium/156.0.8078.79".
export async function browserVersion() {
  const {brand, version} = product((await navigator.userAgentData.getHighEntropyValues(["fullVersionList"])).fullVersionList);
  return `${brand}/${version}`;
}

// product chooses the name of the browser from its list of brands, which also has Chromium and an
// invented brand.
function product(brands) {
  const known = brands.filter(({brand}) => !/not.*brand/i.test(brand));
  return known.find(({brand}) => brand !== "Chromium") ?? known[0];
}

// browserName returns the name that this browser has in the list of paired browsers, such as
// "Chromium 156 on Linux".
function browserName() {
  const {brand, version} = product(navigator.userAgentData.brands);
  return `${brand} ${version} on ${navigator.userAgentData.platform}`.replace(/[^A-Za-z0-9._/ -]/g, "").slice(0, 64);
}
