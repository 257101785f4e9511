package recovery

import (
	"strings"
	"testing"

	"chela/test/long"
)

// A page makes as many things as it can, each as long as it can. Still every answer is short, and
// says how much it leaves out.
func TestAnswersAreBounded(t *testing.T) {
	long.Test(t)
	tab := shared.Open(t, html(`<a download="`+strings.Repeat("n", 5000)+`.txt">save</a><script>
		const link = document.querySelector('a');
		link.href = 'data:application/octet-stream,' + 'd'.repeat(1e6);
		console.log('c'.repeat(1e6));
		fetch('/echo', {method: 'M'.repeat(1e5)}).catch(() => 0);
		document.title = 't'.repeat(1e6);
		location.hash = 'h'.repeat(1e6);
	</script>`))
	const most = 40_000
	check := func(what, raw string, missing ...string) {
		t.Helper()
		if len(raw) > most {
			t.Errorf("%s: %d bytes, which begin %.300s", what, len(raw), raw)
		}
		for _, want := range missing {
			if !strings.Contains(raw, want) {
				t.Errorf("%s: lacks %q", what, want)
			}
		}
	}
	check("tabs", tab.Do("GET /tabs", nil).Raw, "more characters)")
	check("a snapshot", tab.OK("GET /snapshot", nil).Raw, "more characters)")
	check("the console", tab.OK("GET /console", nil).Raw, `"moreChars":997952`)
	check("requests", tab.OK("GET /requests", nil).Raw)
	check("the archive", tab.OK("GET /requests", args{"format": "har"}).Raw)
	check("a download", tab.Click("save", nil).Raw, `"downloads"`, "more characters)")
	check("an error", tab.Do("POST /act", args{"kind": "evaluate", "fn": "throw new Error('e'.repeat(1e6))"}).Raw, "more characters)")
	check("an address in an error", tab.Do("POST /act", args{"kind": "click", "ref": "e999"}).Raw)
	tab.Act("evaluate", args{"fn": "void prompt('m'.repeat(1e6), 'v'.repeat(1e6))", "dialog": args{"accept": true}})
	check("dialogs", tab.OK("GET /dialogs", nil).Raw, "more characters)")
}
