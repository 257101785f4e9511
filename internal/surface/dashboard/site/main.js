// The dashboard's main script: the login, the navigation between views, and the stream of changes.

import { enter, Failure, follow, leave, outside } from './api.js'
import { asks } from './asks.js'
import { callsView } from './calls.js'
import { doctorView } from './doctor.js'
import { button, el, fill, icon, say, set } from './dom.js'
import { doing } from './notices.js'
import { questionsView } from './questions.js'
import { sessionsView } from './sessions.js'
import { settingsView } from './settings.js'
import { tabView } from './tab.js'
import { tabsView } from './tabs.js'

/**
 * A view is a page of the dashboard. A new one is made each time that it is shown.
 * @typedef {object} View
 * @property {string} title
 * @property {HTMLElement} root
 * @property {(kinds: string[] | null) => void} changed is called with the kinds of data that have changed; null: anything may have
 * @property {() => void} [leave] is called when the view is left, to end its timers and connections
 */

/** @type {Map<string, (...params: string[]) => View>} */
const views = new Map(Object.entries({ '': tabsView, sessions: sessionsView, calls: callsView, questions: questionsView, doctor: doctorView, settings: settingsView, tab: tabView }))

const entries = [
  { path: '', label: 'Tabs', icon: 'M4 5h16a1 1 0 0 1 1 1v12a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1zm1 5v7h14v-7zm0-3v1h5V7z' },
  { path: 'sessions', label: 'Sessions', icon: 'M9 11a3.500 3.500 0 1 1 0-7 3.500 3.500 0 0 1 0 7zm0 2c3.300 0 6.500 1.600 6.500 4.500V20h-13v-2.500C2.500 14.600 5.700 13 9 13zm7.500-2a2.800 2.800 0 1 0-1.600-5.100 5.400 5.400 0 0 1-.3 4.700c.5.3 1.200.4 1.900.4zm1 9h4v-2c0-2.400-2.300-3.800-4.700-4 1 .9 1.700 2 1.700 3.500z' },
  { path: 'calls', label: 'Calls', icon: 'M4 6h2v2H4zm4 0h12v2H8zM4 11h2v2H4zm4 0h12v2H8zm-4 5h2v2H4zm4 0h12v2H8z' },
  { path: 'questions', label: 'Questions', icon: 'M4 4h16a1 1 0 0 1 1 1v11a1 1 0 0 1-1 1h-7l-5 4v-4H4a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1zm7 9v2h2v-2zm-2-5h2a1 1 0 1 1 1.600.8c-.9.700-1.600 1.300-1.600 3.200h2c0-1 .4-1.300 1-1.800A3 3 0 1 0 9 8z' },
  { path: 'doctor', label: 'Doctor', icon: 'M10 3h4v7h7v4h-7v7h-4v-7H3v-4h7z' },
  { path: 'settings', label: 'Settings', icon: 'M4 7h9v2H4zm13 0h3v2h-3zM14 5h2v6h-2zM4 15h3v2H4zm7 0h9v2h-9zM8 13h2v6H8z' },
]

const main = /** @type {HTMLElement} */ (document.getElementById('main'))
const nav = /** @type {HTMLElement} */ (document.getElementById('nav'))
const state = /** @type {HTMLElement} */ (document.getElementById('state'))

/** @type {View | null} */
let shown = null

/** Decodes a part of the address. A part that is not well-formed stays as it is. @param {string} part */
function decode(part) {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Shows the view that the address names. */
function route() {
  const [name, ...params] = location.hash.replace(/^#\/?/, '').split('/').map(decode)
  const first = shown === null
  shown?.leave?.()
  shown = (views.get(name) ?? tabsView)(...params)
  fill(main, shown.root)
  for (const link of nav.querySelectorAll('a')) {
    set(link, 'aria-current', link.hash === '#/' + (name === 'tab' || !views.has(name) ? '' : name) && 'page')
  }
  entitle()
  shown.changed(null)
  scrollTo(0, 0)
  if (!first) main.focus({ preventScroll: true })
}

function entitle() {
  const open = asks.open().length
  document.title = (open ? `(${open}) ` : '') + (shown ? shown.title + ' · ' : '') + 'chela'
  const badge = nav.querySelector('[href="#/questions"] .badge')
  if (badge) {
    say(badge, open || '')
    set(badge, 'hidden', open === 0)
    set(badge, 'aria-label', open === 1 ? 'one is open' : open + ' are open')
  }
}

/** Moves the focus to the content. The link's own hash would be the path of a view. @param {Event} e */
function skip(e) {
  e.preventDefault()
  main.focus()
}

function frame() {
  fill(nav, entries.map(e => el('a', { href: '#/' + e.path }, icon(e.icon), el('span', {}, e.label),
    e.path === 'questions' && el('b', { class: 'badge', hidden: true, role: 'img' }))))
  fill(state, el('span', { class: 'dot' }), el('span', { class: 'words' }, 'connecting'), button('Leave', doing(leave), { class: 'plain' }))
}

/** @param {boolean} connected */
function connection(connected) {
  set(state, 'class', connected ? 'good' : 'bad')
  const words = state.querySelector('.words')
  if (words) say(words, connected ? 'connected' : 'the server does not answer')
}

/** @param {string} why */
function close(why) {
  shown?.leave?.()
  shown = null
  window.removeEventListener('hashchange', route)
  document.body.classList.add('closed')
  document.title = 'chela'
  fill(nav)
  fill(state)
  fill(main, el('section', { class: 'door' },
    el('h1', {}, 'The dashboard is closed'),
    el('p', {}, why),
    el('p', {}, 'Open it by a new link, which works once, within a minute:'),
    el('pre', {}, 'chela dashboard')))
}

/** Opens the link that the person has put into the address of this page. A path of a view begins with a slash. */
function reopen() {
  if (/^#[^/]/.test(location.hash)) location.reload()
}

async function begin() {
  document.querySelector('.skip')?.addEventListener('click', skip)
  window.addEventListener('hashchange', reopen)
  try {
    if (!await enter()) {
      close('This page was opened without a link.')
      return
    }
  } catch (e) {
    close(e instanceof Failure ? e.message[0].toUpperCase() + e.message.slice(1) + '.' : 'The server does not answer.')
    return
  }
  outside.addEventListener('out', () => close('You have left, or the server was started again.'))
  frame()
  asks.listen(entitle)
  window.addEventListener('hashchange', route)
  route()
  follow(kinds => {
    asks.changed(kinds)
    if (!document.hidden) shown?.changed(kinds)
  }, connection)
  document.addEventListener('visibilitychange', () => { if (!document.hidden) shown?.changed(null) })
}

begin()
