// The view of settings. The forms are made from the server's list of the configuration's keys.

import { setSetting, settings } from './api.js'
import { button, el, keyed, say, set, tag } from './dom.js'
import { complain, tell } from './notices.js'
import { count } from './words.js'

/**
 * @typedef {object} Setting
 * @property {string} key
 * @property {string} kind of the value: bool, number, string, texts, list or any
 * @property {string} doc
 * @property {unknown} value
 * @property {unknown} default
 * @property {boolean} [secret] the value can be set, but is not shown, or only without its password
 * @property {string} [inForce] from when a changed value is in force, in words; absent: the next call
 * @property {boolean} [later] the setting has no effect yet
 */

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Control */

/** @returns {import('./main.js').View} */
export function settingsView() {
  const groups = el('div', { class: 'groups' })
  const amount = el('p', { class: 'quiet', role: 'status' })
  const search = el('input', { type: 'search', placeholder: 'Search settings', 'aria-label': 'Search settings', oninput: () => show() })
  const changedOnly = el('input', { type: 'checkbox', onchange: () => show() })
  const root = el('section', {}, el('h1', {}, 'Settings'),
    el('p', { class: 'lead quiet' }, 'They are written into the configuration file, as ', el('code', {}, 'chela config set'), ' does. They take effect at once, unless one says from when.'),
    el('div', { class: 'tools' }, search, el('label', { class: 'check-label' }, changedOnly, 'Only changed ones'), amount), groups)
  /** @type {Setting[]} */
  let all = []
  let begun = false

  function show() {
    const words = search.value.toLowerCase()
    const list = all.filter(s => !s.later && (!words || (s.key + ' ' + s.doc).toLowerCase().includes(words)) && (!changedOnly.checked || isChanged(s)))
    const names = [...new Set(list.map(groupOf))]
    keyed(groups, names, name => name, name => el('section', { class: 'group', 'aria-label': name }, el('h2', {}, name), el('ul', { class: 'rows' })), (node, name) => {
      keyed(/** @type {Element} */ (node.querySelector('ul')), list.filter(s => groupOf(s) === name), s => s.key + '\n' + JSON.stringify(s.value), s => row(s, save))
    })
    say(amount, count(list.length, 'setting'))
  }

  /**
   * Saves a setting. Its row is made again, even if the new value looks like the old one, as secrets do.
   * @param {Setting} s
   * @param {unknown} value
   * @param {Element} shown
   */
  async function save(s, value, shown) {
    all = (await setSetting(s.key, value)).settings
    shown.remove()
    tell(value === null ? s.key + ' has its default again.' : s.key + ' is saved.')
    show()
  }

  return {
    title: 'Settings', root,
    changed() {
      if (begun) return
      begun = true
      settings().then(answer => {
        all = answer.settings
        show()
      }).catch(e => {
        begun = false
        complain(e)
      })
    },
  }
}

/**
 * Returns the group of a setting: the first one or two names of its key or, for a profile, three.
 * @param {Setting} s
 */
function groupOf(s) {
  const names = s.key.split('.').slice(0, -1)
  return names.slice(0, names[1] === 'profiles' ? 3 : 2).join('.')
}

/** @param {Setting} s */
const isChanged = s => JSON.stringify(s.value ?? null) !== JSON.stringify(s.default ?? null) && !(isEmpty(s.value) && isEmpty(s.default))

/** @param {unknown} value */
const isEmpty = value => value === null || value === undefined || value === '' || Array.isArray(value) && value.length === 0

/** @param {Setting} s @param {(s: Setting, value: unknown, shown: Element) => Promise<void>} save @returns {Element} */
function row(s, save) {
  const id = 'setting-' + s.key
  const control = controlOf(s, id)
  const before = control.value
  /** @param {Event} e */
  const submit = async e => {
    e.preventDefault()
    if (control.value === before) return // Enter submits the form even if Save is hidden
    await save(s, parse(s, control.value), shown)
  }
  const keep = el('button', { class: 'main', hidden: true, 'aria-label': 'Save ' + s.key }, 'Save')
  const reset = button('Use the default', () => { save(s, null, shown).catch(complain) }, { class: 'plain', hidden: !isChanged(s), 'aria-label': 'Use the default of ' + s.key })
  control.addEventListener('input', () => set(keep, 'hidden', control.value === before))
  const name = s.key.slice(groupOf(s).length + 1)
  const shown = el('li', { class: 'row setting' },
    el('div', {}, el('label', { for: id }, name), isChanged(s) && [' ', tag('changed', 'good')], el('p', { class: 'quiet', id: id + '-doc' }, s.doc, s.inForce && ' (' + s.inForce + ')')),
    el('form', { class: 'control', onsubmit: /** @param {Event} e */ e => submit(e).catch(complain) }, control, keep, reset))
  return shown
}

/** @param {Setting} s @param {string} id @returns {Control} */
function controlOf(s, id) {
  const common = { id, 'aria-describedby': id + '-doc' }
  switch (s.kind) {
    case 'bool':
      return el('select', common, [['true', 'yes'], ['false', 'no'], ...(typeof s.value === 'boolean' ? [] : [['null', 'by default']])]
        .map(([value, text]) => el('option', { value, selected: value === String(s.value ?? null) }, text)))
    case 'number':
      return el('input', { ...common, type: 'number', step: 'any', value: s.value ?? '' })
    case 'string':
      return el('input', { ...common, type: s.secret ? 'password' : 'text', autocomplete: 'off', spellcheck: 'false', value: s.secret ? '' : s.value ?? '', placeholder: s.secret ? placeholderOf(s.value) : '' })
    case 'texts': {
      const texts = /** @type {string[]} */ (s.value ?? [])
      const lines = el('textarea', { ...common, rows: Math.min(8, 1 + texts.length), spellcheck: 'false', placeholder: 'one a line' })
      lines.value = texts.join('\n')
      return lines
    }
  }
  const json = el('textarea', { ...common, rows: 3, spellcheck: 'false', placeholder: 'JSON' })
  json.value = isEmpty(s.value) ? '' : JSON.stringify(s.value, null, 1)
  return json
}

/** Returns what an empty field shows for a value that is secret, or has a password in it. @param {unknown} value */
const placeholderOf = value => value === '(set)' ? 'is set, and not shown' : value ? 'is set: ' + String(value) : ''

/** Converts the text of a control to a value for the configuration file. @param {Setting} s @param {string} text */
function parse(s, text) {
  if (s.kind === 'string') return text
  if (s.kind === 'texts') return text.split('\n').map(line => line.trim()).filter(Boolean)
  if (text.trim() === '') return s.kind === 'list' ? [] : null
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(s.key + ' must be JSON')
  }
}
