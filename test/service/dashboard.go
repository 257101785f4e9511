package service

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"strings"
	"testing"

	"chela/internal/base/config"
	"chela/internal/op"
	"chela/internal/surface/dashboard"
)

// WithDashboard starts a server for one test, whose dashboard browsers of chela can open. They cannot
// open that of another server.
func WithDashboard(t testing.TB) *Service {
	t.Helper()
	s := start(t.TempDir(), "", false)
	t.Cleanup(s.Close)
	return s
}

// Link returns a link to the dashboard.
func (s *Service) Link(t testing.TB) string {
	t.Helper()
	var d net.Dialer
	transport := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return d.DialContext(ctx, "unix", s.socket) }}
	defer transport.CloseIdleConnections()
	resp, err := (&http.Client{Transport: transport}).Post("http://chela/dashboard/link", "application/json", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var link struct{ URL string }
	if err := json.NewDecoder(resp.Body).Decode(&link); err != nil || link.URL == "" {
		t.Fatalf("no link: %v", err)
	}
	return link.URL
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

func (s settingsOf) Set(key, text string) error {
	if _, err := s.live.Set(key, text); err != nil {
		return op.Errorf(op.Invalid, "%v", err)
	}
	return nil
}
