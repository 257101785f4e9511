// When a view asks again for what it shows.

/**
 * Returns a function that runs work soon. While work runs, and for a pause after it, further calls
 * are joined to one more run. If work throws, failed is called with the error.
 * @param {() => Promise<void>} work
 * @param {(e: unknown) => void} failed
 * @param {number} [pause] milliseconds
 */
export function refresher(work, failed, pause = 400) {
  let running = false
  let again = false
  let ended = false
  const run = async () => {
    if (ended) return
    if (running) {
      again = true
      return
    }
    running = true
    again = false
    try {
      await work()
    } catch (e) {
      if (!ended) failed(e)
    }
    setTimeout(() => {
      running = false
      if (again) run()
    }, pause)
  }
  return { run, end: () => { ended = true } }
}

/**
 * Runs a function every few seconds, for words such as "5 s ago". It asks nothing of the server.
 * @param {() => void} tick
 */
export function ticking(tick) {
  const timer = setInterval(tick, 5000)
  return () => clearInterval(timer)
}

/**
 * Watches which elements are in view.
 * @param {(element: Element, inView: boolean) => void} seen
 */
export function inView(seen) {
  const observer = new IntersectionObserver(entries => {
    for (const e of entries) seen(e.target, e.isIntersecting)
  }, { rootMargin: '80px' })
  return observer
}
