package doctor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chela/internal/base/config"
	"chela/internal/fleet/keeper"
	"chela/internal/fleet/natsline"
	"chela/internal/fleet/natsline/natstest"
	"chela/internal/fleet/wire"
)

// checkFleet returns the checks of a fleet, each as a line.
func checkFleet(t *testing.T, f config.Fleet) []string {
	t.Helper()
	return checkFleetOf(t, &config.Config{Fleet: f, File: "chela.json"})
}

func checkFleetOf(t *testing.T, c *config.Config) []string {
	t.Helper()
	h := new(Report)
	h.fleet(t.Context(), c)
	var lines []string
	for _, c := range h.Checks {
		lines = append(lines, strings.Join([]string{c.Status, c.ID, c.Summary, c.FixHint}, " | "))
	}
	return lines
}

// answerAs makes a connection answer the question which nodes there are.
func answerAs(t *testing.T, s *natstest.Server, all ...wire.Status) {
	t.Helper()
	line, err := natsline.Dial(config.Fleet{URL: s.URL(), Tenant: "default"}, "test")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(line.Close)
	_, err = line.Subscribe(wire.Subjects{Tenant: "default"}.Question(), func(_ []byte, reply func([]byte) error) {
		for _, s := range all {
			reply(wire.Encode(s))
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	// NATS handles what a connection sends in order: after the answer to this, the subscription is known.
	if err := line.Request(t.Context(), "nobody", nil, func([]byte) bool { return false }); err != wire.ErrNobody {
		t.Fatal(err)
	}
}

// The doctor says whether NATS accepts this machine, and what state the nodes are in.
func TestFleet(t *testing.T) {
	if got := checkFleet(t, config.Fleet{Tenant: "default"}); len(got) != 0 {
		t.Errorf("without a fleet: %q", got)
	}
	refusing, alone, nodes := natstest.Start(t, "secret"), natstest.Start(t, ""), natstest.Start(t, "")
	answerAs(t, nodes, wire.Status{V: 1, Name: "mac", Healthy: true}, wire.Status{V: 1, Name: "linux", Reason: "no browser found"})
	const files = "warn | fleet-files | files above 512 KiB do not travel between machines: NATS keeps no files, as it has no JetStream | start NATS with JetStream: nats-server -js"
	for _, test := range []struct {
		name  string
		fleet config.Fleet
		want  []string
	}{
		{"a file is missing", config.Fleet{URL: "nats://127.0.0.1:1", Credentials: filepath.Join(t.TempDir(), "a.creds")}, []string{"fail | fleet | fleet.credentials is"}},
		{"nobody listens", config.Fleet{URL: "nats://127.0.0.1:1"}, []string{"fail | fleet | connect to NATS at nats://127.0.0.1:1: nats: no servers available"}},
		{"not let in", config.Fleet{URL: refusing.URL()}, []string{"fail | fleet | connect to NATS at " + refusing.URL() + ": nats: Authorization Violation | start NATS there, or correct fleet in chela.json"}},
		{"no node", config.Fleet{URL: alone.URL()}, []string{"warn | fleet | no node answers: tenant default at " + alone.URL(), files}},
		{"two nodes", config.Fleet{URL: nodes.URL()}, []string{
			"pass | fleet | linux, mac: tenant default at " + nodes.URL(), "warn | fleet-nodes | linux: no browser found | run chela doctor on these machines", files,
		}},
	} {
		test.fleet.Tenant = "default"
		got := checkFleet(t, test.fleet)
		if len(got) != len(test.want) {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
			continue
		}
		for i := range got {
			if !strings.HasPrefix(strings.ToLower(got[i]), strings.ToLower(test.want[i])) {
				t.Errorf("%s: got  %s\nwant %s", test.name, got[i], test.want[i])
			}
		}
	}
}

// The doctor says why portable profiles cannot run here, as a call would.
// TestPortableProfileWithoutKey tests a key that does not decrypt what is stored.
func TestPortableProfiles(t *testing.T) {
	nats, key, open := natstest.Start(t, ""), filepath.Join(t.TempDir(), "fleet.key"), filepath.Join(t.TempDir(), "open.key")
	for _, file := range []string{key, open} {
		if _, err := keeper.NewKey(file); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(open, 0o644); err != nil {
		t.Fatal(err)
	}
	portable := map[string]config.Profile{"shop": {Portable: true}, "work": {Portable: true}, "home": {}}
	for _, test := range []struct {
		name     string
		profiles map[string]config.Profile
		keyFile  string
		want     string // "": no check
	}{
		{"no portable profile", map[string]config.Profile{"home": {}}, "", ""},
		{"no key", portable, "", "fail | fleet-profiles | take profile shop: fleet.keyFile is not set | chela node keygen FILE makes a key for all nodes; fleet.keyFile names it on each"},
		{"others can read the key", portable, open, "fail | fleet-profiles | take profile shop: fleet.keyFile is " + open + ": other users can read it: its mode must be 0600 | all nodes need the same file, with mode 0600"},
		{"no JetStream", portable, key, "fail | fleet-profiles | take profile shop: read the record of profile shop: NATS keeps no profiles, as it has no JetStream | start NATS with JetStream: nats-server -js"},
	} {
		got := ""
		for _, line := range checkFleetOf(t, &config.Config{
			Fleet: config.Fleet{URL: nats.URL(), Tenant: "default", KeyFile: test.keyFile}, Browser: config.Browser{Profiles: test.profiles},
		}) {
			if strings.Contains(line, "fleet-profiles") {
				got += line
			}
		}
		if got != test.want {
			t.Errorf("%s: got  %s\nwant %s", test.name, got, test.want)
		}
	}
}
