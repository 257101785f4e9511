package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	files "chela/extension"
	"chela/internal/api/call"
	"chela/internal/engine/adminpolicy"
	"chela/internal/engine/endpoint"
	"chela/internal/engine/extension"
	"chela/internal/engine/nativehost"
	"chela/internal/op"
)

// extension adds the checks of the user's browser with chela's extension in it. They are about the
// way from the extension to the relay's port, the way back to each paired browser, and what is
// installed.
func (h *Report) extension(ctx context.Context, s *call.Service) {
	h.relayPort(ctx, s)
	h.pairedBrowsers(ctx, s.Profiles.Relay())
	host := nativehost.For(s.Config.State())
	h.extensionCopy(host, s.Config.Current().RelayPort())
	h.extensionHost(host)
	h.bans(adminpolicy.Bans(adminpolicy.Extension{ID: files.ID(), Permissions: files.Permissions(), Host: host.Name}))
}

// relayPort connects to the relay as the extension does.
func (h *Report) relayPort(ctx context.Context, s *call.Service) {
	const id, label = "extension-relay", "Extension relay"
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	relay, err := s.OpenRelay()
	var address string
	if err == nil {
		address, err = relay.Reach(ctx)
	}
	if errors.Is(err, extension.ErrOtherProgram) {
		err = op.Errorf(op.Conflict, "another program answers at %s", address).Hinted("end that program, or set gateway.relayPort")
	}
	if err != nil {
		h.add(id, label, false, "", err.Error(), op.HintOf(err))
		return
	}
	h.note(id, label, "pass", "chela answers at "+address+", which the extension dials")
}

// pairedBrowsers adds a check that asks each connected browser for an answer. If some of several
// browsers are not connected, that is not a fault.
func (h *Report) pairedBrowsers(ctx context.Context, relay *extension.Relay) {
	const id, label = "extension-browser", "Browsers with the extension"
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	var answer, away []string
	for _, b := range relay.Browsers() {
		took, err := relay.Ping(ctx, b.ID)
		if err != nil {
			away = append(away, b.Name)
			continue
		}
		answer = append(answer, fmt.Sprintf("%s answers in %s, %d shared tab(s)", b.Name, took.Round(100*time.Microsecond), b.SharedTabs))
	}
	switch {
	case len(answer) > 0:
		if !h.Status.Running { // no tab was used yet
			h.Status.AddAnswer(endpoint.Version{})
		}
		h.note(id, label, "pass", strings.Join(answer, "; "))
	case len(away) > 0:
		h.add(id, label, false, "", "paired, and not connected: "+strings.Join(away, ", "), call.StartWithExtension)
	default:
		h.add(id, label, false, "", extension.ErrUnpaired.Error(), call.PairBrowser)
	}
}

// extensionCopy adds a check of the folder from which browsers load the extension. It tells whether
// the folder has the files of this version.
func (h *Report) extensionCopy(host nativehost.Host, port int) {
	const id, label = "extension-copy", "Unpacked extension"
	switch host.Copy(port) {
	case nativehost.SameCopy:
		h.note(id, label, "pass", host.Folder()+" is of this version")
	case nativehost.NoCopy:
		h.note(id, label, "info", "chela has unpacked none").FixHint = "run: chela extension install"
	default:
		h.note(id, label, "warn", host.Folder()+" is of another version of chela, or was changed").FixHint =
			"run: chela extension install, then press the extension's reload button at chrome://extensions"
	}
}

// extensionHost adds a check of the program by which browsers pair without digits (the native
// messaging host). If it is not installed, people type six digits.
func (h *Report) extensionHost(host nativehost.Host) {
	const id, label = "extension-host", "Pairing without digits"
	is := host.Installed()
	if len(is.Places) == 0 {
		h.note(id, label, "info", "not installed: a browser is paired by six digits").FixHint = "run: chela extension install"
		return
	}
	var names, gone []string
	for _, place := range is.Places {
		if host.Has(place) {
			names = append(names, place.Browser)
		} else {
			gone = append(gone, place.Browser)
		}
	}
	program := is.Command[0]
	_, err := os.Stat(program)
	h.add(id, label, err == nil && len(gone) == 0, "installed for "+strings.Join(names, ", "),
		wrongHost(program, err, gone), "run: chela extension install, or chela extension uninstall")
}

func wrongHost(program string, err error, gone []string) string {
	if err != nil {
		return "browsers are to start " + program + ", which is not there"
	}
	return "what was installed is gone or was changed, for " + strings.Join(gone, ", ")
}

// bans adds a warning for each thing that the administrator of the machine forbids. It is no
// failure, since it may be about a browser that the user does not use.
func (h *Report) bans(all []adminpolicy.Ban) {
	const id, label = "extension-policy", "Policies of the machine"
	for _, ban := range all {
		h.note(id, label, "warn", ban.String()).FixHint = "ask who administers the machine, or use another browser"
	}
	if len(all) == 0 {
		h.note(id, label, "pass", "none that is known forbids the extension")
	}
}
