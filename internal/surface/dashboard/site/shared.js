// The page of a guest: one tab that is shared, to look at it or to work in it.

import { enterShare, Failure, outside, post } from './api.js'
import { button, el, fill, set } from './dom.js'
import { doing } from './notices.js'
import { help, noteOf, screenOf } from './screen.js'
import { clock } from './words.js'

const main = /** @type {HTMLElement} */ (document.getElementById('main'))

/** @param {string} why */
function close(why) {
  fill(main, el('section', { class: 'door' }, el('h1', {}, 'This tab is not shared'), el('p', {}, why), el('p', {}, 'Ask for another link.')))
}

/** @param {{id: string, profile: string, tabId: string, view: boolean, until: string}} share */
function show(share) {
  const on = { profile: share.profile, targetId: share.tabId }
  const title = el('bdi', {}, share.tabId)
  const address = el('bdi')
  const screen = screenOf(on, { title, address, closed: () => { for (const b of [take, back, ...held, hint]) set(b, 'hidden', true) } })
  const note = noteOf(async said => {
    await post('/giveback', { ...on, ...(said && { note: said }) })
    hold(false)
    take.focus()
  })
  const take = button('Take over', doing(async () => {
    await post('/takeover', on)
    hold(true)
    screen.keys.focus({ preventScroll: true })
  }), { class: 'main', hidden: share.view })
  const back = button('Give back', () => note.showModal(), { class: 'main' })
  const held = [button('Back', doing(() => post('/back', on))), button('Reload', doing(() => post('/reload', on))),
    button('Keyboard', () => screen.keys.focus(), { class: 'touch' })]
  const hint = help()
  const root = el('section', { class: 'tab-view' },
    el('div', { class: 'head' }, el('div', {}, el('h1', {}, title), el('p', { class: 'site quiet' }, address),
      el('p', { class: 'quiet' }, share.view ? 'Shared with you to look at it, until ' : 'Shared with you to work in it, until ', clock(share.until))),
    el('p', { class: 'buttons' }, take, back, held)),
    screen.dialogs, hint, screen.root, note)

  /** @param {boolean} mine */
  function hold(mine) {
    set(root, 'class', mine ? 'tab-view held' : 'tab-view')
    if (!share.view) set(take, 'hidden', mine)
    for (const each of [back, hint, ...held]) set(each, 'hidden', !mine)
    screen.film(mine)
  }
  fill(main, root)
  hold(false)
  outside.addEventListener('out', () => {
    screen.leave()
    close('Its time is over, or the person who shared it has ended it.')
  })
}

try {
  const share = await enterShare()
  if (share) show(share)
  else close('This page was opened without a link.')
} catch (e) {
  close(e instanceof Failure ? e.message[0].toUpperCase() + e.message.slice(1) + '.' : 'The server does not answer.')
}
