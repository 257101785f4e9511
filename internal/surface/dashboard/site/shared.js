// The script of the page for guests. It shows one shared tab, to look at it or to use it.

import { enterShare, Failure, outside } from './api.js'
import { el, fill, set } from './dom.js'
import { tell } from './notices.js'
import { controlsOf, screenOf } from './screen.js'
import { end } from './words.js'

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
  let mine = false
  const screen = screenOf(on, {
    title, address, closed: () => controls.hide(),
    person(guest) {
      if (mine && guest !== share.id) tell('You do not have the tab any more.', true)
      hold(guest === share.id)
    },
  })
  const controls = controlsOf(on, screen, hold)
  const root = el('section', { class: 'tab-view' },
    el('div', { class: 'head' }, el('div', {}, el('h1', {}, title), el('p', { class: 'site quiet' }, address),
      el('p', { class: 'quiet' }, share.view ? 'Shared with you to look at it, until ' : 'Shared with you to work in it, until ', end(share.until))),
    el('p', { class: 'buttons' }, controls.buttons)),
    screen.dialogs, controls.help, screen.root, controls.note)

  /** @param {boolean} has */
  function hold(has) {
    mine = has
    set(root, 'class', mine ? 'tab-view held' : 'tab-view')
    controls.hold(mine)
    if (share.view) controls.hide()
  }
  fill(main, root)
  hold(false)
  outside.addEventListener('out', () => {
    screen.leave()
    close('Its time is over, or the person who shared it has ended it.')
  })
}

window.addEventListener('hashchange', () => { if (location.hash) location.reload() }) // the guest has opened another link in this page

try {
  const share = await enterShare()
  if (share) show(share)
  else close('This page was opened without a link.')
} catch (e) {
  close(e instanceof Failure ? e.message[0].toUpperCase() + e.message.slice(1) + '.' : 'The server does not answer.')
}
