package call

import (
	"strings"
	"testing"
)

// What chela's settings say of its own browsers is not said of a browser that it has not started.
func TestStatusOfAnotherBrowser(t *testing.T) {
	port := 18800
	own := BrowserStatus{Driver: "openclaw", CDPPort: &port, SandboxOff: "browser.noSandbox is set"}
	other := own
	other.Connected = new(true)
	for _, line := range []string{"exposeCdp: false, so the port is not open", "sandbox: off, browser.noSandbox is set"} {
		if !strings.Contains(own.Terminal(), line) {
			t.Errorf("of its own browser it says\n%s", own.Terminal())
		}
		if strings.Contains(other.Terminal(), line) {
			t.Errorf("of another browser it says\n%s", other.Terminal())
		}
	}
}
