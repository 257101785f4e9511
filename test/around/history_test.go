package around

import (
	"strings"
	"testing"
)

func TestHistory(t *testing.T) {
	first, second := html("<button>First</button>"), html("<button>Second</button>")
	tab := shared.Open(t, first)
	tab.OK("POST /navigate", args{"url": second})
	for _, s := range []struct{ request, url, shows string }{
		{"POST /back", first, "First"},
		{"POST /forward", second, "Second"},
		{"POST /reload", second, "Second"},
	} {
		if a := tab.OK(s.request, nil); a.Text("url") != s.url || a.Get("urlChanged") == true != (s.request != "POST /reload") {
			t.Errorf("%s: got %s", s.request, a.Raw)
		}
		if text := tab.Snapshot(); !strings.Contains(text, s.shows) {
			t.Errorf("%s: got %s", s.request, text)
		}
	}
	tab.Do("POST /forward", nil).Fails(t, 409, "conflict", "no such page")
}

// A navigation whose server does not answer leaves the tab at the page before it. The error says so,
// since a snapshot shows that page.
func TestNavigationWithoutAnAnswer(t *testing.T) {
	tab := shared.Open(t, html("<button>First</button>"))
	tab.Do("POST /navigate", args{"url": site.URL + "/gate", "timeoutMs": 1000}).
		Fails(t, 504, "deadline", "did not load in time: the tab still shows the page before it")
}

// The answer to a form is loaded again only if the caller wants the form to be sent again.
func TestReloadOfAForm(t *testing.T) {
	tab := shared.Open(t, html(`<form method=post action="/order"><button>Buy</button></form>`))
	shows := func(want string) {
		t.Helper()
		if text := tab.Snapshot(); !strings.Contains(text, want) {
			t.Errorf("got %s, want %s", text, want)
		}
	}
	tab.Click("Buy", nil)
	shows("1 orders")
	a := tab.Do("POST /reload", nil)
	a.Fails(t, 409, "conflict", "a reload would send the form again")
	a.Has(t, "reason", "sends_form_again")
	tab.Do("POST /act", args{"kind": "press", "key": "F5"}).Fails(t, 409, "conflict", "a reload would send the form again")
	shows("1 orders")
	tab.OK("POST /reload", args{"resend": true})
	shows("2 orders")

	tab.OK("POST /navigate", args{"url": html("<button>Next</button>")})
	a = tab.Do("POST /back", nil)
	a.Fails(t, 502, "page_failed", "net::ERR_CACHE_MISS")
	a.Has(t, "hint", "the page is the answer to a form, and cannot be shown again without the form: reload with resend sends it again")
	tab.Do("POST /reload", nil).Fails(t, 409, "conflict", "a reload would send the form again")
	tab.OK("POST /reload", args{"resend": true})
	shows("3 orders")

	tab.OK("POST /navigate", args{"url": site.URL + "/order"})
	tab.OK("POST /reload", nil)
	shows("3 orders")
}

// A form that was sent again may have done its work, though no answer has come. So the error does not
// say that the call should be repeated.
func TestResentFormWithoutAnAnswer(t *testing.T) {
	tab := shared.Open(t, html(`<form method=post action="/gate"><button>Buy</button></form>`))
	tab.Click("Buy", nil)
	gate <- struct{}{}
	tab.Act("wait", args{"url": site.URL + "/gate"})
	a := tab.Do("POST /reload", args{"resend": true, "timeoutMs": 1000})
	a.Fails(t, 504, "deadline", "did not load in time")
	a.Has(t, "sent", "true")
	a.Has(t, "hint", "the form was sent again: see what it has done before you send it once more")
}

// If a frame has navigated, going back leads the frame back. The page around it stays.
func TestHistoryOfAFrame(t *testing.T) {
	inner := html("<button>Inner</button>")
	tab := shared.Open(t, html(`<iframe name=in src="`+html("<button>Outer</button>")+`"></iframe><a target=in href="`+inner+`">Go</a>`))
	tab.Click("Go", nil)
	tab.Act("wait", args{"text": "Inner"})
	if a := tab.OK("POST /back", nil); !strings.Contains(tab.Snapshot(), "Outer") {
		t.Errorf("got %s\n%s", a.Raw, tab.Snapshot())
	}
}

// A page that asks before it is left stays until the question is answered. A reload that the server
// does not answer is an error.
func TestHistoryThatIsHeldBack(t *testing.T) {
	first := html("<button>First</button>")
	tab := shared.Open(t, first)
	tab.OK("POST /navigate", args{"url": html(`<button>Stay</button><script>addEventListener('beforeunload', e => e.preventDefault())</script>`)})
	tab.Click("Stay", nil) // Chromium asks only on pages that were used
	blocks(t, tab.Do("POST /back", nil), "beforeunload", "accept the dialog")
	tab.OK("POST /hooks/dialog", args{"accept": true})
	if text := tab.Snapshot(); !strings.Contains(text, "First") {
		t.Errorf("got %s", text)
	}
	tab.OK("POST /navigate", args{"url": site.URL + "/once"})
	tab.Do("POST /reload", nil).Fails(t, 502, "page_failed", "net::ERR_")
}
