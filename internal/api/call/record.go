package call

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"chela/internal/engine/journal"
	"chela/internal/engine/keys"
	"chela/internal/engine/page"
	"chela/internal/engine/profile"
	"chela/internal/op"
	"chela/internal/record/recorder"
	"chela/internal/wall/excerpt"
)

// recorderOf returns the recorder of a profile; nil if nothing is recorded.
func (s *Service) recorderOf(p *profile.Profile) *recorder.Recorder {
	if s.alone || !s.Config.Current().Browser.Recorder {
		return nil
	}
	return s.Recorder(p.Name)
}

// Recorder returns the recorder of a profile, even if the settings have switched recording off.
func (s *Service) Recorder(profile string) *recorder.Recorder {
	return s.Recorders.Of(profile, s.Config.State().ProfileFile(profile, "recorder"))
}

// allRecorders returns the recorders of all profiles in the configuration.
func (s *Service) allRecorders() (all []*recorder.Recorder) {
	for _, name := range s.Config.Current().Browser.ProfileNames() {
		all = append(all, s.Recorder(name))
	}
	return all
}

// recordLocked records the call. If the tab may look different, a picture of it follows.
func (n *note) recordLocked(ctx context.Context, answer json.RawMessage, err error) {
	tab, records := n.tab.Info(), n.records
	shown := n.shownArgsLocked()
	e := recorder.Entry{
		Time: n.began, Session: op.Session(ctx), Caller: op.Caller(ctx), Tab: tab.ID, Op: n.op.Name(), Part: n.part,
		Title: tracedCall(n.op, shown, false).Title, Args: shown, Element: elementOf(n.subjects),
		URL: excerpt.Of(journal.WithoutURLSecrets(tab.URL), maxRecorded),
		Ms:  time.Since(n.began).Milliseconds(), Chars: utf8.RuneCount(answer),
	}
	if err != nil {
		failed := op.AsError(err)
		e.Code, e.Error = string(failed.Code), n.errorTextLocked(string(failed.Message))
	}
	followed := followedBy(answer)
	e.Effects = followed.Effects
	for _, event := range followed.events(tab.ID, time.Now()) {
		records.AddEvent(event)
	}
	id := records.Add(e)
	camera := &n.service.Recorders.Camera
	if n.changes {
		camera.Shoot(n.tab, func(p recorder.Picture, jpeg []byte) { records.AddPicture(id, p, jpeg) })
	} else {
		camera.Resume(n.tab)
	}
}

// elementOf returns the first element that a call was about, or nil.
func elementOf(subjects []page.Subject) *recorder.Element {
	if len(subjects) == 0 {
		return nil
	}
	s := subjects[0]
	e := &recorder.Element{Ref: s.Ref, Role: s.Role, Name: s.Name}
	if s.Box != nil {
		e.Box = &recorder.Box{X: s.Box.X, Y: s.Box.Y, Width: s.Box.Width, Height: s.Box.Height}
	}
	return e
}

// maxRecorded limits the text of one argument, in bytes, and of an address, in characters.
const maxRecorded = 1000

// shownArgsLocked returns the arguments of the call without secrets. Text that goes into a field is
// recorded only if the field is known to hold no secret. If the call failed before the page script
// saw the field, that is not known, and the text is left out.
func (n *note) shownArgsLocked() op.Args {
	shown := op.Args{}
	for name, raw := range n.args {
		p, _ := n.op.Param(name)
		switch {
		case p.Entered == "actions":
			continue // each action has an entry of its own
		case p.Secret:
			raw = quoted(journal.Secret)
		case p.Entered == "key" && !typesText(textOf(raw)):
		case p.Entered != "":
			raw = n.enteredLocked(raw)
		default:
			raw = withoutAddressSecrets(raw)
		}
		if len(raw) > maxRecorded {
			raw = quoted(strings.ToValidUTF8(string(raw[:maxRecorded]), "") + "…")
		}
		shown[name] = raw
	}
	return shown
}

// typesText reports whether keys type text, or may do so. A name that belongs to no key may be a
// secret that was given in the wrong place.
func typesText(names string) bool {
	chord, err := keys.Parse(names)
	return err != nil || chord.TypesText()
}

