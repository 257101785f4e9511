package api

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"chela/internal/api/call"
	"chela/internal/base/config"
	"chela/internal/op"
)

// A caller on another machine ends a session only in the profiles that it may see. It needs no call in
// the session for that, such as after a restart. The limit stays while the session has tabs elsewhere.
func TestEndOfASessionOfOthers(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "chela.json"), []byte(`{browser: {profiles: {work: {cdpPort: 18801}, home: {cdpPort: 18802}}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	live, err := config.Open(config.Flags{StateDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	for profile, tabs := range map[string]string{
		"work": `{"id": "t1", "owner": "shop", "url": "about:blank"}, {"id": "t2", "owner": "read", "url": "about:blank"}`,
		"home": `{"id": "t1", "owner": "shop", "url": "about:blank"}`,
	} {
		memory := fmt.Sprintf(`{"version": %d, "tabs": [%s]}`, config.StateVersion, tabs)
		if err := live.Current().State.WriteProfileFile(profile, "session.json", []byte(memory), config.PastPowerLoss); err != nil {
			t.Fatal(err)
		}
	}
	s, err := call.New(live, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close(t.Context())
	for _, test := range []struct {
		sees    []string
		session string
		closed  int
		limited bool
	}{
		{[]string{"work"}, "shop", 1, true},
		{[]string{"work"}, "shop", 0, true},
		{[]string{"work"}, "read", 1, false},
		{[]string{"work"}, "none", 0, false},
		{nil, "shop", 1, false},
	} {
		if err := s.Limits.SetHosts(test.session, []string{"a.test"}); err != nil {
			t.Fatal(err)
		}
		done, err := endSession(op.WithProfiles(t.Context(), test.sees), s, endSessionRequest{Session: test.session})
		if err != nil || done.Closed != test.closed || (s.Limits.Hosts(test.session) != nil) != test.limited {
			t.Errorf("%s by one who sees %q: closed %d, limited to %q, %v", test.session, test.sees, done.Closed, s.Limits.Hosts(test.session), err)
		}
	}
	if left := s.Profiles.Sessions(t.Context()); len(left) > 0 {
		t.Errorf("left are %+v", left)
	}
}

// A session that has limits and no tabs is listed to itself, whatever profiles its caller may see.
func TestSessionWithoutTabsSeesItself(t *testing.T) {
	live, err := config.Open(config.Flags{StateDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	s, err := call.New(live, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close(t.Context())
	if err := s.Limits.SetHosts("shop", []string{"a.test"}); err != nil {
		t.Fatal(err)
	}
	for session, want := range map[string]int{"shop": 1, "other": 0} {
		list, err := sessions(op.WithSession(op.WithProfiles(t.Context(), []string{"work"}), session), s, nothing{})
		if err != nil || len(list.Sessions) != want {
			t.Errorf("%s sees %+v, %v", session, list.Sessions, err)
		}
	}
}

// A list in which all sessions are only counted is not empty.
func TestSessionsThatAreCounted(t *testing.T) {
	for _, s := range []struct {
		list sessionList
		want string
	}{
		{sessionList{}, "no sessions"},
		{sessionList{Tabless: 3}, "... and 3 isolated sessions without tabs"},
		{sessionList{Sessions: []sessionInfo{{Session: "a", Profile: "work"}}, Tabless: 3}, "a [work]: no tabs\n... and 3 isolated sessions without tabs"},
	} {
		if got := s.list.Text(); got != s.want {
			t.Errorf("got %q, want %q", got, s.want)
		}
	}
}
