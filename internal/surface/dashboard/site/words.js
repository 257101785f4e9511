// Functions that write times, sizes and addresses for people.

/** @param {string | undefined} time */
export function clock(time) {
  return time ? new Date(time).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' }) : ''
}

/** Writes when something ends: the time and, if that is on another day, the date. @param {string} time */
export function end(time) {
  const date = new Date(time).toLocaleDateString()
  return (date === new Date().toLocaleDateString() ? '' : date + ', ') + clock(time)
}

/**
 * Writes how long ago a time was, such as "5 s ago".
 * @param {string | undefined} time
 */
export function ago(time) {
  if (!time) return ''
  const s = Math.max(0, Math.round((Date.now() - Date.parse(time)) / 1000))
  return s < 5 ? 'just now' : lengthOf(s) + ' ago'
}

/**
 * Writes how long it is until a time, such as "5 s left".
 * @param {string | undefined} time
 */
export function left(time) {
  return time ? lengthOf(Math.max(0, Math.round((Date.parse(time) - Date.now()) / 1000))) + ' left' : ''
}

/** @param {number} s */
function lengthOf(s) {
  if (s < 60) return s + ' s'
  if (s < 3600) return Math.round(s / 60) + ' min'
  if (s < 86400) return Math.round(s / 3600) + ' h'
  return Math.round(s / 86400) + ' d'
}

/** @param {number} ms */
export function took(ms) {
  return ms < 1000 ? ms + ' ms' : (ms / 1000).toFixed(1) + ' s'
}

/** @param {number} bytes */
export function size(bytes) {
  if (bytes < 1e6) return Math.round(bytes / 1e3) + ' kB'
  return bytes < 1e9 ? Math.round(bytes / 1e6) + ' MB' : (bytes / 1e9).toFixed(1) + ' GB'
}

/**
 * @param {number} n
 * @param {string} one
 * @param {string} [many]
 */
export function count(n, one, many = one + 's') {
  return n + ' ' + (n === 1 ? one : many)
}

/**
 * Shortens an address for people, to its host and path.
 * @param {string} address
 */
export function siteOf(address) {
  try {
    const url = new URL(address)
    return url.host ? url.host + (url.pathname === '/' ? '' : url.pathname) : address
  } catch {
    return address
  }
}
