// The view that shows what the command chela doctor finds.

import { get } from './api.js'
import { profiles } from './data.js'
import { button, el, fill, keyed, say, set, tag } from './dom.js'
import { complain } from './notices.js'

/** @typedef {{id: string, label: string, status: string, summary: string, fixHint?: string}} Check */

const kinds = /** @type {Record<string, string>} */ ({ pass: 'good', fail: 'bad', warn: 'warn', info: '' })
const names = /** @type {Record<string, string>} */ ({ pass: 'OK', fail: 'failed', warn: 'warning', info: 'info' })

/** @returns {import('./main.js').View} */
export function doctorView() {
  const which = el('select', { 'aria-label': 'Profile', onchange: () => look(false) })
  const list = el('ul', { class: 'rows checks' })
  const verdict = el('p', { class: 'lead quiet', role: 'status' })
  const again = button('Check again', () => look(false))
  const deep = button('Also start a browser', () => look(true))
  const root = el('section', {}, el('h1', {}, 'Doctor'), el('div', { class: 'tools' }, which, again, deep), verdict, list)
  let begun = false
  let looks = 0

  /** Shows the checks of the chosen profile, unless another look has begun before the answer. @param {boolean} start */
  async function look(start) {
    const own = ++looks
    const buttons = [again, deep]
    buttons.forEach(b => set(b, 'disabled', true))
    say(verdict, 'Looking …')
    try {
      const report = await get('/doctor', { profile: which.value || undefined, deep: start || undefined })
      if (own !== looks) return
      keyed(list, /** @type {Check[]} */ (report.checks), c => c.id + c.status + c.summary, c => el('li', { class: 'row check' },
        tag(names[c.status] ?? c.status, kinds[c.status] ?? ''),
        el('div', {}, el('h2', {}, c.label), el('p', {}, el('bdi', {}, c.summary)), c.fixHint && el('p', { class: 'hint' }, 'Try: ', c.fixHint))))
      say(verdict, report.ok ? 'Nothing has failed.' : 'Something has failed.')
    } catch (e) {
      if (own !== looks) return
      say(verdict, '')
      complain(e)
    }
    buttons.forEach(b => set(b, 'disabled', false))
  }

  return {
    title: 'Doctor', root,
    changed() {
      if (begun) return
      begun = true
      profiles().then(all => {
        fill(which, all.map(p => el('option', { value: p.name, selected: p.isDefault }, p.name)))
        return look(false)
      }).catch(e => {
        begun = false
        complain(e)
      })
    },
  }
}
