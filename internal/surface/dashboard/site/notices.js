// What is said to the person at the edge of the window.

import { Failure } from './api.js'
import { el, fill } from './dom.js'

/** Says something for a while. @param {string} text @param {boolean} [bad] */
export function tell(text, bad = false) {
  const line = el('p', { class: bad ? 'bad' : '' }, text)
  fill(/** @type {HTMLElement} */ (document.getElementById('said')), line)
  setTimeout(() => line.remove(), bad ? 12000 : 5000)
}

/** Says why something has failed. @param {unknown} e */
export function complain(e) {
  if (e instanceof Failure && e.status === 401) return // the page is closed, and says so
  if (e instanceof Failure) tell(e.message + (e.hint ? '. Try: ' + e.hint : ''), true)
  else if (e instanceof TypeError && /fetch/i.test(e.message)) tell('The server does not answer', true)
  else tell(String(e), true)
}

/** Makes a listener that does work, and says why it fails. @param {() => Promise<unknown>} work */
export const doing = work => () => { work().catch(complain) }
