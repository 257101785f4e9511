package service

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"testing"

	"chela/internal/base/config"
	"chela/internal/op"
	"chela/internal/surface/dashboard"
)

// WithDashboard starts a server for one test. Browsers of chela may open its port, so they can show
// its dashboard. The ports of all other servers are closed to them. If settings is empty, the
// configuration suits most tests.
func WithDashboard(t testing.TB, settings string) *Service {
	t.Helper()
	s := start(t.TempDir(), settings, false)
	t.Cleanup(s.Close)
	return s
}

// StartWithDashboard starts such a server for all tests of a package. The function begin of [Main]
// calls it, and Main ends the server.
func StartWithDashboard() *Service {
	s := start(mustGet(os.MkdirTemp("", "chela-test-")), "", false)
	withDashboard = append(withDashboard, s)
	return s
}

// withDashboard are the servers that Main has to end.
var withDashboard []*Service

// Link returns a link to the dashboard.
func (s *Service) Link(t testing.TB) string {
	t.Helper()
	return s.Local(t, "/dashboard/link", Args{}).Text("url")
}

// Local makes a request that only the Unix socket offers.
func (s *Service) Local(t testing.TB, path string, args Args) Answer {
	t.Helper()
	var d net.Dialer
	transport := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return d.DialContext(ctx, "unix", s.socket) }}
	defer transport.CloseIdleConnections()
	body, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := (&http.Client{Transport: transport}).Post("http://chela"+path, "application/json", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d %s %v", path, resp.StatusCode, raw, err)
	}
	a := Answer{Status: resp.StatusCode, Raw: string(raw)}
	json.Unmarshal(raw, &a.fields)
	return a
}

// settingsOf are the settings of a server, for its dashboard.
type settingsOf struct{ live *config.Live }

func (s settingsOf) List() ([]dashboard.Setting, error) {
	c, err := s.live.Reread()
	if err != nil {
		return nil, err
	}
	return dashboard.Settings(c)
}

func (s settingsOf) Set(key string, value any) error {
	if _, err := s.live.Set(key, value); err != nil {
		return op.Errorf(op.Invalid, "%v", err)
	}
	return nil
}
