//go:build unix

package fleet

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chela/internal/fleet/keeper"
	"chela/test/service"
)

// newFleetKey makes a key for nodes.
func newFleetKey(t testing.TB) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "fleet.key")
	if _, err := keeper.NewKey(file); err != nil {
		t.Fatal(err)
	}
	return file
}

// A portable is a node with the portable profile work, which is also its default one.
type portable struct {
	dir, keyFile   string
	fleet, profile string   // further settings, each with a comma before it
	args           []string // further arguments of its command
}

// newPortable starts a node of a new machine.
func (b *broker) newPortable(t testing.TB, name, keyFile string) *service.Program {
	t.Helper()
	return b.startPortable(t, name, portable{dir: t.TempDir(), keyFile: keyFile})
}

func (b *broker) startPortable(t testing.TB, name string, p portable) *service.Program {
	t.Helper()
	text := fmt.Sprintf(`{fleet: {keyFile: %q%s}, browser: {noSandbox: true, headless: true, defaultProfile: "work", profiles: {work: {portable: true%s}}}}`,
		p.keyFile, p.fleet, p.profile)
	if err := os.WriteFile(filepath.Join(p.dir, "chela.json"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return service.Run(t, p.dir, append([]string{"node", "--nats", b.url(), "--name", name, "--drain", "20s"}, p.args...)...)
}

// secret is a cookie that nobody but nodes may read.
const secret = "ada-5d41402abc4b2a76"

// logIn logs in on a node, and opens a tab there whose page stores something.
func logIn(t testing.TB, shop *service.Service, node string) (tab string) {
	t.Helper()
	tab = shop.OK(t, "POST /tabs/open?node="+node, service.Args{"url": site.URL + "/account?login=" + secret}).Text("tabId")
	shop.OK(t, "POST /navigate", service.Args{"targetId": tab, "url": site.URL + "/account"})
	shop.OK(t, "GET /snapshot?targetId="+tab, nil)
	shop.OK(t, "POST /act", service.Args{"targetId": tab, "kind": "click", "ref": "e1"})
	shows(t, shop.OK(t, "GET /snapshot?targetId="+tab, nil))
	return tab
}

// shows fails the test unless the tab is logged in and its page has stored something.
func shows(t testing.TB, a service.Answer) {
	t.Helper()
	for _, want := range []string{secret, "cart: three claws"} {
		if !strings.Contains(a.Raw, want) {
			t.Errorf("the page lacks %q: %s", want, a.Raw)
		}
	}
}

// When a node ends, its portable profile goes on with another, with logins, storage and tabs.
func TestPortableProfileOfADrainedNode(t *testing.T) {
	store := t.TempDir()
	b := newBroker(t, "-js", "-sd", store)
	key := newFleetKey(t)
	mac := b.newPortable(t, "mac", key)
	here := b.newCaller(t, "")
	shop := here.In("shop")
	tab := logIn(t, shop, "mac")
	pc := b.newPortable(t, "pc", key)
	shop.Do(t, "GET /tabs?node=pc", nil) // by now the caller has heard of node pc
	begun := time.Now()
	if err := mac.Close(); err != nil {
		t.Error(err)
	}
	if took := time.Since(begun); took > 10*time.Second+service.Slack() {
		t.Errorf("the node has waited %s for tabs that can move", took)
	}
	t.Logf("the node ended after %s", time.Since(begun))
	begun = time.Now()
	a := eventuallyOK(t, shop, "GET /snapshot?targetId="+tab)
	t.Logf("the tab answered on the other node after %s more", time.Since(begun))
	a.Has(t, "tabId", tab)
	a.Has(t, "recovered", "true")
	shows(t, a)
	if a := pc.In("shop").OK(t, "GET /tabs", nil); !strings.Contains(a.Raw, "Account") || !strings.Contains(a.Raw, `"tabId":"t1"`) {
		t.Errorf("the other node has %s", a.Raw)
	}
	shop.OK(t, "GET /snapshot", nil).Has(t, "tabId", "pc/t1") // the session has moved with its tabs
	shop.OK(t, "GET /snapshot?targetId="+tab, nil).Has(t, "tabId", tab)
	if a := shop.OK(t, "POST /tabs/open", service.Args{"url": site.URL + "/account"}); a.Text("tabId") != "pc/t2" {
		t.Errorf("the next tab is %s", a.Text("tabId"))
	}
	noPlaintext(t, store)
}

// eventuallyOK calls until the answer is good: a browser may take longer to start than a call has.
func eventuallyOK(t testing.TB, s *service.Service, route string) (a service.Answer) {
	t.Helper()
	service.Eventually(t, route, func() bool {
		a, _ = s.Try(t.Context(), route, nil)
		return a.Status == 200
	})
	return a
}

// noPlaintext reports a file below a folder that has the secret cookie or the stored text in it.
func noPlaintext(t testing.TB, dir string) {
	t.Helper()
	files := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		for _, text := range []string{secret, "three claws", "/account"} {
			if bytes.Contains(raw, []byte(text)) {
				t.Errorf("%s has %q in it", path, text)
			}
		}
		files++
		return err
	})
	if err != nil || files == 0 {
		t.Errorf("%d files of NATS: %v", files, err)
	}
}

