// The screen of a tab: its live picture, which a person may use like the tab, and the page's dialogs.

import { Failure, post } from './api.js'
import { button, el, set, say, tag } from './dom.js'
import { takeInput } from './input.js'
import { Live } from './live.js'
import { complain, doing, tell } from './notices.js'
import { siteOf } from './words.js'

/** The reason of an error: a reload would send a form again. */
const SENDS_FORM = 'sends_form_again'

/**
 * @param {{profile: string, targetId: string}} on
 * @param {{title: HTMLElement, address: HTMLElement, closed: () => void, person?: (guest: string) => void}} shown elements for the title and the address; closed is called when the tab has closed or is no longer shared, and person with the id of the share whose guest has taken over the tab, or ''
 */
export function screenOf(on, shown) {
  const picture = el('img', { alt: 'The page as it is now', class: 'picture' })
  const keys = el('textarea', { class: 'keys', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', 'aria-label': 'What is typed here goes to the page. Shift and Escape leave it.', disabled: true })
  const stage = el('div', { class: 'stage' }, picture, keys)
  const state = el('p', { class: 'stage-state', role: 'status' }, 'Waiting for the first picture …')
  const dialogs = el('div', { class: 'dialogs' })
  const again = questionOf('Send the form again?', 'The page is the answer to a form. A reload sends the form once more, which may be a second order.', 'Send', () => post('/reload', { ...on, resend: true }))
  let acting = false
  let left = false
  /** @type {Live | undefined} */
  let live

  /** @param {import('./live.js').Message} m */
  function hear(m) {
    switch (m.type) {
      case 'connected':
        dialogs.replaceChildren() // the server now names those that are open
        break
      case 'broken':
        status('The live view is not connected. It connects again by itself.')
        break
      case 'frame':
        set(state, 'hidden', true)
        break
      case 'address':
        say(shown.address, siteOf(m.url) || 'an address that the policy does not allow')
        break
      case 'title':
        say(shown.title, m.title || on.targetId)
        break
      case 'dialog':
        showDialog(m)
        break
      case 'person':
        shown.person?.(m.person?.guest ?? '')
        break
      case 'crashed':
        status('The page has crashed. The next call opens it again.')
        break
      case 'error':
        if (m.reason === SENDS_FORM) again.showModal() // the person has pressed a key that reloads
        else tell(m.error + (m.hint ? '. Try: ' + m.hint : ''), true)
        break
      case 'end':
        if (m.reason === 'tab-closed') close('The tab is closed.')
        if (m.reason === 'share-ended') close('The tab is not shared any more.')
        if (m.reason === 'pass-ended') close('You have left the dashboard.')
    }
  }

  /** @param {string} words */
  function status(words) {
    say(state, words)
    set(state, 'hidden', false)
  }

  /** @param {string} why */
  function close(why) {
    live?.stop()
    live = undefined
    status(why)
    dialogs.replaceChildren()
    set(keys, 'disabled', true)
    shown.closed()
  }

  /** @param {import('./live.js').Message} m */
  function showDialog(m) {
    if (!m.open) {
      for (const each of dialogs.children) if (/** @type {HTMLElement} */ (each).dataset.id === String(m.id)) each.remove()
      return
    }
    const answer = el('input', { type: 'text', 'aria-label': 'Your answer', value: m.default })
    const reply = /** @param {boolean} accept */ accept => doing(() => post('/hooks/dialog', { ...on, dialogId: m.id, accept, ...(m.kind === 'prompt' && accept && { promptText: answer.value }) }))
    dialogs.append(el('div', { class: 'dialog', role: 'alertdialog', 'aria-label': 'The page shows a dialog', 'data-id': m.id },
      el('p', {}, tag(m.kind), ' ', el('bdi', {}, m.message)), m.kind === 'prompt' && answer,
      el('p', { class: 'buttons' }, button('OK', reply(true), { class: 'main' }), m.kind !== 'alert' && button('Cancel', reply(false)))))
  }

  const endInput = takeInput(stage, keys, picture, () => acting && live || null)
  const wake = () => document.hidden ? live?.stop() : live?.start()
  document.addEventListener('visibilitychange', wake)
  return {
    root: el('div', { class: 'screen-frame' }, stage, state, again), dialogs, keys, close,

    /** Reloads the tab. If this would send a form again, it asks the person first. */
    async reload() {
      try {
        await post('/reload', on)
      } catch (e) {
        if (!(e instanceof Failure && e.reason === SENDS_FORM)) throw e
        again.showModal()
      }
    },

    /** Shows the live tab. If acts is true, the person may use mouse and keyboard in it. @param {boolean} acts */
    film(acts) {
      if (left || live && acts === acting) return // the view may be left before its data has arrived
      live?.stop()
      acting = acts
      set(keys, 'disabled', !acts)
      const width = Math.min(1600, Math.max(640, Math.round(innerWidth * Math.min(devicePixelRatio, 2))))
      const before = live
      live = new Live({ ...on, control: acts }, { maxWidth: width, maxHeight: 1600, quality: 70, fps: acts ? 15 : 8 }, picture, hear)
      if (before) [live.width, live.height] = [before.width, before.height] // the last picture is still shown, and a click in it needs its size
      live.start()
    },

    leave() {
      left = true
      endInput()
      live?.stop()
      document.removeEventListener('visibilitychange', wake)
    },
  }
}

/**
 * Makes the buttons with which a person takes over a tab, goes back, reloads, and gives the tab back.
 * @param {{profile: string, targetId: string}} on
 * @param {ReturnType<typeof screenOf>} screen
 * @param {(mine: boolean) => Promise<void> | void} changed is called when the person has taken over the tab (mine is true) or has it no more
 */
export function controlsOf(on, screen, changed) {
  const take = button('Take over', doing(async () => {
    await post('/takeover', on)
    await changed(true)
    screen.keys.focus({ preventScroll: true })
  }), { class: 'main' })
  const note = noteOf(async said => {
    try {
      await post('/giveback', { ...on, ...(said && { note: said }) })
      tell('The agents go on.')
    } catch (e) {
      if (!(e instanceof Failure && e.status === 409)) throw e
      complain(e) // the person has it no more: its time was over, or somebody else gave it back
    }
    await changed(false)
    take.focus()
  })
  const held = [button('Give back', () => note.showModal(), { class: 'main' }), button('Back', doing(() => post('/back', on))), button('Reload', doing(screen.reload)),
    button('Keyboard', () => screen.keys.focus(), { class: 'touch' })]
  const help = el('p', { class: 'help quiet' }, 'Click, scroll, type and paste in the picture. ',
    el('span', { class: 'no-touch' }, el('kbd', {}, 'Shift'), ' ', el('kbd', {}, 'Esc'), ' leaves it.'))
  return {
    buttons: [take, ...held], help, note,

    /** Shows the buttons for a person who has taken over the tab (mine is true) or has not. @param {boolean} mine */
    hold(mine) {
      set(take, 'hidden', mine)
      for (const each of [help, ...held]) set(each, 'hidden', !mine)
      screen.film(mine)
    },

    /** Hides all buttons. */
    hide() {
      for (const each of [take, help, ...held]) set(each, 'hidden', true)
    },
  }
}

/**
 * Makes a dialog that asks before something is done.
 * @param {string} title
 * @param {string} text
 * @param {string} yes the words of the button that does it
 * @param {() => Promise<unknown>} work
 */
function questionOf(title, text, yes, work) {
  const agree = doing(() => {
    dialog.close()
    return work()
  })
  const dialog = el('dialog', { 'aria-label': title }, el('h2', {}, title), el('p', {}, text),
    el('p', { class: 'buttons' }, button(yes, agree, { class: 'main' }), button('Cancel', () => dialog.close())))
  return dialog
}

/**
 * Makes the dialog for giving a tab back, with a field for a note to the agents.
 * @param {(note: string) => Promise<void>} giveBack
 */
function noteOf(giveBack) {
  const text = el('textarea', { rows: 3, id: 'note-text', placeholder: 'I have logged in' })
  const give = doing(async () => {
    await giveBack(text.value.trim())
    dialog.close()
    text.value = ''
  })
  const dialog = el('dialog', { 'aria-labelledby': 'note-title' },
    el('h2', { id: 'note-title' }, 'Give the tab back'),
    el('label', { for: 'note-text' }, 'A note to the agent, if you like'), text,
    el('p', { class: 'buttons' }, button('Give back', give, { class: 'main' }), button('Cancel', () => dialog.close())))
  return dialog
}
