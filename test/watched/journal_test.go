package watched

import (
	"strings"
	"testing"

	"chela/test/long"
	"chela/test/service"
)

// What has happened in a tab is still known when its page, its renderer or the whole browser has
// gone. What happens next is added to it.
func TestJournalOutlivesThePage(t *testing.T) {
	t.Parallel()
	s := service.Own(t, "")
	logs := func(what string) string {
		return html("<title>here</title><script>console.log('" + what + "')</script>")
	}
	tab := s.Open(t, logs("one"))
	tab.OK("POST /navigate", args{"url": logs("two")})
	has := func(when, messages string, least int) {
		t.Helper()
		var texts []string
		a := tab.OK("GET /console", nil)
		for i := range a.Count("messages") {
			texts = append(texts, a.Get("messages").([]any)[i].(map[string]any)["text"].(string))
		}
		if got := strings.Join(texts, " "); got != messages {
			t.Errorf("%s: the console has %q, want %q", when, got, messages)
		}
		a = tab.OK("GET /requests", nil)
		if a.Text("requests.0.id") != "r1" || a.Text("requests.0.url") != logs("one") || a.Count("requests") < least {
			t.Errorf("%s: the requests are %s", when, a.Raw)
		}
	}
	has("after a navigation", "one two", 2)
	s.KillRenderers(t)
	has("after a crash", "one two", 2)
	s.Reopened(t, tab.ID)
	has("after the page was opened again", "one two two", 3)
	s.KillBrowser(t)
	has("after the browser was killed", "one two two", 3)
	s.Reopened(t, tab.ID)
	has("in the next browser", "one two two two", 4)
}

// A request is shown even if the page cannot return its body now.
func TestRequestOfAPageThatDoesNotAnswer(t *testing.T) {
	long.Test(t)
	t.Parallel()
	s := service.Own(t, "")
	for _, c := range []struct {
		why  string
		then func(*service.Tab)
	}{
		{"dialog", func(tab *service.Tab) { tab.Eval("() => { setTimeout(() => alert('Sure?')); return 1 }") }},
		{"busy", func(tab *service.Tab) { tab.Eval("() => { setTimeout(() => { for (;;); }); return 1 }") }},
		{"crashed", func(*service.Tab) { s.KillRenderers(t) }},
	} {
		tab := s.Open(t, html("<title>here</title>"))
		c.then(tab)
		got := tab.OK("GET /requests/r1", args{"timeoutMs": 8000})
		if why := got.Text("request.bodyMissing"); !strings.Contains(why, c.why) || got.Get("request.responseHeaders") == nil {
			t.Errorf("%s: %s", c.why, got.Raw)
		}
	}
}
