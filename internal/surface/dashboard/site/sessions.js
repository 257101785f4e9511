// The view of sessions, with their agents and tabs.

import { get, post } from './api.js'
import { isUp, profiles, tabPath, tabsOf, titleOf } from './data.js'
import { button, el, fill, keyed, say, set, tag } from './dom.js'
import { complain, doing, tell } from './notices.js'
import { refresher, ticking } from './refresh.js'
import { personTag } from './tabs.js'
import { ago, count, left } from './words.js'

/** @typedef {import('./data.js').Tab & {profile: string}} Tab */

/**
 * @typedef {object} Session
 * @property {string} session
 * @property {string} profile
 * @property {string[]} tabs
 * @property {string} [current]
 * @property {string} [lastUsedAt]
 * @property {string[]} [allowHosts]
 */

/** @returns {import('./main.js').View} */
export function sessionsView() {
  const list = el('ul', { class: 'rows' })
  const empty = el('p', { class: 'empty' }, 'No session has tabs, or uses any.')
  const root = el('section', {}, el('h1', {}, 'Sessions'), el('p', { class: 'lead quiet' }, 'A session is what an agent works in. It has tabs of its own, and may have leased others.'), list, empty)
  /** @type {Session[]} */
  let sessions = []
  /** @type {Map<string, Set<string>>} */
  let agents = new Map()
  /** @type {Tab[]} */
  let tabs = []

  async function load() {
    const [listed, all] = await Promise.all([get('/sessions'), profiles()])
    const used = all.filter(isUp)
    const calls = await Promise.all(used.map(p => get('/calls', { profile: p.name })))
    const open = await Promise.all(used.map(async p => (await tabsOf(p.name)).map(t => ({ ...t, profile: p.name }))))
    agents = new Map()
    for (const call of calls.flatMap(c => c.calls)) {
      if (!call.session || !call.caller) continue
      if (!agents.has(call.session)) agents.set(call.session, new Set())
      agents.get(call.session)?.add(call.caller)
    }
    sessions = listed.sessions
    tabs = open.flat()
    show()
  }

  function show() {
    keyed(list, sessions, s => s.session + ' ' + s.profile, make, update)
    set(empty, 'hidden', sessions.length > 0)
  }

  /** @param {Session} s */
  function make(s) {
    return el('li', { class: 'row session' },
      el('div', { class: 'head' }, el('h2', {}, el('bdi', {}, s.session)), el('span', { class: 'used quiet' }),
        s.session !== 'person' && button('End', doing(() => end(s.session)), { class: 'plain danger', 'aria-label': 'End session ' + s.session })),
      el('p', { class: 'facts quiet' }), el('ul', { class: 'held' }))
  }

  /** @param {HTMLElement} node @param {Session} s */
  function update(node, s) {
    const held = tabs.filter(t => t.profile === s.profile && (s.tabs.includes(t.tabId) || t.leasedTo === s.session))
    const callers = [...(agents.get(s.session) ?? [])]
    say(/** @type {Element} */ (node.querySelector('.used')), ago(s.lastUsedAt))
    say(/** @type {Element} */ (node.querySelector('.facts')), [
      callers.length ? 'agents: ' + callers.join(', ') : '', s.profile && 'profile ' + s.profile, count(s.tabs.length, 'tab'),
      s.allowHosts && 'may open only ' + (s.allowHosts.join(', ') || 'nothing'),
    ].filter(Boolean).join(' · '))
    fill(/** @type {Element} */ (node.querySelector('.held')), held.map(t => el('li', {},
      el('a', { href: tabPath(s.profile, t.tabId) }, tag(t.tabId, 'id'), ' ', el('bdi', {}, titleOf(t))), ' ',
      t.tabId === s.current && tag('current'),
      t.leasedTo === s.session && tag('leased, ' + left(t.leasedUntil), 'lease'),
      t.leasedTo && t.leasedTo !== s.session && tag('leased to ' + t.leasedTo, 'lease'),
      personTag(t))))
  }

  /** @param {string} session */
  async function end(session) {
    if (!confirm(`End the session ${session}? Its tabs are closed.`)) return
    const done = await post('/sessions/end', { session })
    const silent = done.silent ? ` These nodes have not ended it, and keep what it has there: ${done.silent.join(', ')}.` : ''
    tell(`The session has ended: ${count(done.closed, 'tab')} closed.${silent}`, silent !== '')
    refresh.run()
  }

  const refresh = refresher(load, complain, 1000)
  const still = ticking(show)
  return { title: 'Sessions', root, changed: refresh.run, leave: () => { refresh.end(); still() } }
}
