// Sends what a person does in the picture of a tab, with mouse, touch and keys, to the tab.

/** @typedef {import('./live.js').Live} Live */

/** How far the pointer may move during a click, in pixels. A longer movement is a drag or a scroll. */
const SLOP = 4

/** How soon a click must follow another one at the same place to be a double click, in milliseconds. */
const DOUBLE = 500

/** The text field always contains this character: on a phone, Backspace in an empty field causes no event. */
const FILLER = '\u200b'

/** Matches the pieces of a text of at most 10,000 characters. Each takes 6 bytes at most in a message, whose limit is 64 KiB. */
const PIECES = /.{1,10000}/gsu

const buttons = ['left', 'middle', 'right']

/** On Apple's systems, Option and a key type a character. Elsewhere, Alt and a key are a shortcut. */
const altTypes = /^(Mac|iP)/.test(navigator.platform)

/** Keys that are sent by their names. Other keys are sent as the character that they type. */
const named = new Set(['Enter', 'Tab', 'Backspace', 'Delete', 'Escape', 'Home', 'End', 'PageUp', 'PageDown', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight',
  'Insert', 'F1', 'F2', 'F3', 'F4', 'F5', 'F6', 'F7', 'F8', 'F9', 'F10', 'F11', 'F12'])

/** Returns the names of the modifier keys that are down. @param {MouseEvent | KeyboardEvent} e */
const modifiersOf = e => [(e.ctrlKey || e.metaKey) && 'ControlOrMeta', e.altKey && 'Alt', e.shiftKey && 'Shift'].filter(key => key !== false)

/**
 * Sends to the tab what the person does in the picture, until the returned function is called.
 * @param {HTMLElement} stage holds the picture
 * @param {HTMLTextAreaElement} keys has the focus while the person types to the page
 * @param {HTMLImageElement} picture
 * @param {() => Live | null} view returns the live view, or null while the person may not use the tab
 */
