// Calls from Go. Every page function is called by run.

// run calls a function of chela and answers {value, now}: what the function answered, and what
// performance.now() was then. If the time notAfter has passed, it does not call the function and
// answers {late: true, now}. It answers the same if the function throws TOO_LATE.
//
// A call waits in Chromium's queue while the page's own scripts run. Go gives up waiting at
// notAfter, in milliseconds of this document's clock. What ran after that would change the page
// although the caller was answered that it failed. Go knows this clock from earlier answers. Before
// the first call in a document there was no answer, so notAfter is null.
//
// The parameter base is the highest ref number that earlier documents of this frame have used. Any
// function may give numbers to elements, even in a document that was never walked, and the numbers
// must be new. With carry, the number of a removed element is carried over to the one that has
// replaced it, see carry.js. If subject is not null, the answer also has the subject of the call,
// see subject.js. If first is not null, it is the name and the arguments of a function that is
// called before.
chela.run = async (fn, notAfter, base, carry, subject, first, args) => {
  const late = () => ({ late: true, now: performance.now() });
  if (notAfter !== null && performance.now() >= notAfter) return late();
  keepListening();
  beginLooks();
  countFrom(base);
  const call = { notAfter: notAfter ?? performance.now() + LONGEST_CALL };
  if (!carry) exactCalls.add(call);
  try {
    if (first !== null) chela[first[0]](...first.slice(1));
    const value = await chela[fn](...args), answer = { value, now: performance.now() };
    return subject === null ? answer : { ...answer, subject: subjectOf(subject) };
  } catch (e) {
    if (e === TOO_LATE) return late();
    throw e;
  } finally {
    exactCalls.delete(call);
  }
};

// LONGEST_CALL is the longest deadline that a call can have, in milliseconds.
const LONGEST_CALL = 600_000;

// TOO_LATE is thrown by a function that must not change the page any more, since its time is over. Until
// then it has done nothing that must not be done again.
const TOO_LATE = new Error('the call came too late');
