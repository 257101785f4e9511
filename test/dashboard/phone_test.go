package dashboard

import (
	"encoding/json"
	"testing"

	proto "github.com/chromedp/cdproto/cdp"

	"chela/internal/engine/cdp"
	"chela/test/pages"
	"chela/test/service"
)

// message is an object of JSON.
type message = map[string]any

// A touchScreen is the screen of a phone that shows a tab of the person.
type touchScreen struct {
	tab     *service.Tab
	session *cdp.Session
}

// phone makes the person's tab that of a phone, which is touched.
func phone(tab *service.Tab) touchScreen {
	tab.Helper()
	target := tab.OK("POST /set/device", args{"name": "Pixel 7"}).Text("targetId")
	conn := connect(tab)
	attached, err := cdp.Call(tab.Context(), conn.Root(), proto.Command[message, message]{Method: "Target.attachToTarget"}, message{"targetId": target, "flatten": true})
	if err != nil {
		tab.Fatal(err)
	}
	return touchScreen{tab, conn.Session(attached["sessionId"].(string))}
}

// connect returns a connection by which a test sends commands of the DevTools protocol to the
// person's browser.
func connect(tab *service.Tab) *cdp.Conn {
	tab.Helper()
	at := tab.Service.OK(tab, "POST /cdp", args{}).Text("wsUrl")
	transport, err := cdp.Dial(tab.Context(), at, cdp.DialOptions{})
	if err != nil {
		tab.Fatal(err)
	}
	conn := cdp.NewConn(transport, cdp.Options{})
	tab.Cleanup(func() { conn.Close() })
	return conn
}

// send sends a command about input.
func (s touchScreen) send(method string, params message) {
	s.tab.Helper()
	if _, err := cdp.Call(s.tab.Context(), s.session, proto.Command[message, message]{Method: "Input." + method}, params); err != nil {
		s.tab.Fatal(err)
	}
}

// touch puts a finger on a point of the tab that the dashboard shows, moves it up by some pixels, and
// lifts it.
func (s touchScreen) touch(p point, up float64) {
	s.tab.Helper()
	var at point
	got := s.tab.Eval(`() => { const b = document.querySelector(".stage img").getBoundingClientRect(); return JSON.stringify({x: b.x, y: b.y, width: b.width, height: b.height}) }`)
	if err := json.Unmarshal([]byte(got), &at); err != nil {
		s.tab.Fatal(err)
	}
	at.X, at.Y = at.X+p.X/p.Width*at.Width, at.Y+p.Y/p.Height*at.Height
	touch := func(kind string, fingers ...message) {
		s.send("dispatchTouchEvent", message{"type": kind, "touchPoints": append([]message{}, fingers...)})
	}
	touch("touchStart", message{"x": at.X, "y": at.Y})
	if up != 0 {
		touch("touchMove", message{"x": at.X, "y": at.Y - up/2})
		touch("touchMove", message{"x": at.X, "y": at.Y - up})
	}
	touch("touchEnd")
}

// A person works in a tab by the screen of a phone. A tap clicks, a finger that moves scrolls, and
// text comes from the phone's keyboard.
func TestPhone(t *testing.T) {
	agent := watched.In("shopper").Open(t, site.URL+pages.HTML(`<style>* { font-size: 40px } body { height: 4000px }</style>
		<button id="b" onclick="out.textContent = 'tapped'">Press</button><input id="name" aria-label="Name" oninput="out.textContent = 'typed ' + value"><p id="out"></p>
		<script>onscroll = () => out.textContent = 'scrolled'</script>`))
	button, field := centre(agent, "#b"), centre(agent, "#name")
	tab := enter(t, watched)
	screen := phone(tab)
	show(tab, "tab/chela/"+agent.ID)
	sees(tab, `document.querySelector(".stage img")?.naturalWidth > 300`, "true")
	takeOver(tab, agent)
	tab.Eval(`() => document.querySelector(".stage img").scrollIntoView({block: "center"})`)

	screen.touch(button, 0)
	shows(agent, "tapped")
	screen.touch(field, 0)
	sees(tab, `[...document.querySelectorAll("button")].find(b => b.textContent === "Keyboard").checkVisibility()`, "true")
	tab.Click(`button "Keyboard"`, nil)
	sees(tab, `document.activeElement.className`, "keys")
	screen.send("imeSetComposition", message{"text": "Ad", "selectionStart": 2, "selectionEnd": 2})
	screen.send("imeSetComposition", message{"text": "Ada", "selectionStart": 3, "selectionEnd": 3})
	screen.send("insertText", message{"text": "Ada"})
	shows(agent, "typed Ada")
	screen.touch(button, 100)
	shows(agent, "scrolled")
	calm(tab)
}
