// What agents ask a person, and the person's answers.

import { post } from './api.js'
import { asks } from './asks.js'
import { tabPath } from './data.js'
import { button, el, fill, keyed, say, set, tag } from './dom.js'
import { complain, tell } from './notices.js'
import { ticking } from './refresh.js'
import { ago, left } from './words.js'

/** @typedef {import('./asks.js').Ask} Ask */

/** @returns {import('./main.js').View} */
export function questionsView() {
  const open = el('ul', { class: 'rows asks' })
  const earlier = el('ul', { class: 'rows earlier' })
  const empty = el('p', { class: 'empty' }, 'No agent waits for an answer.')
  const earlierTitle = el('h2', {}, 'The agent will get your answer when it asks again')
  const root = el('section', {}, el('div', { class: 'head' }, el('h1', {}, 'Questions'), notifying()), open, empty, earlierTitle, earlier)

  function show() {
    const closed = asks.all().filter(a => a.state === 'answered')
    keyed(open, asks.open(), a => a.id, make, (row, a) => say(/** @type {Element} */ (row.querySelector('.time')), left(a.until)))
    keyed(earlier, closed, a => a.id, a => el('li', { class: 'row' }, el('p', {}, el('bdi', {}, a.message)), el('p', { class: 'tags' }, tag(a.state), el('span', { class: 'quiet' }, ago(a.since)))))
    set(empty, 'hidden', asks.open().length > 0)
    set(earlierTitle, 'hidden', closed.length === 0)
  }

  const stop = asks.listen(show)
  const still = ticking(show)
  return { title: 'Questions', root, changed: show, leave: () => { stop(); still() } }
}

/** @param {Ask} a */
export function make(a) {
  const note = el('textarea', { rows: 2, 'aria-label': 'Note to the agent', placeholder: 'Note to the agent, if you like' })
  const choices = a.choices?.length ? a.choices : ['']
  return el('li', { class: 'row ask' },
    el('p', { class: 'message' }, el('bdi', {}, a.message)),
    el('p', { class: 'tags' }, a.session && tag(el('bdi', {}, a.session), 'session'), a.caller && el('span', { class: 'quiet' }, el('bdi', {}, a.caller)),
      a.confirms && tag('only you can answer'), a.tabId && a.profile && el('a', { href: tabPath(a.profile, a.tabId) }, 'Look at ' + a.tabId), el('span', { class: 'time quiet' })),
    a.confirms ? null : note,
    el('p', { class: 'buttons' }, choices.map((text, i) => button(text || 'Done', () => { answer(a, text, note.value).catch(complain) }, { class: i === 0 && !a.confirms ? 'main' : '' }))))
}

/** @param {Ask} a @param {string} choice @param {string} note */
async function answer(a, choice, note) {
  await post('/asks/answer', { id: a.id, ...(choice && { choice }), ...(note.trim() && { note: note.trim() }) })
  tell('The agent has your answer.')
  asks.reload()
}

/** Makes the button with which a person allows notifications. A browser asks the person for permission only after a click. */
function notifying() {
  if (!('Notification' in window) || Notification.permission !== 'default') return el('span')
  const ask = button('Notify me', async () => {
    await Notification.requestPermission()
    fill(place)
  })
  const place = el('span', {}, ask)
  return place
}