// When a node is killed, another goes on with what was saved last. The node that comes back does not
// run the profile a second time.
func TestPortableProfileOfAKilledNode(t *testing.T) {
	b := newBroker(t, withObjects(t)...)
	key := newFleetKey(t)
	machine := portable{dir: t.TempDir(), keyFile: key}
	mac := b.startPortable(t, "mac", machine)
	b.newPortable(t, "pc", key)
	here := b.newCaller(t, "")
	shop := here.In("shop")
	tab := logIn(t, shop, "mac")
	b.openVault(t, key).await(t, "three claws")
	mac.Kill()
	begun := time.Now()
	a := eventuallyOK(t, shop, "GET /snapshot?targetId="+tab)
	t.Logf("the tab answered on the other node %s after the kill", time.Since(begun))
	a.Has(t, "tabId", tab)
	a.Has(t, "recovered", "true")
	shows(t, a)
	b.startPortable(t, "mac", machine)
	eventuallyOK(t, here.Service, "GET /tabs?node=mac")
	here.Do(t, "POST /tabs/open?node=mac", service.Args{"url": site.URL + "/account"}).Fails(t, 409, "PROFILE_ELSEWHERE", "profile work is on node pc")
	shop.OK(t, "GET /snapshot?targetId="+tab, nil).Has(t, "tabId", tab) // the tab is still on the other node
	here.OK(t, "POST /stop?node=pc", nil)
	if a := here.OK(t, "POST /tabs/open?node=mac", service.Args{"url": site.URL + "/account"}); a.Text("tabId") != "mac/t2" {
		t.Errorf("after the stop the first node opens %s", a.Raw)
	}
	if a := here.OK(t, "GET /snapshot?targetId=mac/t2", nil); !strings.Contains(a.Raw, secret) {
		t.Errorf("it is not logged in: %s", a.Raw)
	}
}

// A node without the key, and a server that is not a node, do not run a portable profile.
func TestPortableProfileWithoutKey(t *testing.T) {
	b := newBroker(t, withObjects(t)...)
	mac := b.newPortable(t, "mac", newFleetKey(t))
	here := b.newCaller(t, "")
	logIn(t, here.In("shop"), "mac")
	here.OK(t, "POST /stop?node=mac", nil)
	open := newFleetKey(t)
	if err := os.Chmod(open, 0o644); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct{ key, want string }{
		"none":  {"", "fleet.keyFile is not set"},
		"open":  {open, "other users can read it"},
		"other": {newFleetKey(t), "encrypted with a key that is not in fleet.keyFile"},
	} {
		node := b.newPortable(t, name, test.key)
		node.Do(t, "POST /tabs/open", service.Args{"url": site.URL + "/account"}).Fails(t, 409, "conflict", test.want)
		checksProfiles(t, node, "fail", test.want)
		node.Kill()
	}
	checksProfiles(t, mac, "pass", "work")
	here.OK(t, "POST /start?node=mac", nil)
}

// checksProfiles fails the test unless the doctor says this of the portable profiles of a node.
func checksProfiles(t *testing.T, node *service.Program, status, summary string) {
	t.Helper()
	a := node.OK(t, "GET /doctor", nil)
	for i := range a.Count("checks") {
		of := func(field string) string { return a.Text(fmt.Sprintf("checks.%d.%s", i, field)) }
		if of("id") != "fleet-profiles" {
			continue
		}
		if of("status") != status || !strings.Contains(of("summary"), summary) || (of("fixHint") == "") != (status == "pass") {
			t.Errorf("the doctor says %s %s, and to %q; want %s %s", of("status"), of("summary"), of("fixHint"), status, summary)
		}
		return
	}
	t.Errorf("the doctor does not check portable profiles: %s", a.Raw)
}

// Without JetStream there is nowhere to keep a profile.
func TestPortableProfileWithoutJetStream(t *testing.T) {
	b := newBroker(t)
	mac := b.newPortable(t, "mac", newFleetKey(t))
	mac.Do(t, "POST /tabs/open", service.Args{"url": site.URL + "/account"}).Fails(t, 501, "not_supported", "it has no JetStream")
	checksProfiles(t, mac, "fail", "it has no JetStream")
}
