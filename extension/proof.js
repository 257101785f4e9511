// Random bytes, and HMACs by which the extension and the server prove that they know a key.

// hex returns bytes as hexadecimal digits in lower case.
export function hex(bytes) {
  return Array.from(new Uint8Array(bytes), (b) => b.toString(16).padStart(2, "0")).join("");
}

// bytes returns the bytes that a text of hexadecimal digits stands for.
export function bytes(text) {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

// randomHex returns random bytes as hex digits. The parameter count is the number of bytes.
export function randomHex(count) {
  return hex(crypto.getRandomValues(new Uint8Array(count)));
}

// hmac returns the HMAC-SHA-256 of a list of texts with a key, both in hex.
export async function hmac(key, texts) {
  const usage = {name: "HMAC", hash: "SHA-256"};
  const imported = await crypto.subtle.importKey("raw", bytes(key), usage, false, ["sign"]);
  return hex(await crypto.subtle.sign(usage, imported, new TextEncoder().encode(JSON.stringify(texts))));
}

// same compares two proofs in a time that does not depend on where they differ.
export function same(a, b) {
  if (typeof a !== "string" || typeof b !== "string" || a.length !== b.length) return false;
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
}
