// The list of calls: what agents have done in tabs, with the outcomes and pictures.

import { Failure, file, get } from './api.js'
import { profiles, tabPath } from './data.js'
import { choice, el, fill, keyed, say, set, tag } from './dom.js'
import { complain } from './notices.js'
import { inView, refresher } from './refresh.js'
import { clock, count, siteOf, took } from './words.js'

/**
 * @typedef {object} Call
 * @property {string} profile
 * @property {string} id
 * @property {string} time
 * @property {string} [session]
 * @property {string} [caller]
 * @property {string} tab
 * @property {string} op
 * @property {string} title
 * @property {boolean} [part] the call is an action of a batch
 * @property {Record<string, unknown>} [args]
 * @property {{ref?: string, role?: string, name?: string}} [element]
 * @property {string[]} [effects]
 * @property {string} [url]
 * @property {string} [error]
 * @property {string} [code]
 * @property {number} ms
 * @property {string} [picture] path of the picture on the server
 * @property {string} [pictureId] id with which the picture can be fetched
 */

/** How many calls are shown at most. */
const MOST = 1000

/** In seconds. Each request asks for calls since this long before the previous request. The picture of a call is ready a little later than the call. */
const OVERLAP = 5

/** @param {Call} c */
const keyOf = c => c.profile + ' ' + c.id

/**
 * Loads the calls of all profiles, or those of one tab. The first load asks for all calls, and later
 * ones only for the newest.
 * @param {{profile?: string, targetId?: string}} [only]
 */
export function callLog(only = {}) {
  /** @type {Map<string, Call>} */
  const known = new Map()
  let asked = 0
  return {
    /** The next load asks for all calls again: an id of a picture is good for an hour. */
    forget() { asked = 0 },

    all: () => [...known.values()].sort((a, b) => b.time.localeCompare(a.time) || b.id.localeCompare(a.id)).slice(0, MOST),
    async load() {
      const since = asked && Math.ceil((Date.now() - asked) / 1000) + OVERLAP + 's'
      const now = Date.now()
      const names = only.profile ? [only.profile] : (await profiles()).map(p => p.name)
      const answers = await Promise.all(names.map(profile => get('/recorder', { profile, targetId: only.targetId, since: since || undefined, limit: MOST })))
      answers.forEach((answer, i) => {
        for (const entry of answer.entries) {
          const call = { ...entry, profile: names[i], pictureId: answer.fileIds?.[entry.picture] }
          known.set(keyOf(call), call)
        }
      })
      asked = now
      if (known.size > 2 * MOST) {
        const keep = new Set(this.all().map(keyOf))
        for (const key of known.keys()) if (!keep.has(key)) known.delete(key)
      }
    },
  }
}

/** @returns {import('./main.js').View} */
export function callsView() {
  const log = callLog()
  const rows = callRows(() => {
    log.forget()
    refresh.run()
  })
  const amount = el('p', { class: 'quiet', role: 'status' })
  const search = el('input', { type: 'search', placeholder: 'Search calls', 'aria-label': 'Search calls', oninput: () => show() })
  const who = el('select', { 'aria-label': 'Session', onchange: () => show() })
  let kind = 'all'
  const kinds = choice('Which calls', { all: 'All', acts: 'Acts', failed: 'Failed' }, kind, value => {
    kind = value
    show()
  })
  const empty = el('p', { class: 'empty' }, 'Nothing is recorded yet.')
  const root = el('section', {}, el('h1', {}, 'Calls'), el('div', { class: 'tools' }, kinds, who, search, amount), rows.root, empty)

  function show() {
    const all = log.all()
    sessionsIn(all)
    const words = search.value.toLowerCase()
    const list = all.filter(c => (kind !== 'failed' || c.code) && (kind !== 'acts' || c.effects?.length) &&
      (!who.value || c.session === who.value) && (!words || textOf(c).includes(words)))
    rows.show(list)
    set(empty, 'hidden', list.length > 0)
    say(empty, all.length ? 'No call is like that.' : 'Nothing is recorded yet. Calls of agents appear here as they end.')
    say(amount, list.length === all.length ? count(all.length, 'call') : `${list.length} of ${count(all.length, 'call')}`)
  }

  /** @param {Call[]} all */
  function sessionsIn(all) {
    const names = [...new Set(all.map(c => c.session ?? ''))].filter(Boolean).sort()
    if (names.join() === [...who.options].slice(1).map(o => o.value).join()) return
    const chosen = who.value
    fill(who, el('option', { value: '' }, 'All sessions'), names.map(name => el('option', { value: name, selected: name === chosen }, name)))
  }

  const refresh = refresher(async () => {
    await log.load()
    show()
  }, complain, 1000)
  let late = 0
  return {
    title: 'Calls', root,
    changed(kinds) {
      if (kinds && !kinds.includes('calls')) return
      refresh.run()
      clearTimeout(late)
      late = setTimeout(refresh.run, 1500) // load again: the picture of a call is taken after the call
    },
    leave() {
      clearTimeout(late)
      refresh.end()
      rows.end()
    },
  }
}

