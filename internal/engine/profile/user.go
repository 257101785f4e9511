package profile

import (
	"context"
	"net"
	"net/url"
	"time"

	"chela/internal/engine/browser"
	"chela/internal/engine/cdp"
	"chela/internal/engine/chrome"
)

// allowTime is how long the user has to answer when their browser asks whether chela may connect.
const allowTime = 45 * time.Second

// OwnPort reports whether the browser is the user's own, and chela reads its port from a file. The
// browser writes that file when it allows debugging, see [chrome.ActiveBrowser].
func (s Setup) OwnPort() bool { return s.Driver == ExistingSession && s.URL == "" }

// reachUser returns the host of the user's own browser. It tries to connect only once, since each
// try would ask the user again. The error is a [*ReachError] with a [*chrome.NotActiveError].
func (p *Profile) reachUser(s Setup) (host browser.Host, rawURL string, err error) {
	active, err := s.findActive()
	if err != nil {
		return nil, "", p.reachError(s, err)
	}
	open := func(ctx context.Context) (cdp.Transport, error) {
		ctx, cancel := context.WithTimeout(ctx, allowTime)
		defer cancel()
		return cdp.Dial(ctx, active.WebSocketURL, cdp.DialOptions{})
	}
	return browser.Connect(open, browser.Description{UserDataDir: active.UserDataDir, Shared: true, Local: true}), active.WebSocketURL, nil
}

// findActive returns the first of the user's browsers whose port is open. A browser leaves the file
// that names its port behind when it ends, so files of other browsers may also be there. The error
// is a [*chrome.NotActiveError].
func (s Setup) findActive() (chrome.ActiveBrowser, error) {
	found, err := chrome.FindActive(s.UserDataDir)
	if err != nil {
		return chrome.ActiveBrowser{}, err
	}
	var places []string
	for _, each := range found {
		if isOpen(each.WebSocketURL) {
			return each, nil
		}
		places = append(places, each.UserDataDir)
	}
	return chrome.ActiveBrowser{}, &chrome.NotActiveError{Places: places, Ended: true}
}

// FindUser returns the data directory of the user's own browser, if that allows debugging. It does
// not connect, so the browser does not ask the user. The error is a [*chrome.NotActiveError].
func (s Setup) FindUser() (userDataDir string, err error) {
	active, err := s.findActive()
	return active.UserDataDir, err
}

// openTime limits the check whether a port of this machine is open.
const openTime = time.Second

func isOpen(webSocketURL string) bool {
	u, err := url.Parse(webSocketURL)
	if err != nil {
		return false
	}
	conn, err := net.DialTimeout("tcp", u.Host, openTime)
	if err == nil {
		conn.Close()
	}
	return err == nil
}
