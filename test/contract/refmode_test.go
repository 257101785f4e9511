package contract

import (
	"testing"

	tests "chela/test/service"
)

// After the page has replaced its elements, refMode says what an old ref means. It holds for all
// readings of a call, also for those that follow an act without a turn of its own.
func TestRefMode(t *testing.T) {
	tab := shared.open(t, page(`<main id=m></main><script>
		let clicks = 0
		function render() { m.innerHTML = "<button onclick='document.title = ++clicks; render()'>More</button>" }
		render()
	</script>`))
	ref := shared.ref(t, tab, `button "More"`)
	click := func(fields string) (status int) {
		return shared.do(t, "POST /act", shared.body(tab, `"kind": "click", "ref": "`+ref+`"`+fields)).Status
	}
	if a := shared.do(t, "POST /act", shared.body(tab, `"kind": "click", "ref": "`+ref+`", "refMode": "other"`)); a.Status != 400 {
		t.Errorf("an unknown mode: %d %s", a.Status, a.Raw)
	}
	for _, s := range []struct {
		fields string
		want   int
	}{{"", 200}, {`, "refMode": "element"`, 404}, {"", 200}, {`, "refMode": "carry"`, 200}} {
		if got := click(s.fields); got != s.want {
			t.Errorf("click%s: %d, want %d", s.fields, got, s.want)
		}
	}
	for request, fields := range map[string]string{"POST /download": `"path": "x"`, "POST /hooks/file-chooser": `"paths": ["` + shared.Upload(t, "a.txt", "a") + `"]`} {
		if a := shared.do(t, request, shared.body(tab, fields+`, "ref": "`+ref+`", "refMode": "element"`)); a.Status != 404 {
			t.Errorf("%s at an element that was replaced: %d %s", request, a.Status, a.Raw)
		}
	}
	for _, s := range []struct {
		mode string
		want int
	}{{"carry", 200}, {"element", 404}} {
		shared.eval(t, tab, "setTimeout(() => confirm('Again?') && render()); 0")
		tests.Eventually(t, "the dialog is open", func() bool {
			return shared.ok(t, "GET /dialogs?targetId="+tab, "").Count("browserState.dialogs.pending") > 0
		})
		shared.ok(t, "POST /hooks/dialog", shared.body(tab, `"accept": true, "snapshot": "delta", "refMode": "`+s.mode+`"`))
		if got := click(""); got != s.want {
			t.Errorf("a click after a reading with %s: %d, want %d", s.mode, got, s.want)
		}
	}
}
