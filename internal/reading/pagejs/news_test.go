package pagejs_test

import "testing"

func TestNewsEndLeavesNoObserver(t *testing.T) {
	var left int
	show(t, `<p>Words</p>`).eval(&left, `(async () => {
		const observing = new Set(), { observe, disconnect } = MutationObserver.prototype;
		MutationObserver.prototype.observe = function (...all) { observing.add(this); observe.apply(this, all); };
		MutationObserver.prototype.disconnect = function () { observing.delete(this); disconnect.apply(this); };
		const pending = chela.awaitNews(await chela.awaitNews(0, 0), performance.now() + 1e5);
		chela.endNews();
		await pending;
		return observing.size;
	})()`)
	if left != 0 {
		t.Errorf("%d observers are left", left)
	}
}
