// Package dashboard tests the dashboard in Chromium, as a person uses it. One server of chela drives
// the person's browser, and opens the dashboard of another one, whose agents work.
package dashboard

import (
	"context"
	"fmt"
	"net/http"
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
// at may not be there yet, or as the page is being replaced.
func sees(t *service.Tab, script, want string) {
	t.Helper()
	got := ""
	service.Eventually(t, script+" is "+want, func() bool {
		a := t.Do("POST /act", args{"kind": "evaluate", "fn": "() => { try { return String(" + script + ") } catch (e) { return String(e) } }"})
		got = a.Text("result")
		return a.Status == http.StatusOK && got == want
	})
}

// holds gives the page of the dashboard a function hold, which keeps back the next answer to a path
// until release is called. The promise begun resolves when the answer has come.
func holds(t *service.Tab) {
	t.Helper()
	t.Eval(`() => {
		window.hold = path => {
			const real = window.fetch, begun = Promise.withResolvers(), gate = Promise.withResolvers()
			window.fetch = async (address, options) => {
				const answer = real(address, options)
				if (String(address).includes(path)) {
					window.fetch = real
					await answer
					begun.resolve()
					await gate.promise
				}
				return answer
			}
			return { begun: begun.promise, release: gate.resolve }
		}
	}`)
}

// fails gives the page of the dashboard an answer of the server: all requests with a path get this
// status, until the status is 0.
func fails(t *service.Tab, path string, status int) {
	t.Helper()
	t.Eval(fmt.Sprintf(`() => {
		const real = window.realFetch ??= window.fetch
		window.fetch = async (address, options) => {
			if (%[2]d && String(address).includes(%[1]q)) return Response.json({ error: "it failed" }, { status: %[2]d })
			return real(address, options)
		}
	}`, path, status))
}

// changed has the page of the dashboard load again what it shows, as if the person had come back.
func changed(t *service.Tab) {
	t.Helper()
	t.Eval(`() => { document.dispatchEvent(new Event("visibilitychange")) }`)
}

// show goes to a view of the dashboard.
func show(t *service.Tab, path string) {
	t.Helper()
	t.Eval(`() => { location.hash = "#/` + path + `" }`)
}
