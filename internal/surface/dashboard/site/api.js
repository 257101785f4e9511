// Calls of chela's operations, by the routes of its table, and the stream of what has changed.

const ROOT = '/ui/'
const TOKEN = 'token'
const SHARE = 'share'

/** The path below which all requests go, and the key under which the token is stored: those of the dashboard or of a guest. */
let below = ROOT
let place = TOKEN

/** An error that chela has answered. */
export class Failure extends Error {
  /** @param {number} status @param {{error?: string, code?: string, hint?: string}} answer */
  constructor(status, answer) {
    super(answer.error || 'the server has answered ' + status)
    this.status = status
    this.code = answer.code || ''
    this.hint = answer.hint || ''
  }
}

/** Gets an event when the server no longer accepts the pass of this page. */
export const outside = new EventTarget()

/**
 * @param {string} path
 * @param {RequestInit} [options]
 */
async function send(path, options = {}) {
  const headers = new Headers(options.headers)
  headers.set('X-Chela-Dashboard', sessionStorage.getItem(place) ?? '')
  const answer = await fetch(below + path, { ...options, headers, credentials: 'same-origin', cache: 'no-store' })
  if (answer.ok) return answer
  const said = await answer.json().catch(() => ({}))
  if (answer.status === 401) outside.dispatchEvent(new Event('out'))
  throw new Failure(answer.status, said)
}

/**
 * @param {string} path
 * @param {unknown} args
 * @param {string} [method]
 */
async function sendJSON(path, args, method = 'POST') {
  const answer = await send(path, { method, body: JSON.stringify(args), headers: { 'Content-Type': 'application/json' } })
  return answer.json()
}

/**
 * Calls an operation, such as get('/tabs', {profile: 'chela'}).
 * @param {string} path
 * @param {Record<string, string | number | boolean | undefined>} [args]
 * @returns {Promise<any>}
 */
export async function get(path, args = {}) {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(args)) if (value !== undefined) query.set(name, String(value))
  return (await send('api' + path + (query.size ? '?' + query : ''))).json()
}

/**
 * @param {string} path
 * @param {Record<string, unknown>} [args]
 * @returns {Promise<any>}
 */
export const post = (path, args = {}) => sendJSON('api' + path, args)

/**
 * @param {string} path
 * @param {Record<string, unknown>} [args]
 * @returns {Promise<any>}
 */
export const remove = (path, args = {}) => sendJSON('api' + path, args, 'DELETE')

/** The text that a raw route (one without an operation) answers. @param {string} path */
export const text = async path => (await send('api' + path)).text()

/** The file with an id, as a blob of a type. @param {string} id @param {string} type */
export async function file(id, type) {
  return new Blob([await (await send('api/files/' + encodeURIComponent(id))).arrayBuffer()], { type })
}

/**
 * Sends a file that a page is to get. The answer names it in a call of upload.
 * @param {File} content
 * @returns {Promise<string>}
 */
export async function sendFile(content) {
  const answer = await send('api/files?name=' + encodeURIComponent(content.name), {
    method: 'POST', body: content, headers: { 'Content-Type': 'application/octet-stream' },
  })
  return (await answer.json()).path
}

/** @returns {Promise<{settings: import('./settings.js').Setting[]}>} */
export const settings = async () => (await send('settings')).json()

/** @param {string} key @param {unknown} value @returns {Promise<{settings: import('./settings.js').Setting[]}>} */
export const setSetting = (key, value) => sendJSON('settings', { key, value })

/** Ends the pass of this browser. */
export async function leave() {
  await sendJSON('logout', {})
  sessionStorage.removeItem(TOKEN)
  outside.dispatchEvent(new Event('out'))
}

/**
 * Exchanges the secret in the address for a pass, and removes it from the address and the history.
 * Without a secret, an earlier pass of this tab is used.
 */
export async function enter() {
  const secret = location.hash.slice(1)
  if (!secret || secret.startsWith('/')) return sessionStorage.getItem(TOKEN) !== null
  history.replaceState(null, '', location.pathname + '#/')
  const { token } = await sendJSON('login', { secret })
  sessionStorage.setItem(TOKEN, token)
  return true
}

/**
 * Lets a guest in, by the secret in the address, or by an earlier pass of this tab of the browser.
 * @returns {Promise<{id: string, profile: string, tabId: string, view: boolean, until: string} | null>} what is shared; null: there is no link
 */
export async function enterShare() {
  const secret = location.hash.slice(1)
  if (secret) {
    history.replaceState(null, '', location.pathname)
    const answer = await sendJSON('enter', { secret })
    sessionStorage.setItem(SHARE, JSON.stringify(answer))
    sessionStorage.setItem(SHARE + ' ' + TOKEN, answer.token)
  }
  const share = JSON.parse(sessionStorage.getItem(SHARE) ?? 'null')
  if (share) {
    below = ROOT + 'share/' + share.id + '/'
    place = SHARE + ' ' + TOKEN
  }
  return share
}

/**
 * Opens the live view of a tab.
 * @param {Record<string, string | number | boolean>} what the tab, and whether the viewer may act
 * @param {Record<string, string | number | boolean>} how size and rate of the pictures
 */
export async function socket(what, how) {
  const { ticket } = await post('/screencast/ticket', what)
  const query = new URLSearchParams({ ticket })
  for (const [name, value] of Object.entries(how)) query.set(name, String(value))
  return new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${below}api/screencast?${query}`)
}

const RETRY = 1000

/**
 * Follows what changes, for as long as this page is there. After a break it begins again, and says
 * that anything may have changed.
 * @param {(kinds: string[] | null) => void} changed gets null for anything
 * @param {(connected: boolean) => void} connected
 */
export async function follow(changed, connected) {
  for (;;) {
    try {
      const answer = await send('events')
      const reader = /** @type {ReadableStream<any>} */ (answer.body).pipeThrough(new TextDecoderStream()).getReader()
      connected(true)
      changed(null)
      for (let rest = ''; ;) {
        const { value, done } = await reader.read()
        if (done) break
        const lines = (rest + value).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) {
          const kinds = JSON.parse(line).changed
          if (kinds?.length) changed(kinds)
        }
      }
    } catch (e) {
      if (e instanceof Failure && e.status === 401) return
    }
    connected(false)
    await new Promise(done => setTimeout(done, RETRY))
  }
}