/** @param {Call} c */
const textOf = c => [c.title, c.session, c.caller, c.tab, c.element?.name, c.url, c.error, c.code].join(' ').toLowerCase()

/**
 * A list of calls, the newest first.
 * @param {() => void} expired is called when the id of a picture is not good any more
 */
export function callRows(expired) {
  const root = el('ol', { class: 'rows calls' })
  const pictures = new Pictures(expired)
  return {
    root,
    /** @param {Call[]} list */
    show: list => keyed(root, list, keyOf, c => makeRow(c, pictures), (row, c) => update(row, c, pictures)),
    end: () => pictures.end(),
  }
}

/** The call of each row, as it was loaded last: its picture comes later than the row. @type {WeakMap<Element, Call>} */
const callOf = new WeakMap()

/** @param {Call} c @param {Pictures} pictures */
function makeRow(c, pictures) {
  const details = el('details', { class: 'call' + (c.part ? ' part' : '') },
    el('summary', {},
      el('time', { class: 'when', datetime: c.time }, clock(c.time)),
      el('span', { class: 'what' },
        el('span', { class: 'title' }, el('bdi', {}, c.title), c.element && [' ', el('span', { class: 'subject' }, c.element.role ?? '', ' ', el('bdi', {}, c.element.name ? `“${c.element.name}”` : ''))]),
        el('span', { class: 'tags' }, verdict(c), tag(c.tab, 'id'), c.session && tag(el('bdi', {}, c.session), 'session'),
          el('span', { class: 'quiet' }, [c.caller, took(c.ms)].filter(Boolean).join(' · '))),
        c.error && el('span', { class: 'error' }, c.error)),
      el('span', { class: 'shot' })))
  details.addEventListener('toggle', () => {
    if (details.open && details.children.length === 1) details.append(detailOf(callOf.get(row) ?? c, pictures))
  })
  const row = el('li', {}, details)
  return row
}

/** @param {Call} c */
function verdict(c) {
  return c.code ? tag(c.code, 'bad') : (c.effects ?? []).map(e => tag(e, 'good'))
}

/** @param {HTMLElement} row @param {Call} c @param {Pictures} pictures */
function update(row, c, pictures) {
  callOf.set(row, c)
  const place = /** @type {HTMLElement} */ (row.querySelector('.shot'))
  if (c.picture && c.pictureId && !place.firstChild) {
    const picture = el('img', { alt: '', loading: 'lazy' })
    place.append(picture)
    pictures.show(picture, c.picture, c.pictureId)
  }
}

/** @param {Call} c @param {Pictures} pictures */
function detailOf(c, pictures) {
  const facts = /** @type {[string, any][]} */ ([
    ...Object.entries(c.args ?? {}).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
    ['address', c.url && siteOf(c.url)], ['profile', c.profile], ['error', c.code && c.code + ': ' + c.error],
  ].filter(([, value]) => value !== undefined && value !== ''))
  const large = el('img', { class: 'large', alt: 'The tab after the call' })
  if (c.picture && c.pictureId) pictures.show(large, c.picture, c.pictureId)
  return el('div', { class: 'detail' },
    el('dl', {}, facts.map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, el('bdi', {}, value))))),
    c.picture && large, el('p', {}, el('a', { href: tabPath(c.profile, c.tab) }, 'Look at ' + c.tab)))
}

/** Shows pictures of calls. A picture is fetched when its element comes into view, and only once unless that fails. */
class Pictures {
  /** @param {() => void} expired */
  constructor(expired) {
    this.expired = expired
    /** @type {Map<string, Promise<string>>} */
    this.known = new Map()
    /** Rows may leave the list before their pictures are fetched. @type {WeakMap<Element, {path: string, id: string}>} */
    this.waiting = new WeakMap()
    this.seen = inView((element, visible) => {
      const it = this.waiting.get(element)
      if (!visible || !it) return
      this.waiting.delete(element)
      this.seen.unobserve(element)
      this.fetch(it.path, it.id).then(url => set(element, 'src', url), () => element.remove())
    })
  }

  /** @param {HTMLImageElement} element @param {string} path @param {string} id */
  show(element, path, id) {
    this.waiting.set(element, { path, id })
    this.seen.observe(element)
  }

  /** @param {string} path @param {string} id */
  fetch(path, id) {
    let url = this.known.get(path)
    if (!url) {
      url = file(id, 'image/jpeg').then(blob => URL.createObjectURL(blob))
      this.known.set(path, url)
      url.catch(e => {
        this.known.delete(path)
        if (e instanceof Failure && e.status === 404) this.expired()
      })
      const [[oldest, its]] = this.known
      if (this.known.size > 2 * MOST) {
        this.known.delete(oldest)
        its.then(URL.revokeObjectURL, () => {})
      }
    }
    return url
  }

  end() {
    this.seen.disconnect()
    for (const url of this.known.values()) url.then(URL.revokeObjectURL, () => {})
  }
}
