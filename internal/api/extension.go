package api

import (
	"context"
	"fmt"
	"time"

	files "chela/extension"
	"chela/internal/api/call"
	"chela/internal/api/words"
	"chela/internal/engine/nativehost"
	"chela/internal/op"
)

// extensionRows returns operations that manage the extension by which people share tabs of their
// own browser. Whether to share is a person's decision, so agents get none of these operations.
func extensionRows() []*op.Op {
	return []*op.Op{
		op.Define("GET /extension", "extension list", "List the browsers whose chela extension is paired with this server.",
			extensionList, op.OnlyHere, op.NotForAgents, op.Alone, op.WhenDisabled),
		op.Define("POST /extension/pair", "extension pair", "Show six digits that pair the extension in a browser. They expire after a minute.",
			extensionPair, op.OnlyHere, op.NotForAgents),
		op.Define("DELETE /extension/{id}", "extension revoke {id}", "Forget a paired browser, and end its connection.",
			extensionRevoke, op.OnlyHere, op.NotForAgents, op.WhenDisabled, op.Says("revoked {arg.id}"), op.Example("0123456789abcdef")),
		op.Define("GET /extension/path", "extension path", "Show the folder of the unpacked extension, to load it in a browser.",
			extensionPath, op.OnlyHere, op.NotForAgents, op.WhenDisabled),
	}
}

// pairedBrowsers lists the paired browsers.
type pairedBrowsers struct {
	Browsers []pairedBrowser `json:"browsers" doc:"the browsers"`
}

// pairedBrowser is a paired browser, which is one profile of a browser program.
type pairedBrowser struct {
	ID         string `json:"id" doc:"id of the browser, for extension revoke"`
	Name       string `json:"name" doc:"name of the browser, as its extension reports it"`
	Profile    string `json:"profile" doc:"product and version of the browser; empty: the extension has not connected since chela started"`
	Connected  bool   `json:"connected" doc:"the browser's extension is connected"`
	SharedTabs int    `json:"sharedTabs" doc:"how many tabs of the browser are shared with chela"`
}

// Text returns the list as a person reads it.
func (l pairedBrowsers) Text() string {
	if len(l.Browsers) == 0 {
		return "no browser is paired: run chela extension install"
	}
	var all []string
	for _, b := range l.Browsers {
		state := "not connected"
		if b.Connected {
			state = fmt.Sprintf("connected, %d shared tab(s)", b.SharedTabs)
		}
		all = append(all, fmt.Sprintf("%s  %s: %s", b.ID, b.Name, state))
	}
	return words.Lines(all...)
}

func extensionList(_ context.Context, s *call.Service, _ nothing) (pairedBrowsers, error) {
	l := pairedBrowsers{[]pairedBrowser{}}
	for _, b := range s.Profiles.Relay().Browsers() {
		l.Browsers = append(l.Browsers, pairedBrowser(b))
	}
	return l, nil
}

// pairingOffer is the code that a person types into the extension.
type pairingOffer struct {
	Code    string    `json:"code" doc:"six digits, to be typed into the extension"`
	Expires time.Time `json:"expiresAt" doc:"when the digits expire"`
}

// Text returns the text for people.
func (o pairingOffer) Text() string {
	return fmt.Sprintf("type %s into the extension within a minute: its button in the browser, then Pair", o.Code)
}

func extensionPair(_ context.Context, s *call.Service, _ nothing) (pairingOffer, error) {
	relay, err := s.OpenRelay()
	if err != nil {
		return pairingOffer{}, err
	}
	offer, err := relay.Pair()
	return pairingOffer{offer.Digits, offer.Until}, err
}

// A revokeRequest names a paired browser.
type revokeRequest struct {
	ID string `json:"id" doc:"id of the browser, from the list"`
}

func extensionRevoke(_ context.Context, s *call.Service, r revokeRequest) (okResult, error) {
	had, err := s.Profiles.Relay().Revoke(r.ID)
	if err == nil && !had {
		err = op.Errorf(op.NotFound, "no paired browser has the id %q", r.ID).Hinted("list them: chela extension list")
	}
	return okResult{true}, err
}

// extensionFolder is the path of the folder with the extension's files.
type extensionFolder struct {
	Path string `json:"path" doc:"the folder"`
	ID   string `json:"id" doc:"id that the extension has in every browser"`
}

// Text returns the path alone, for scripts.
func (f extensionFolder) Text() string { return f.Path }

// extensionPath writes the files of this version to the state directory.
func extensionPath(_ context.Context, s *call.Service, _ nothing) (extensionFolder, error) {
	host := nativehost.For(s.Config.State())
	err := host.Unpack(s.Config.Current().RelayPort())
	return extensionFolder{host.Folder(), files.ID()}, err
}
