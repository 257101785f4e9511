// The view of one tab: its live picture, and lists of what happens in it. Here a person can take over
// the tab and give it back.

import { get, post, remove, sendFile } from './api.js'
import { callLog, callRows } from './calls.js'
import { tabsOf, titleOf } from './data.js'
import { button, choice, el, fill, keyed, say, set, tag } from './dom.js'
import { complain, doing, tell } from './notices.js'
import { refresher, ticking } from './refresh.js'
import { controlsOf, screenOf } from './screen.js'
import { tagsOf } from './tabs.js'
import { clock, count } from './words.js'

/** @typedef {import('./data.js').Tab} Tab */

/** @param {string} profile @param {string} targetId @returns {import('./main.js').View} */
export function tabView(profile, targetId) {
  const on = { profile, targetId }
  const title = el('bdi', {}, targetId)
  const address = el('bdi')
  const tags = el('p', { class: 'tags' })
  const screen = screenOf(on, { title, address, closed: gone })
  const panel = panelOf(profile, targetId)

  const files = el('input', { type: 'file', multiple: true, hidden: true, onchange: () => { giveFiles().catch(complain) } })
  const controls = controlsOf(on, screen, load)
  const give = button('Give files', () => files.click())
  const close = button('Close tab', doing(closeTab), { class: 'plain danger' })

  const root = el('section', { class: 'tab-view' },
    el('p', {}, el('a', { href: '#/', class: 'up' }, '← Tabs')),
    el('div', { class: 'head' }, el('div', {}, el('h1', {}, title), el('p', { class: 'site quiet' }, address), tags),
      el('p', { class: 'buttons' }, controls.buttons, give, close, files)),
    screen.dialogs, controls.help, screen.root, panel.root, controls.note)

  /** @type {Tab | undefined} */
  let tab
  let asked = 0 // the number of the last request for the tab
  let answered = 0 // the number of the request whose answer is shown

  function gone() {
    tab = undefined
    answered = ++asked // an answer that is under way would show the tab again
    controls.hide()
    for (const b of [give, close]) set(b, 'hidden', true)
  }

  async function closeTab() {
    if (!confirm('Close this tab?')) return
    await remove('/tabs/' + encodeURIComponent(targetId), { profile })
    location.hash = '#/'
  }

  /** Sends the chosen files to the server, which gives them to the file chooser that the page opens next. */
  async function giveFiles() {
    const chosen = [...(files.files ?? [])]
    if (!chosen.length) return
    files.value = '' // so that the same files can be chosen again
    const paths = await Promise.all(chosen.map(sendFile))
    await post('/hooks/file-chooser', { ...on, paths })
    tell(count(paths.length, 'file') + ' ready: now click what asks for files in the page.')
  }

  /** Loads the tab. An answer that comes after one to a later request is old, and not shown. */
  async function load() {
    const own = ++asked
    const found = (await tabsOf(profile)).find(t => t.tabId === targetId)
    if (own < answered) return
    answered = own
    if (!found) {
      screen.close('The tab is closed.')
      return
    }
    tab = found
    show()
  }

  function show() {
    if (!tab) return
    const mine = tab.person !== undefined && !tab.person.guest
    say(title, titleOf(tab))
    fill(tags, tagsOf(tab))
    set(root, 'class', mine ? 'tab-view held' : 'tab-view')
    set(give, 'hidden', !mine)
    set(close, 'hidden', false)
    controls.hold(mine)
  }

  const refresh = refresher(load, complain)
  const still = ticking(() => {
    show()
    if (tab?.person && Date.parse(tab.person.until) < Date.now()) refresh.run() // the time of the takeover is over
  })
  return {
    title: 'Tab ' + targetId, root,
    changed(kinds) {
      if (!kinds || kinds.includes('calls') || kinds.includes('tabs')) refresh.run()
      panel.changed(kinds)
    },
    leave() {
      refresh.end()
      still()
      panel.end()
      screen.leave()
    },
  }
}

/** How many lines of a list are shown at most. */
const MOST = 1000

/**
 * Makes the lists below the picture: calls, console messages, requests and downloads.
 * @param {string} profile @param {string} targetId
 */