// enteredLocked returns what was entered: a text, or a list of fields with their values. Texts for
// fields that may hold secrets are replaced.
func (n *note) enteredLocked(raw json.RawMessage) json.RawMessage {
	var fields []map[string]any
	if json.Unmarshal(raw, &fields) != nil {
		if n.isPlainLocked(func(page.Subject) bool { return true }) {
			return raw
		}
		return quoted(journal.Secret)
	}
	for _, field := range fields {
		ref, ok := page.ParseRef(fmt.Sprint(field["ref"]))
		if isPlain := ok && n.isPlainLocked(func(s page.Subject) bool { return s.Ref == ref.String() }); isPlain {
			continue
		}
		switch field["value"].(type) {
		case nil, bool: // whether a box is checked
		default: // a text, or a number such as a PIN
			field["value"] = journal.Secret
		}
	}
	shown, err := json.Marshal(fields)
	if err != nil {
		return quoted(journal.Secret)
	}
	return shown
}

// isPlainLocked looks only at those elements of the call for which the given function returns true.
// It reports whether there are such elements, and all of them are fields for text that hold no
// secret.
func (n *note) isPlainLocked(of func(page.Subject) bool) bool {
	some := false
	for _, s := range n.subjects {
		if of(s) {
			some = true
			if s.Secret || !s.Text || slices.ContainsFunc(s.Names, journal.IsSecretName) {
				return false
			}
		}
	}
	return some
}

// errorTextLocked returns the text of an error. If the call has entered text that may be a secret,
// the error may quote that text. Then a note is returned in place of the error.
func (n *note) errorTextLocked(message string) string {
	for name, raw := range n.args {
		p, _ := n.op.Param(name)
		if p.Entered != "" && !bytes.Equal(n.enteredLocked(raw), raw) && !(p.Entered == "key" && !typesText(textOf(raw))) {
			return "the error is not recorded, since it may name what was entered"
		}
	}
	return excerpt.Of(journal.TextWithoutSecrets(message), maxRecorded)
}

// withoutAddressSecrets replaces the secrets in an argument that is an address, or has addresses. A
// text without spaces may be a pattern of addresses, which need not begin with a scheme.
func withoutAddressSecrets(raw json.RawMessage) json.RawMessage {
	var text string
	switch {
	case json.Unmarshal(raw, &text) != nil:
		return raw
	case strings.ContainsAny(text, " \t\n"):
		return quoted(journal.TextWithoutSecrets(text))
	}
	return quoted(journal.WithoutURLSecrets(text))
}

// An aftermathSeen has the fields of an act's answer that say what followed from the act.
type aftermathSeen struct {
	Effects      []string
	NewTabs      []struct{ TabID, URL string }
	Downloads    []struct{ SuggestedFilename, URL string }
	BrowserState struct {
		Dialogs struct {
			Pending []struct{ Type, Message string }
		}
	}
}

// followedBy reads what followed from a call out of its answer.
func followedBy(answer json.RawMessage) (seen aftermathSeen) {
	if bytes.Contains(answer, []byte(`"effects"`)) || bytes.Contains(answer, []byte(`"browserState"`)) {
		json.Unmarshal(answer, &seen)
	}
	return seen
}

// events returns what followed as events of a tab.
func (a aftermathSeen) events(tab string, now time.Time) (all []recorder.Event) {
	add := func(kind, text, url string) {
		all = append(all, recorder.Event{Time: now, Tab: tab, Kind: kind, Text: excerpt.Of(text, maxRecorded), URL: excerpt.Of(journal.WithoutURLSecrets(url), maxRecorded)})
	}
	for _, d := range a.BrowserState.Dialogs.Pending {
		add(recorder.Dialog, d.Type+": "+d.Message, "")
	}
	for _, d := range a.Downloads {
		add(recorder.Download, d.SuggestedFilename, d.URL)
	}
	for _, t := range a.NewTabs {
		add(recorder.NewTab, t.TabID, t.URL)
	}
	return all
}
