// Values of IndexedDB as JSON, in the form of Playwright's storage state. What JSON can hold stands
// as it is. A value is encoded as a whole if anything else occurs in it: a Date, a Map, bytes,
// undefined, an object that occurs twice. The encodings are:
//	{v: 'undefined'}    undefined, null, NaN, an infinity or -0, by name
//	{bi}                a BigInt
//	{d}                 a Date
//	{u}                 a URL
//	{r: {p, f}}         a RegExp
//	{e: {n, m, s}}      an Error
//	{ta: {b, k}}        a typed array: its bytes in base64, and its kind
//	{ab: {b}}           an ArrayBuffer: its bytes in base64
//	{a, id}             an array
//	{o: [{k, v}], id}   an object
//	{m, id}             a Map
//	{s, id}             a Set
//	{ref: id}           a value that has occurred with this id

const byteArrays = {
  i8: Int8Array, ui8: Uint8Array, ui8c: Uint8ClampedArray, i16: Int16Array, ui16: Uint16Array, i32: Int32Array, ui32: Uint32Array,
  f32: Float32Array, f64: Float64Array, bi64: BigInt64Array, bui64: BigUint64Array,
};

// encoded returns {plain: value}, or {encoded: value} if JSON cannot hold it by itself. The format
// cannot express some kinds of values, such as Blob. They are added to lost, and null stands for
// them.
function encoded(value, lost) {
  const state = { ids: new Map(), plain: true, lost };
  const out = encode(value, state);
  return state.plain ? { plain: value } : { encoded: out };
}

const specials = new Map([[undefined, 'undefined'], [null, 'null'], [Infinity, 'Infinity'], [-Infinity, '-Infinity']]);

function encode(value, state) {
  if (value === null) return { v: 'null' };
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (Number.isFinite(value) && !Object.is(value, -0)) return value;
  if (typeof value !== 'object') {
    state.plain = false;
    if (typeof value === 'bigint') return { bi: String(value) };
    return { v: specials.get(value) ?? (Object.is(value, -0) ? '-0' : 'NaN') };
  }
  if (state.ids.has(value)) {
    state.plain = false;
    return { ref: state.ids.get(value) };
  }
  if (Array.isArray(value)) {
    const id = identify(value, state);
    return { a: Array.from(value, each => encode(each, state)), id };
  }
  if (Object.prototype.toString.call(value) === '[object Object]') {
    const id = identify(value, state);
    return { o: Object.keys(value).map(k => ({ k, v: encode(value[k], state) })), id };
  }
  state.plain = false;
  return encodeObject(value, state);
}

function identify(value, state) {
  const id = state.ids.size + 1;
  state.ids.set(value, id);
  return id;
}

// encodeObject encodes an object that is neither a plain one nor an array.
function encodeObject(value, state) {
  if (value instanceof Date) return { d: isNaN(value) ? '' : value.toJSON() };
  if (value instanceof RegExp) return { r: { p: value.source, f: value.flags } };
  if (value instanceof Error) return { e: { n: value.name, m: value.message, s: value.stack } };
  if (value instanceof ArrayBuffer) return { ab: { b: toBase64(new Uint8Array(value)) } };
  for (const k in byteArrays) {
    if (value instanceof byteArrays[k]) return { ta: { b: toBase64(new Uint8Array(value.buffer, value.byteOffset, value.byteLength)), k } };
  }
  if (value instanceof Map) {
    const id = identify(value, state);
    return { m: Array.from(value, ([k, v]) => ({ k: encode(k, state), v: encode(v, state) })), id };
  }
  if (value instanceof Set) {
    const id = identify(value, state);
    return { s: Array.from(value, each => encode(each, state)), id };
  }
  state.lost.add(Object.prototype.toString.call(value).slice('[object '.length, -1));
  return { v: 'null' };
}

function toBase64(bytes) {
  if (bytes.toBase64) return bytes.toBase64();
  let binary = '';
  for (let i = 0; i < bytes.length; i += 0x8000) binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(binary);
}

function fromBase64(text) { return Uint8Array.from(atob(text), c => c.charCodeAt(0)); }

const meanings = { undefined: undefined, null: null, NaN, Infinity, '-Infinity': -Infinity, '-0': -0 };

// decoded returns the value that was encoded.
function decoded(value, refs = new Map()) {
  if (typeof value !== 'object' || value === null) return value;
  if ('ref' in value) return refs.get(value.ref);
  if ('v' in value) return meanings[value.v];
  if ('bi' in value) return BigInt(value.bi);
  if ('d' in value) return new Date(value.d);
  if ('u' in value) return new URL(value.u);
  if ('r' in value) return new RegExp(value.r.p, value.r.f);
  if ('e' in value) return Object.assign(new Error(value.e.m), { name: value.e.n, stack: value.e.s });
  if ('ab' in value) return fromBase64(value.ab.b).buffer;
  if ('ta' in value) return new byteArrays[value.ta.k](fromBase64(value.ta.b).buffer);
  const made = 'a' in value ? [] : 'm' in value ? new Map() : 's' in value ? new Set() : {};
  refs.set(value.id, made);
  for (const each of value.a ?? []) made.push(decoded(each, refs));
  for (const { k, v } of value.m ?? []) made.set(decoded(k, refs), decoded(v, refs));
  for (const each of value.s ?? []) made.add(decoded(each, refs));
  for (const { k, v } of value.o ?? []) {
    Object.defineProperty(made, k, { value: decoded(v, refs), writable: true, enumerable: true, configurable: true });
  }
  return made;
}
