// Requests to the server: calls of operations, the login of the page, and the stream of changes.

const ROOT = '/ui/'
const TOKEN = 'token'
const SHARE = 'share'

/** The path with which the URLs of all requests begin, and the key under which sessionStorage has the token. For a guest, enterShare sets both. */
let below = ROOT
let place = TOKEN

/** An error that the server has sent as its answer. */
export class Failure extends Error {
  /** @param {number} status @param {{error?: string, code?: string, hint?: string, reason?: string}} answer */
  constructor(status, answer) {
    super(answer.error || 'the server has answered ' + status)
    this.status = status
    this.code = answer.code || ''
    this.hint = answer.hint || ''
    this.reason = answer.reason || ''
  }
}

/** Gets the event "out" when the server no longer accepts the pass (cookie and token) of this page. */
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

/** Gets the text of a route that is not an operation, such as /metrics. @param {string} path */
export const text = async path => (await send('api' + path)).text()

/** Gets the file with an id, as a blob of the given media type. @param {string} id @param {string} type */
export async function file(id, type) {
  return new Blob([await (await send('api/files/' + encodeURIComponent(id))).arrayBuffer()], { type })
}

/**
 * Sends a file to the server. The returned path names the file in calls that give it to a page.
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
 * Exchanges the secret in the address for a pass, and removes the secret from the address and the
 * history. Without a secret, it uses an earlier pass of this tab of the browser. It returns false if
 * there is no pass.
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
 * Does for a guest what enter does for the dashboard: it gets a pass for one shared tab.
 * @returns {Promise<{id: string, profile: string, tabId: string, view: boolean, until: string} | null>} the share; null: there is neither a secret nor a pass
 */
export async function enterShare() {
  const secret = location.hash.slice(1)
  if (secret) {
    history.replaceState(null, '', location.pathname)
    const answer = await sendJSON('share/' + secret.split('.')[0] + '/enter', { secret }) // the browser sends the cookie of this share only there
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
 * Opens a WebSocket for the live view of a tab.
 * @param {Record<string, string | number | boolean>} what the tab, and whether the person may use it
 * @param {Record<string, string | number | boolean>} how size and rate of the pictures
 */
export async function socket(what, how) {
  const { ticket } = await post('/screencast/ticket', what)
  const query = new URLSearchParams({ ticket })
  for (const [name, value] of Object.entries(how)) query.set(name, String(value))
  return new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${below}api/screencast?${query}`)
}

const RETRY = 1000 // milliseconds

/**
 * Follows the changes that the server reports, for as long as this page is open. If the stream
 * breaks, follow opens a new one, and calls changed(null), since anything may have changed in
 * between.
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