export function takeInput(stage, keys, picture, view) {
  const ended = new AbortController()
  /** @param {HTMLElement} target @param {string} type @param {(e: any) => void} listener */
  const on = (target, type, listener) => target.addEventListener(type, e => {
    if (view()) listener(e)
    else press = null // the tab was given back during the press
  }, { signal: ended.signal, passive: false })
  /** Listens to pointer and wheel. Before the first picture, they mean no point of the page. @param {string} type @param {(e: any) => void} listener */
  const onStage = (type, listener) => on(stage, type, e => { if (view()?.width) listener(e) })
  /** Listens to the pointer. During a press, others are ignored. @param {string} type @param {(e: any) => void} listener */
  const onPointer = (type, listener) => onStage(type, e => { if (!press || press.id === e.pointerId) listener(e) })

  /** @param {{clientX: number, clientY: number}} e */
  const point = e => {
    const box = picture.getBoundingClientRect()
    const live = /** @type {Live} */ (view())
    const part = /** @param {number} at @param {number} length */ (at, length) => Math.min(1, Math.max(0, at / length))
    return { x: part(e.clientX - box.left, box.width) * live.width, y: part(e.clientY - box.top, box.height) * live.height }
  }
  /** @param {import('./live.js').Message} message */
  const send = message => view()?.send(message)
  /** Sends a text in pieces, because the server ends the connection at a long message. The flag u keeps surrogate pairs together. @param {string} text */
  const sendText = text => text.match(PIECES)?.forEach(part => send({ type: 'text', text: part }))

  /** The press under way. @type {{id: number, x: number, y: number, down: boolean, button: string, modifiers: string[], at: {x: number, y: number}} | null} */
  let press = null
  /** The last click. If another one soon follows it, that is sent as press and release. @type {{x: number, y: number, button: string, time: number} | null} */
  let clicked = null

  /** @param {NonNullable<typeof press>} made @param {PointerEvent} e */
  const click = (made, e) => {
    const { button, at, x, y } = made
    const again = clicked?.button === button && e.timeStamp - clicked.time <= DOUBLE && Math.hypot(x - clicked.x, y - clicked.y) <= SLOP
    const message = { type: 'mouse', button, modifiers: modifiersOf(e), ...at }
    for (const event of again ? ['down', 'up'] : ['click']) send({ ...message, event })
    clicked = { x, y, button, time: e.timeStamp }
  }

  /** Ends a drag. @param {NonNullable<typeof press>} made @param {PointerEvent} e */
  const release = ({ button, modifiers }, e) => send({ type: 'mouse', event: 'up', button, modifiers, ...point(e) })

  onPointer('pointerdown', e => {
    if (!(e.button in buttons)) return // back and forward
    if (e.pointerType !== 'mouse') {
      press = { id: e.pointerId, x: e.clientX, y: e.clientY, down: false, button: 'left', modifiers: [], at: point(e) }
      stage.setPointerCapture(e.pointerId)
      return
    }
    e.preventDefault()
    keys.focus({ preventScroll: true })
    press = { id: e.pointerId, x: e.clientX, y: e.clientY, down: false, button: buttons[e.button], modifiers: modifiersOf(e), at: point(e) }
    stage.setPointerCapture(e.pointerId)
  })
  onPointer('pointermove', e => {
    if (e.pointerType !== 'mouse') {
      if (!press || !press.down && Math.hypot(e.clientX - press.x, e.clientY - press.y) <= SLOP) return
      const scale = /** @type {Live} */ (view()).width / picture.getBoundingClientRect().width
      send({ type: 'wheel', ...press.at, deltaX: (press.x - e.clientX) * scale, deltaY: (press.y - e.clientY) * scale })
      press.down = true // a scroll, not a tap
      press.x = e.clientX
      press.y = e.clientY
      return
    }
    if (press && !press.down) {
      if (Math.hypot(e.clientX - press.x, e.clientY - press.y) <= SLOP) return
      press.down = true // a drag, not a click
      send({ type: 'mouse', event: 'down', button: press.button, modifiers: press.modifiers, ...press.at })
    }
    send({ type: 'mouse', event: 'move', ...point(e) })
  })
  onPointer('pointerup', e => {
    if (!press) return
    const made = press
    press = null
    if (!made.down) click(made, e)
    else if (e.pointerType === 'mouse') release(made, e)
  })
  onPointer('pointercancel', e => {
    if (press?.down && e.pointerType === 'mouse') release(press, e)
    press = null
  })
  on(stage, 'contextmenu', e => e.preventDefault())
  onStage('wheel', e => {
    e.preventDefault()
    const unit = e.deltaMode === 1 ? 32 : e.deltaMode === 2 ? 600 : 1
    const [x, y] = e.shiftKey && !e.deltaX ? [e.deltaY, 0] : [e.deltaX, e.deltaY] // Firefox scrolls sideways with Shift, but its event does not say so
    send({ type: 'wheel', ...point(e), deltaX: x * unit, deltaY: y * unit })
  })

  on(keys, 'keydown', e => {
    // An input method is in use: the input event has its text. In Safari, only the key code 229
    // tells so of the Enter that ends a composition.
    if (e.isComposing || e.keyCode === 229 || e.key === 'Process' || e.key === 'Unidentified' || e.key === 'Dead') return
    if (e.key === 'Escape' && e.shiftKey) {
      e.preventDefault()
      keys.blur()
      const out = /** @type {HTMLElement | null | undefined} */ (stage.closest('section')?.querySelector('button:not([hidden])'))
      out?.focus()
      return
    }
    const command = e.ctrlKey || e.metaKey
    if (command && e.key.toLowerCase() === 'v') return // the paste event has the text
    const shortcut = command || e.altKey && !altTypes
    if (named.has(e.key) || shortcut && e.key.length === 1) {
      e.preventDefault()
      send({ type: 'key', key: [...modifiersOf(e), e.key.length === 1 ? e.key.toUpperCase() : e.key].join('+') })
    } else if (e.key.length === 1) {
      e.preventDefault()
      send({ type: 'key', key: e.key })
    }
  })
  const typed = () => {
    const text = keys.value.replaceAll(FILLER, '')
    sendText(text)
    refill()
  }
  const refill = () => {
    keys.value = FILLER
    keys.setSelectionRange(1, 1)
  }
  on(keys, 'focus', refill)
  on(keys, 'compositionend', typed)
  on(keys, 'input', e => {
    if (e.isComposing) return
    if (/^delete.*Backward$/.test(e.inputType)) send({ type: 'key', key: 'Backspace' })
    else if (e.inputType === 'insertLineBreak') send({ type: 'key', key: 'Enter' })
    else {
      typed()
      return
    }
    refill()
  })
  on(keys, 'paste', e => {
    e.preventDefault()
    sendText(e.clipboardData?.getData('text/plain') ?? '')
  })
  return () => ended.abort()
}
