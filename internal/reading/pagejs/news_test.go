package pagejs_test

import (
	"testing"

	"github.com/chromedp/cdproto/runtime"
)

func TestNewsEndLeavesNoObserver(t *testing.T) {
	p := show(t, `<p>Words</p>`)
	yes := true
	got := call(t, p.Session, runtime.Evaluate, runtime.EvaluateParams{ContextID: p.world, ReturnByValue: &yes, AwaitPromise: &yes, Expression: `(async () => {
		const observing = new Set(), { observe, disconnect } = MutationObserver.prototype;
		MutationObserver.prototype.observe = function (...all) { observing.add(this); observe.apply(this, all); };
		MutationObserver.prototype.disconnect = function () { observing.delete(this); disconnect.apply(this); };
		const pending = chela.awaitNews(await chela.awaitNews(0, 0), performance.now() + 1e5);
		chela.endNews();
		await pending;
		return observing.size;
	})()`})
	if string(got.Result.Value) != "0" {
		t.Errorf("%s observers are left: %v", got.Result.Value, got.ExceptionDetails)
	}
}
