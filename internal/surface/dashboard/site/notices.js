// Short messages to the person, in a corner of the window.

import { Failure } from './api.js'
import { el, fill } from './dom.js'

/** Shows a message for some seconds. @param {string} text @param {boolean} [bad] */
export function tell(text, bad = false) {
  const line = el('p', { class: bad ? 'bad' : '' }, text)
  fill(/** @type {HTMLElement} */ (document.getElementById('said')), line)
  setTimeout(() => line.remove(), bad ? 12000 : 5000)
}

/** Shows an error. @param {unknown} e */
export function complain(e) {
  if (e instanceof Failure && e.status === 401) return // the whole page says that the dashboard is closed
  if (e instanceof Failure) tell(e.message + (e.hint ? '. Try: ' + e.hint : ''), true)
  else if (e instanceof TypeError && /fetch/i.test(e.message)) tell('The server does not answer', true)
  else tell(String(e), true)
}

/** Makes an event listener that runs work, and shows its error if it fails. @param {() => Promise<unknown>} work */
export const doing = work => () => { work().catch(complain) }
