// Functions that decide when a view loads its data again.

/**
 * Returns two functions, run and end. A call of run() calls work(). During work() and the pause
 * after it, further calls of run() cause only one more call of work(), after the pause. If work()
 * throws, failed() gets the error. After end(), a call of run() does nothing.
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
 * Calls a function every few seconds, to update texts such as "5 s ago". The returned function ends it.
 * @param {() => void} tick
 */
export function ticking(tick) {
  const timer = setInterval(tick, 5000)
  return () => clearInterval(timer)
}

/**
 * Returns an observer that reports which elements come into view, or near it, and which leave it.
 * @param {(element: Element, inView: boolean) => void} seen
 */
export function inView(seen) {
  const observer = new IntersectionObserver(entries => {
    for (const e of entries) seen(e.target, e.isIntersecting)
  }, { rootMargin: '80px' })
  return observer
}
