// The questions that agents have asked, and how a person is told of a new one.

import { Failure, get } from './api.js'
import { complain } from './notices.js'
import { refresher } from './refresh.js'

/**
 * @typedef {object} Ask
 * @property {string} id
 * @property {string} message
 * @property {string[]} [choices]
 * @property {boolean} [confirms] only a person may answer, and no agent
 * @property {string} [session]
 * @property {string} [caller]
 * @property {string} [tabId]
 * @property {string} [profile]
 * @property {string} since
 * @property {string} until
 * @property {string} state
 */

/** @type {Ask[]} */
let list = []
/** @type {Set<string>} */
const known = new Set()
/** @type {Set<() => void>} */
const listeners = new Set()
let first = true
/** Loading fails, and the person was told. */
let failing = false

/** Says whether the person can still answer. The server does not list questions whose time is over by its clock. @param {Ask} ask */
const isOpen = ask => ask.state !== 'answered'

const RETRY = 5000 // milliseconds

async function load() {
  list = (await get('/asks')).asks ?? []
  failing = false
  const fresh = list.filter(a => isOpen(a) && !known.has(a.id))
  for (const a of list) known.add(a.id)
  for (const listener of listeners) listener()
  if (!first) fresh.forEach(announce)
  first = false
}

/** Loads again after an error of the server, which the person is told once. Without a connection, follow() does so when there is one again. @param {unknown} e */
function failed(e) {
  if (!(e instanceof Failure) || e.status === 401) return
  if (!failing) complain(e)
  failing = true
  setTimeout(refresh.run, RETRY)
}

const refresh = refresher(load, failed, 1000)

/** @param {Ask} ask */
function announce(ask) {
  ring()
  if (!('Notification' in window) || Notification.permission !== 'granted') return
  try {
    const note = new Notification('An agent asks', { body: ask.message, tag: ask.id })
    note.onclick = () => {
      window.focus()
      location.hash = '#/questions'
    }
  } catch {
    // Chrome on Android has no such constructor
  }
}

/** @type {AudioContext | null} */
let audio = null

/** Plays two short tones. Browsers allow that only after the person has done something in the page. */
function ring() {
  try {
    audio ??= new AudioContext()
    const tone = audio.createOscillator()
    const volume = audio.createGain()
    const now = audio.currentTime
    tone.frequency.setValueAtTime(660, now)
    tone.frequency.setValueAtTime(880, now + 0.12)
    volume.gain.setValueAtTime(0.08, now)
    volume.gain.exponentialRampToValueAtTime(0.0001, now + 0.4)
    tone.connect(volume).connect(audio.destination)
    tone.start(now)
    tone.stop(now + 0.4)
  } catch {
    // this browser cannot play sounds
  }
}

export const asks = {
  all: () => list,
  open: () => list.filter(isOpen),
  isOpen,
  reload: refresh.run,
  /** @param {string[] | null} kinds */
  changed: kinds => { if (kinds === null || kinds.includes('asks') || kinds.includes('calls')) refresh.run() },
  /** @param {() => void} listener @returns {() => void} */
  listen(listener) {
    listeners.add(listener)
    return () => { listeners.delete(listener) }
  },
}
