// The view of browsers and their tabs, with live thumbnails.

import { get } from './api.js'
import { isUp, memory, profiles, tabPath, tabsOf, titleOf } from './data.js'
import { el, fill, keyed, say, set, tag } from './dom.js'
import { Live } from './live.js'
import { complain } from './notices.js'
import { inView, refresher, ticking } from './refresh.js'
import { count, left, siteOf, size } from './words.js'

/** @typedef {import('./data.js').Profile} Profile */
/** @typedef {import('./data.js').Tab} Tab */
/** @typedef {Profile & {tabs: Tab[], egress?: string, headless?: boolean, notice?: string, bytes?: number}} Browser */

/** Size and rate of thumbnails. The recorder's pictures have the same size, so that one screencast serves both. With yield, calls have precedence. */
const FILM = { maxWidth: 640, maxHeight: 480, quality: 50, fps: 2, yield: true }

/** Shortest time between two requests for the memory of browsers, in milliseconds: for each, the server reads the system's list of processes. */
const MEMORY_EVERY = 10_000

const egress = /** @type {Record<string, string>} */ ({
  enforced: 'network policy enforced', 'best-effort': 'network policy, best effort',
})

/** @returns {import('./main.js').View} */
export function tabsView() {
  const running = el('div', { class: 'browsers' })
  const idle = el('ul', { class: 'idle' })
  const empty = el('p', { class: 'empty' }, 'No browser runs. It starts with the first call of an agent, or by ', el('code', {}, 'chela open'), '.')
  const root = el('section', {}, el('h1', {}, 'Tabs'), running, empty, el('h2', { class: 'idle-title' }, 'Profiles at rest'), idle)
  /** @type {Map<Element, Live>} */
  const lives = new Map()
  const seen = inView((card, visible) => visible && !document.hidden ? lives.get(card)?.start() : lives.get(card)?.stop())
  let bytes = /** @type {Map<string, number>} */ (new Map())
  let weighed = 0
  /** @type {Profile[]} */
  let all = []
  /** @type {Browser[]} */
  let browsers = []

  async function load() {
    const listed = await profiles()
    if (Date.now() - weighed > MEMORY_EVERY) {
      weighed = Date.now()
      bytes = await memory().catch(() => bytes)
    }
    browsers = await Promise.all(listed.filter(isUp).map(async p => {
      const [tabs, status] = await Promise.all([tabsOf(p.name), get('/', { profile: p.name })])
      return { ...p, tabs, egress: status.egress, headless: status.headless, notice: status.notice, bytes: bytes.get(p.name) }
    }))
    all = listed
    show()
  }

  function show() {
    keyed(running, browsers, b => b.name, makeBrowser, updateBrowser)
    keyed(idle, all.filter(p => !isUp(p)), p => p.name, p => el('li', {}, dot(p.color), el('bdi', {}, p.name)))
    set(empty, 'hidden', browsers.length > 0)
    for (const [card, live] of lives) {
      if (!card.isConnected) {
        live.stop()
        lives.delete(card)
        seen.unobserve(card)
      }
    }
  }

  /** @param {Browser} b */
  function makeBrowser(b) {
    return el('section', { class: 'browser', 'aria-label': 'Browser ' + b.name },
      el('h2', {}, dot(b.color), el('bdi', {}, b.name)), el('p', { class: 'facts quiet' }), el('ul', { class: 'cards' }), el('p', { class: 'empty' }, 'No tab is open.'))
  }

  /** @param {HTMLElement} node @param {Browser} b */
  function updateBrowser(node, b) {
    const facts = [count(b.tabs.length, 'tab'), b.bytes && size(b.bytes), b.headless === false && 'with windows', b.egress && (egress[b.egress] ?? b.egress), b.notice]
    say(/** @type {Element} */ (node.querySelector('.facts')), facts.filter(Boolean).join(' · '))
    set(/** @type {Element} */ (node.querySelector('.empty')), 'hidden', b.tabs.length > 0)
    keyed(/** @type {Element} */ (node.querySelector('.cards')), b.tabs, t => t.tabId, t => makeCard(b, t), updateCard)
  }

  /** @param {Browser} b @param {Tab} t */
  function makeCard(b, t) {
    const picture = el('img', { alt: '', class: 'picture' })
    const card = el('li', { class: 'card' },
      el('a', { href: tabPath(b.name, t.tabId) },
        el('span', { class: 'screen' }, picture),
        el('span', { class: 'title' }, el('bdi')), el('span', { class: 'site quiet' }, el('bdi')), el('span', { class: 'tags' })))
    lives.set(card, new Live({ profile: b.name, targetId: t.tabId }, FILM, picture))
    seen.observe(card)
    return card
  }

  /** @param {HTMLElement} card @param {Tab} t */
  function updateCard(card, t) {
    say(/** @type {Element} */ (card.querySelector('.title bdi')), titleOf(t))
    say(/** @type {Element} */ (card.querySelector('.site bdi')), siteOf(t.url))
    set(card, 'class', t.person ? 'card held' : 'card')
    fill(/** @type {Element} */ (card.querySelector('.tags')), tagsOf(t))
  }

  const refresh = refresher(load, complain, 700)
  const wake = () => { for (const [card, live] of lives) document.hidden ? live.stop() : (seen.unobserve(card), seen.observe(card)) }
  document.addEventListener('visibilitychange', wake)
  const still = ticking(show)
  return {
    title: 'Tabs', root,
    changed: refresh.run,
    leave() {
      refresh.end()
      still()
      seen.disconnect()
      document.removeEventListener('visibilitychange', wake)
      for (const live of lives.values()) live.stop()
    },
  }
}

/** Makes labels for a tab: its handle, who has it, its session, and its state. @param {Tab} t */
export function tagsOf(t) {
  return [
    tag(t.tabId, 'id'),
    personTag(t),
    t.session ? tag(el('bdi', {}, t.session), 'session') : t.users ? tag('yours') : t.unowned && tag('opened by a page'),
    t.leasedTo && tag(['leased to ' + t.leasedTo, t.leasedUntil && left(t.leasedUntil)].filter(Boolean).join(', '), 'lease'),
    t.isolated && tag('isolated'),
    t.crashed && tag('crashed', 'bad'),
  ]
}

/** Makes a label that says who has taken over a tab, if somebody has. @param {Tab} t */
export const personTag = t => t.person && tag((t.person.guest ? `guest ${t.person.guest} has it, ` : 'you have it, ') + left(t.person.until), 'person')

/** @param {string} color */
export function dot(color) {
  const spot = el('span', { class: 'spot' })
  spot.style.background = color // allowed by the Content-Security-Policy: it forbids style attributes, not styles that a script sets
  return spot
}
