// Functions that make elements. No other file makes any. Text becomes text nodes, never markup.

/** @typedef {Node | string | number | false | null | undefined} Child */

/**
 * Makes an element. A property whose name begins with "on" is a listener, any other is an
 * attribute. The value true sets an attribute without a value. The values false, null and undefined
 * set no attribute.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, any>} [props]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function el(tag, props = {}, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(props)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value)
    else set(element, name, value)
  }
  element.append(...nodes(children))
  return element
}

/**
 * Sets or removes an attribute.
 * @param {Element} element
 * @param {string} name
 * @param {string | number | boolean | null | undefined} value
 */
export function set(element, name, value) {
  if (value === false || value === null || value === undefined) element.removeAttribute(name)
  else {
    const text = value === true ? '' : String(value)
    if (element.getAttribute(name) !== text) element.setAttribute(name, text)
  }
}

/** @param {(Child | Child[])[]} children */
function nodes(children) {
  return /** @type {(Node | string)[]} */ (children.flat().filter(c => c !== false && c !== null && c !== undefined).map(c => (c instanceof Node ? c : String(c))))
}

/**
 * Replaces the children of an element.
 * @param {Element} element
 * @param {...(Child | Child[])} children
 */
export function fill(element, ...children) {
  element.replaceChildren(...nodes(children))
}

/**
 * Sets the text of an element. If the element has this text already, nothing is changed.
 * @param {Element} element
 * @param {string | number} text
 */
export function say(element, text) {
  if (element.textContent !== String(text)) element.textContent = String(text)
}

const SVG = 'http://www.w3.org/2000/svg'

/**
 * Makes an SVG icon.
 * @param {string} path the d attribute of its path
 */
export function icon(path) {
  const svg = document.createElementNS(SVG, 'svg')
  set(svg, 'viewBox', '0 0 24 24')
  set(svg, 'aria-hidden', 'true')
  set(svg, 'class', 'icon')
  const shape = document.createElementNS(SVG, 'path')
  set(shape, 'd', path)
  svg.append(shape)
  return svg
}

/**
 * Shows a list of items as the children of an element. An item whose key was shown before keeps its
 * node, so that focus, scrolling and pictures stay.
 * @template T
 * @template {Element} N
 * @param {Element} parent
 * @param {T[]} items
 * @param {(item: T) => string} keyOf
 * @param {(item: T) => N} make
 * @param {(node: N, item: T) => void} [update]
 */
export function keyed(parent, items, keyOf, make, update) {
  // Nodes that go are removed first. Otherwise the nodes after them would be moved, and a moved node loses the focus.
  const wanted = new Set(items.map(keyOf))
  /** @type {Map<string, Element>} */
  const known = new Map()
  for (const child of [...parent.children]) {
    const { itemKey } = /** @type {any} */ (child)
    if (wanted.has(itemKey)) known.set(itemKey, child)
    else child.remove()
  }
  let place = parent.firstElementChild
  for (const item of items) {
    const key = keyOf(item)
    let node = known.get(key)
    if (!node) {
      node = make(item)
      Object.assign(node, { itemKey: key })
    }
    update?.(/** @type {N} */ (node), item)
    if (node === place) place = place.nextElementSibling
    else parent.insertBefore(node, place)
  }
}

/**
 * Makes a button.
 * @param {string} label
 * @param {(event: Event) => void} onclick
 * @param {Record<string, any>} [props]
 */
export function button(label, onclick, props = {}) {
  return el('button', { type: 'button', onclick, ...props }, label)
}

/**
 * Makes a label: a short word with a colored background.
 * @param {Child} text
 * @param {string} [kind]
 */
export function tag(text, kind = '') {
  return el('span', { class: 'tag ' + kind }, text)
}

/**
 * Makes a row of radio buttons.
 * @param {string} label
 * @param {Record<string, string>} choices
 * @param {string} chosen
 * @param {(value: string) => void} choose
 */
export function choice(label, choices, chosen, choose) {
  const name = 'choice-' + label.toLowerCase().replace(/\W+/g, '-')
  return el('fieldset', { class: 'choice' }, el('legend', { class: 'unseen' }, label),
    Object.entries(choices).map(([value, text]) => el('label', {},
      el('input', { type: 'radio', name, value, checked: value === chosen, onchange: () => choose(value) }), el('span', {}, text))))
}
