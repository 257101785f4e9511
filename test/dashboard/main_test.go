// Package dashboard tests the dashboard in Chromium, as a person uses it. One server of chela drives
// the person's browser, and opens the dashboard of another one, whose agents work.
package dashboard

import (
	"context"
	"net/http/httptest"
	"os"
	"testing"

	"chela/test/pages"
	"chela/test/service"
)

type args = service.Args

// The browser of person opens the dashboard of watched. Both open pages of site. The tests share
// watched, and close the tabs that they open there. A test that depends on which calls and sessions
// there were has a server of its own.
var (
	person, watched *service.Service
	site            *httptest.Server
)

func TestMain(m *testing.M) {
	os.Exit(service.Main(m, pages.Handler(), func(shared, _ *service.Service, at *httptest.Server) {
		person, watched, site = shared, service.StartWithDashboard(), at
	}))
}

// enter opens the dashboard of a server in the person's browser.
func enter(t testing.TB, watched *service.Service) *service.Tab {
	t.Helper()
	tab := person.Open(t, watched.Link(t))
	sees(tab, `document.querySelector("h1")?.textContent`, "Tabs")
	return tab
}

// takeOver takes over a tab by the button of its view, for the time of the test.
func takeOver(view, agent *service.Tab) {
	view.Helper()
	view.Click(`button "Take over"`, nil)
	sees(view, `document.querySelector(".tab-view.held") !== null`, "true")
	agent.Cleanup(func() { agent.Service.Try(context.Background(), "POST /giveback", args{"targetId": agent.ID}) })
}

// sees waits until an expression in the dashboard has a value. It may fail meanwhile, as what it looks
// at may not be there yet.
func sees(t *service.Tab, script, want string) {
	t.Helper()
	got := ""
	service.Eventually(t, script+" is "+want, func() bool {
		got = t.Eval("() => { try { return String(" + script + ") } catch (e) { return String(e) } }")
		return got == want
	})
}

// show goes to a view of the dashboard.
func show(t *service.Tab, path string) {
	t.Helper()
	t.Eval(`() => { location.hash = "#/` + path + `" }`)
}
