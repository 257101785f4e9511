package relay

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// program builds chela, because a browser cannot start this test instead.
var program = sync.OnceValues(func() (string, error) {
	path := filepath.Join(built, "chela")
	out, err := exec.Command("go", "build", "-trimpath", "-ldflags=-w", "-o", path, "../../cmd/chela").CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, out)
	}
	return path, err
})

// A terminal is where a person runs commands of chela, with a state directory.
type terminal struct {
	t        *testing.T
	path     string
	stateDir string
}

func newTerminal(t *testing.T, settings string) terminal {
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	c := terminal{t, path, t.TempDir()}
	if err := os.WriteFile(filepath.Join(c.stateDir, "chela.json"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.try("shutdown") })
	return c
}

func (c terminal) try(words ...string) (string, error) {
	cmd := exec.Command(c.path, words...)
	cmd.Env = append(os.Environ(), "CHELA_STATE_DIR="+c.stateDir)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// run runs a command that must succeed.
func (c terminal) run(words ...string) string {
	c.t.Helper()
	out, err := c.try(words...)
	if err != nil {
		c.t.Fatalf("chela %s: %v\n%s", strings.Join(words, " "), err, out)
	}
	return out
}

// A pairedBrowser is an entry in the list of paired browsers.
type pairedBrowser struct {
	ID, Name, Profile string
	Connected         bool
	SharedTabs        int
}

func (c terminal) browsers() []pairedBrowser {
	c.t.Helper()
	var list struct{ Browsers []pairedBrowser }
	if err := json.Unmarshal([]byte(c.run("extension", "list", "--json")), &list); err != nil {
		c.t.Fatal(err)
	}
	return list.Browsers
}

// A browser in which the extension was installed pairs when it starts, and starts the server for
// that. Nobody types anything. A second profile gets a key of its own.
func TestInstalledExtensionPairsByItself(t *testing.T) {
	relay := unusedPort(t)
	c := newTerminal(t, fmt.Sprintf(`{gateway: {port: %d, relayPort: %d}}`, unusedPort(t), relay))
	var people []*person
	for n := 1; n <= 2; n++ {
		profile := t.TempDir()
		said := c.run("extension", "install", "--user-data-dir", profile)
		folder := filepath.Join(c.stateDir, "extension", "unpacked")
		if !strings.Contains(said, folder) || !strings.Contains(said, "chrome://extensions") {
			t.Errorf("install said %s", said)
		}
		p := startPerson(t, profile, "--load-extension="+folder)
		p.until("the browser is paired and connected", func() bool {
			list := c.browsers()
			return len(list) == n && list[0].Connected && list[n-1].Connected
		})
		people = append(people, p)
	}
	list := c.browsers()
	if list[0].ID == list[1].ID || !strings.HasPrefix(list[0].Profile, "Chromium/") || !strings.HasPrefix(list[1].Name, "Chromium ") {
		t.Errorf("listed are %+v", list)
	}
	secrets := map[string]bool{}
	for _, b := range list {
		file := filepath.Join(c.stateDir, "extension", b.ID+".key")
		info, err := os.Stat(file)
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("file of the key: %v, %v", info, err)
		}
		var key struct{ Secret string }
		raw, _ := os.ReadFile(file)
		if err := json.Unmarshal(raw, &key); err != nil || len(key.Secret) != 64 {
			t.Errorf("key %s: %v", raw, err)
		}
		secrets[key.Secret] = true
	}
	if len(secrets) != 2 {
		t.Error("two browsers have one key")
	}
	for secret := range secrets {
		if strings.Contains(c.run("extension", "list"), secret) {
			t.Error("a key is shown")
		}
	}

	// The browser is used like any other, and the person is not asked for a key again when its
	// worker ends.
	tab := people[0].newTab("about:blank")
	people[0].request(fmt.Sprintf(`{do: "share", tab: %d}`, tab))
	people[0].stopWorker()
	people[0].until("the tab is listed as shared", func() bool {
		list := c.browsers()
		return len(list) == 2 && list[0].SharedTabs+list[1].SharedTabs == 1
	})

	gone := c.run("extension", "uninstall")
	for _, p := range people {
		if _, err := os.Stat(filepath.Join(p.Dir, "NativeMessagingHosts")); err == nil || !strings.Contains(gone, p.Dir) {
			t.Errorf("uninstall left %s: %s", p.Dir, gone)
		}
	}
}

// installed is a browser with the extension that was installed for it.
func (c terminal) installed() *person {
	c.t.Helper()
	profile := c.t.TempDir()
	c.run("extension", "install", "--user-data-dir", profile)
	p := startPerson(c.t, profile, "--load-extension="+filepath.Join(c.stateDir, "extension", "unpacked"))
	p.until("the browser is connected", c.oneIsConnected)
	return p
}

func (c terminal) oneIsConnected() bool {
	list := c.browsers()
	return len(list) == 1 && list[0].Connected
}

// A browser whose key was revoked pairs again when the person presses the button, and not before.
func TestRevokedBrowserAsksAgainByTheButton(t *testing.T) {
	c := newTerminal(t, fmt.Sprintf(`{gateway: {port: %d, relayPort: %d}}`, unusedPort(t), unusedPort(t)))
	p := c.installed()
	c.run("extension", "revoke", c.browsers()[0].ID)
	p.stopWorker()
	if list := c.browsers(); len(list) != 0 {
		t.Errorf("listed are %+v", list)
	}
	p.in(`return 1`) // a page of the extension opens for this, as the popup does
	p.until("the browser is connected again", c.oneIsConnected)
}

// A server whose relay has another port tells the extension that by a file.
func TestExtensionFindsAnotherPort(t *testing.T) {
	c := newTerminal(t, fmt.Sprintf(`{"gateway": {"port": %d, "relayPort": %d}}`, unusedPort(t), unusedPort(t)))
	p := c.installed()
	c.run("config", "set", "gateway.relayPort", fmt.Sprint(unusedPort(t)))
	c.run("shutdown")
	c.run("tabs") // this command starts the next server
	p.until("the browser is connected again", c.oneIsConnected)
	if said := c.run("doctor", "--profile", "chrome"); !strings.Contains(said, "OK extension-browser: Chromium") || !strings.Contains(said, "OK extension-copy") {
		t.Errorf("the doctor says %s", said)
	}
}
