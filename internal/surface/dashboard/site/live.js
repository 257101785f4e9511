// The live view of a tab: its pictures and events, and the input of a person, over a WebSocket.

import { Failure, socket } from './api.js'

/** @typedef {{type: string, [name: string]: any}} Message */

/** Milliseconds before Live connects again. Each pause is twice the one before, up to the longest. */
const FIRST_PAUSE = 1000, LONGEST_PAUSE = 10_000

/** The reasons for which a live view ends for good. */
const FINAL = ['tab-closed', 'share-ended', 'pass-ended']

/** How many messages may wait for the first picture. */
const MOST = 64

/** Closes a socket. If it is still connecting, it is closed later: closing it now would log an error. @param {WebSocket} socket */
function close(socket) {
  if (socket.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close()
  else socket.close()
}

/** The live view of one tab, between start and stop. If the connection breaks, it connects again, unless the tab has gone. */
export class Live {
  /**
   * @param {{profile: string, targetId: string, control?: boolean}} what
   * @param {Record<string, number | boolean>} how
   * @param {HTMLImageElement} picture shows the frames
   * @param {(message: Message) => void} [heard] gets all messages, those of frames without their pictures. It also gets {type: 'connected'} before the first message of a connection, and {type: 'broken'} when there is no connection
   */
  constructor(what, how, picture, heard) {
    this.what = what
    this.how = how
    this.picture = picture
    this.heard = heard ?? (() => {})
    this.wanted = false
    /** @type {WebSocket | null} */
    this.socket = null
    this.width = 0
    this.height = 0
    this.turn = 0
    this.pause = FIRST_PAUSE
    this.ready = false // becomes true with the first picture of a connection
    /** Messages for the first picture. null: what the person does is dropped. @type {Message[] | null} */
    this.waiting = null
  }

  start() {
    if (this.wanted) return
    this.wanted = true
    this.pause = FIRST_PAUSE
    this.waiting = []
    this.connect(++this.turn)
  }

  stop() {
    this.wanted = false
    this.ready = false
    this.waiting = null
    this.turn++
    if (this.socket) close(this.socket)
    this.socket = null
  }

  /** @param {number} turn */
  async connect(turn) {
    try {
      const made = await socket(this.what, this.how)
      if (turn !== this.turn) {
        close(made)
        return
      }
      this.socket = made
      made.onopen = () => this.heard({ type: 'connected' })
      made.onmessage = e => this.take(made, JSON.parse(e.data))
      made.onclose = () => this.again(turn)
    } catch (e) {
      if (e instanceof Failure && e.status === 404) this.end(turn)
      else this.again(turn)
    }
  }

  /** Ends the live view of a tab that the server does not have any more. @param {number} turn */
  end(turn) {
    if (turn !== this.turn) return
    this.stop()
    this.heard({ type: 'end', reason: 'tab-closed' })
  }

  /** Connects again after a pause. Until then, what the person does is dropped: it was meant for an old picture. @param {number} turn */
  again(turn) {
    if (turn !== this.turn) return
    this.ready = false
    this.waiting = null
    this.heard({ type: 'broken' })
    setTimeout(() => { if (turn === this.turn) this.connect(turn) }, this.pause)
    this.pause = Math.min(2 * this.pause, LONGEST_PAUSE)
  }

  /** @param {WebSocket} from @param {Message} message */
  take(from, message) {
    if (from !== this.socket) return
    if (message.type === 'end' && FINAL.includes(message.reason)) this.stop()
    if (message.type !== 'frame') {
      this.heard(message)
      return
    }
    this.width = message.width
    this.height = message.height
    this.ready = true
    this.pause = FIRST_PAUSE
    for (const waiting of this.waiting ?? []) from.send(JSON.stringify(waiting))
    this.waiting = null
    const done = () => { if (from.readyState === WebSocket.OPEN) from.send(JSON.stringify({ type: 'ack', seq: message.seq })) }
    this.picture.onload = this.picture.onerror = done
    this.picture.src = 'data:image/jpeg;base64,' + message.data
    this.heard({ type: 'frame', width: message.width, height: message.height })
  }

  /**
   * Sends what the person does. The message waits for the first picture of a connection. Before
   * that, the server could not convert a point in the picture to a point in the page.
   * @param {Message} message
   */
  send(message) {
    if (this.ready) this.socket?.send(JSON.stringify(message))
    else if (this.waiting && this.waiting.length < MOST) this.waiting.push(message)
  }
}
