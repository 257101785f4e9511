package around

import (
	"strings"
	"testing"

	"chela/test/chromium"
	"chela/test/long"
	"chela/test/pages"
)

// While Chromium asks something in a window of its own, a tab takes no input. If nobody would
// answer, Chromium asks nothing.
func TestNoQuestionsOfChromium(t *testing.T) {
	long.Test(t)
	tab := shared.Open(t, "about:blank")
	for _, s := range []struct{ name, html string }{
		{"a link for another program", `<a href="unknown:program">Go</a>`},
		{"a link for the mail program", `<a href="mailto:a@example.com">Go</a>`},
		{"a script for another program", `<button onclick="location = 'unknown:program'">Go</button>`},
		{"a frame of another site", `<iframe src="` + pages.Elsewhere(html(``)) + `"></iframe><button onclick="document.querySelector('iframe').src = 'unknown:program'">Go</button>`},
		{"a redirect", `<button onclick="location = '/slow?ms=0&to=unknown:program'">Go</button>`},
		{"a printer", `<button onclick="print()">Go</button>`},
		{"the screen", `<button onclick="navigator.mediaDevices.getDisplayMedia()">Go</button>`},
		{"a passkey", `<button onclick="navigator.credentials.get({publicKey: {challenge: new Uint8Array(16)}})">Go</button>`},
		{"a new passkey", `<button onclick="navigator.credentials.create({publicKey: {challenge: new Uint8Array(16), rp: {name: 'R'}, user: {id: new Uint8Array(8), name: 'u', displayName: 'U'}, pubKeyCredParams: [{type: 'public-key', alg: -7}]}})">Go</button>`},
		{"a digital credential", `<button onclick="navigator.credentials.get({digital: {requests: [{protocol: 'openid4vp', data: {}}]}})">Go</button>`},
	} {
		t.Run(s.name, func(t *testing.T) {
			if strings.Contains(s.html, "publicKey") && !chromium.Headless() {
				t.Skip("the user may have a passkey, and sees the question")
			}
			tab := tab.For(t)
			// Only a site with a host name can use passkeys.
			tab.Visit(pages.Elsewhere(html(s.html, `<button onclick="this.textContent++">0</button>`)))
			tab.Click("Go", nil)
			counter := tab.Ref(`button "0"`)
			for range 30 { // Chromium takes some milliseconds before it opens the window
				if a := tab.Do("POST /act", args{"kind": "click", "ref": counter, "timeoutMs": 2000}); a.Status != 200 {
					t.Fatalf("answered %s", a.Raw)
				}
			}
		})
	}
}