function panelOf(profile, targetId) {
  const on = { profile, targetId, limit: MOST }
  const log = callLog({ profile, targetId })
  const rows = callRows(() => {
    log.forget()
    refresh.run()
  })
  const lines = el('ol', { class: 'rows lines' })
  const empty = el('p', { class: 'empty' })
  let kind = 'calls'

  /** Each function loads a list. What it returns shows the list, and returns its length. @type {Record<string, () => Promise<() => number>>} */
  const load = {
    async calls() {
      await log.load()
      return () => {
        const all = log.all()
        rows.show(all)
        return all.length
      }
    },
    async console() {
      const [said, failed] = await Promise.all([get('/console', on), get('/errors', on)])
      const all = [...said.messages, ...failed.errors.map(/** @param {any} e */ e => ({ type: 'error', text: (e.name || 'Error') + ': ' + e.message, timestamp: e.timestamp }))]
      all.sort((a, b) => b.timestamp.localeCompare(a.timestamp))
      return () => draw(all, m => m.key, m => el('li', { class: 'line ' + m.type },
        el('time', { class: 'when' }, clock(m.timestamp)), tag(m.type, m.type === 'error' ? 'bad' : m.type === 'warning' ? 'warn' : ''), el('bdi', { class: 'text' }, m.text)))
    },
    async requests() {
      /** @type {any[]} */
      const requests = (await get('/requests', on)).requests
      return () => draw(requests.reverse(), r => r.key + r.status + r.failureText, r => el('li', { class: 'line' },
        el('time', { class: 'when' }, clock(r.timestamp)), tag(r.failureText ? 'failed' : r.status || '…', r.failureText || r.status >= 400 ? 'bad' : 'good'),
        el('span', { class: 'quiet' }, r.method, ' ', r.resourceType), el('bdi', { class: 'text' }, r.url, r.failureText && ' · ' + r.failureText)))
    },
    async downloads() {
      /** @type {any[]} */
      const downloads = (await get('/downloads/list', { profile, targetId })).downloads
      return () => draw(downloads, d => d.key + d.state, d => el('li', { class: 'line' },
        tag(d.state || 'done', d.state === 'failed' ? 'bad' : 'good'), el('bdi', { class: 'text' }, d.suggestedFilename, d.error && ' · ' + d.error)))
    },
  }

  /** Shows the lines of a list. @param {any[]} list @param {(item: any) => string} keyOf @param {(item: any) => Element} make */
  function draw(list, keyOf, make) {
    keyed(lines, numbered(list), keyOf, make)
    return list.length
  }

  async function show() {
    const wanted = kind
    const showList = await load[wanted]()
    if (wanted !== kind) return // the person has chosen another list meanwhile
    const n = showList()
    set(rows.root, 'hidden', kind !== 'calls')
    set(lines, 'hidden', kind === 'calls')
    set(empty, 'hidden', n > 0)
    say(empty, 'Nothing yet.')
  }

  const refresh = refresher(show, complain, 1000)
  const kinds = choice('What is listed', { calls: 'Calls', console: 'Console', requests: 'Requests', downloads: 'Downloads' }, kind, value => {
    kind = value
    fill(lines)
    refresh.run()
  })
  let late = 0
  return {
    root: el('section', { class: 'panel', 'aria-label': 'What has happened in the tab' }, kinds, rows.root, lines, empty),
    /** @param {string[] | null} changed */
    changed(changed) {
      if (changed && !changed.includes('calls') && !changed.includes('journal ' + targetId)) return
      refresh.run()
      clearTimeout(late)
      late = setTimeout(refresh.run, 1500) // load again: the picture of a call is taken after the call
    },
    end() {
      clearTimeout(late)
      refresh.end()
      rows.end()
    },
  }
}

/**
 * Gives each item of a list a unique key: its id or time, and a number to tell items with the same time
 * apart.
 * @param {any[]} list
 */
function numbered(list) {
  /** @type {Map<string, number>} */
  const seen = new Map()
  return list.map(item => {
    const at = item.id ?? item.timestamp ?? ''
    const n = (seen.get(at) ?? 0) + 1
    seen.set(at, n)
    return { ...item, key: at + ' ' + n }
  })
}
