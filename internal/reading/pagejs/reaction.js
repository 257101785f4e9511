// A Reaction limits how long a function waits for what the page does after input. Only time counts
// in which the page can do something. Each wait for a frame ends after LONGEST_FRAME at most. If it
// takes longer, the machine or a script was busy, and the page's own timers are late as well. So
// each wait counts as LONGEST_FRAME at most.
class Reaction {
  // The wait takes the time most, in milliseconds, and ends at the deadline (by) in any case.
  constructor(most, by = Infinity) {
    Object.assign(this, { left: most, by, last: performance.now() });
  }

  isOver() { return this.left <= 0 || performance.now() >= this.by; }

  // frame waits for the next frame, as nextFrame does.
  async frame() {
    const painted = await nextFrame(this.by);
    const now = performance.now();
    this.left -= Math.min(now - this.last, LONGEST_FRAME);
    this.last = now;
    return painted;
  }

  // until waits until the function test returns true, and reports whether it did.
  async until(test) {
    while (!test()) {
      if (this.isOver()) return false;
      await this.frame();
    }
    return true;
  }
}
