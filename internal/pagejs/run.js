// Calls from Go. Every page function is called by run.

// run calls a function unless it is too late for it, and answers {value, now}:
// what the function answered, and what performance.now() was then. Too late it
// answers {late: true, now} and does nothing.
//
// A call waits in Chromium's queue while the page's own scripts run. notAfter is
// when Go gives up waiting; what ran after that would change the page although
// the caller was answered that it failed. Go knows our clock by the answers
// before; notAfter is null while there was none, which only the first call in a
// document can have.
chela.run = async (fn, notAfter, args) => {
  if (notAfter !== null && performance.now() >= notAfter) return { late: true, now: performance.now() };
  const value = await chela[fn](...args);
  return { value, now: performance.now() };
};
