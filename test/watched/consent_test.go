package watched

import (
	"fmt"
	"testing"

	"chela/internal/op"
	"chela/test/chromium"
	"chela/test/service"
)

// A person is asked before a secret is used, and only a person may answer.
func TestConsent(t *testing.T) {
	t.Setenv("CHELA_TEST_ASKED", "a secret to ask for")
	one := func(ask string) string {
		return fmt.Sprintf("'asked/%s': {from: 'env:CHELA_TEST_ASKED', for: [%q], ask: %q}", ask, site.URL, ask)
	}
	s := service.WithDashboard(t, fmt.Sprintf("{browser: {noSandbox: true, headless: %v, secrets: {%s, %s}}}", chromium.Headless(), one("always"), one("session")))
	form := html(`<input aria-label=Name>`)
	enter := func(tab *service.Tab, name string, ms int) service.Answer {
		return tab.Do("POST /act", args{"kind": "type", "ref": tab.Ref("Name"), "text": "secret:asked/" + name, "timeoutMs": ms})
	}
	// answer waits for the question of a session, and answers it.
	answer := func(session, choice string) {
		service.Eventually(t, "the person is asked", func() bool {
			list := s.OK(t, "GET /asks", nil)
			for i := range list.Count("asks") {
				q := fmt.Sprintf("asks.%d.", i)
				if list.Text(q+"session") != session || list.Text(q+"state") == "answered" {
					continue
				}
				s.Do(t, "POST /asks/answer", args{"id": list.Text(q + "id"), "choice": choice}).Fails(t, 403, "forbidden", "only a person")
				s.By(op.Dashboard).Do(t, "POST /asks/answer", args{"id": list.Text(q + "id"), "choice": choice}).Fails(t, 403, "forbidden", "only a person")
				s.Local(t, "/asks/confirm", args{"id": list.Text(q + "id"), "choice": choice})
				return true
			}
			return false
		})
	}
	with := func(session, name, choice string) service.Answer {
		tab := s.In(session).Open(t, form)
		answered := make(chan service.Answer, 1)
		go func() { answered <- enter(tab, name, 30_000) }()
		answer(session, choice)
		return <-answered
	}

	if got := with("a", "session", "Allow"); got.Status != 200 {
		t.Errorf("allowed: %s", got.Raw)
	}
	tab := s.In("a").Open(t, form)
	if got := enter(tab, "session", 5000); got.Status != 200 {
		t.Errorf("allowed for the session, and asked again: %s", got.Raw)
	}
	enter(s.In("b").Open(t, form), "session", 1000).Fails(t, 403, "SECRET_NOT_CONFIRMED", "asked/session")
	with("c", "always", "Refuse").Fails(t, 403, "SECRET_REFUSED", "asked/always")

	// A consent that is given while no call waits is for the next call, and for that one only.
	enter(tab, "always", 1000).Fails(t, 403, "SECRET_NOT_CONFIRMED", "asked/always")
	answer("a", "Allow")
	if got := enter(tab, "always", 5000); got.Status != 200 {
		t.Errorf("allowed meanwhile: %s", got.Raw)
	}
	enter(tab, "always", 1000).Fails(t, 403, "SECRET_NOT_CONFIRMED", "asked/always")

	// A consent for a session ends with the session.
	s.OK(t, "POST /sessions/end", args{"session": "a"})
	enter(s.In("a").Open(t, form), "session", 1000).Fails(t, 403, "SECRET_NOT_CONFIRMED", "asked/session")
}
