package api

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"chela/internal/api/call"
	"chela/internal/api/words"
	"chela/internal/op"
	"chela/internal/record/recorder"
)

// recorderRows returns the operations on what the recorder has recorded. No operation starts it: it
// is on unless the setting browser.recorder is false.
func recorderRows() []*op.Op {
	return []*op.Op{
		op.Define("GET /recorder", "recorder",
			"List what was done in the tabs: each call with its element, its effects, its error and a picture. The list is kept for a day, even if the server restarts.",
			recorded, op.Untrusted, op.NotForAgents, op.Example("--tab t1 --since 10m")),
		op.Define("POST /recorder/clear", "recorder clear", "Delete what was recorded in the tabs of a profile, and its pictures.",
			clearRecorder, op.NotForAgents, op.Says("nothing is recorded any more")),
	}
}

// A recorderRequest chooses which recorded calls are listed.
type recorderRequest struct {
	call.InProfile
	TargetID string `json:"targetId,omitempty" flag:"tab" doc:"only what was done in the tab with this id (t1), which may be closed"`
	recordingPart
	Limit int `json:"limit,omitempty" min:"1" doc:"list only the newest, at most this many"`
}

// A recordingPart says which part of a recording is wanted.
type recordingPart struct {
	Session string `json:"session,omitempty" flag:"-" doc:"only calls of the session with this key; when left out, of the session of this call, or of all sessions if this call has none"`
	Since   string `json:"since,omitempty" doc:"how far back to look: 90s, 10m or 2h"`
}

// Check refuses a text that is not a length of time.
func (p recordingPart) Check() error {
	if length, err := time.ParseDuration(p.Since); p.Since != "" && (err != nil || length <= 0) {
		return op.Errorf(op.Invalid, "since must be a length of time, such as 10m")
	}
	return nil
}

// of returns the part of a recording that is wanted. With a tab, it is only what was done in that
// tab.
func (p recordingPart) of(ctx context.Context, all recorder.Recording, tab string) recorder.Recording {
	var begin time.Time
	if length, _ := time.ParseDuration(p.Since); length > 0 { // checked by Check
		begin = time.Now().Add(-length)
	}
	session := op.Session(ctx)
	if op.SurfaceOf(ctx) == op.Dashboard { // a person looks at what agents do
		session = ""
	}
	return all.Of(cmp.Or(p.Session, session), tab, begin)
}

// recorderResult is a list of recorded calls.
type recorderResult struct {
	Entries []recordedCall `json:"entries" doc:"the calls, the oldest first"`
	keptList
}

// A recordedCall is a call in a tab.
type recordedCall struct {
	ID      string                     `json:"id" doc:"id of the entry"`
	Time    string                     `json:"time" doc:"when the call arrived"`
	Session string                     `json:"session,omitempty" doc:"session of the call"`
	Caller  string                     `json:"caller,omitempty" doc:"who made the call: the name that the caller gives itself"`
	Tab     string                     `json:"tab" doc:"handle of the tab"`
	Op      string                     `json:"op" doc:"name of the operation"`
	Title   op.PageText                `json:"title" doc:"the operation with its main arguments"`
	Part    bool                       `json:"part,omitempty" doc:"the call is an action of a batch; the entry of the batch follows those of its actions"`
	Args    map[string]json.RawMessage `json:"args,omitempty" doc:"arguments of the call; secrets, and what was typed into fields that may hold secrets, are replaced"`
	Element *recordedElement           `json:"element,omitempty" doc:"element that the call was about"`
	Effects []string                   `json:"effects,omitempty" doc:"what the call caused: changed, navigated, dialog, download, newTab, fileChooser, request"`
	URL     op.PageText                `json:"url,omitempty" doc:"address that the tab showed when the call ended"`
	Error   op.PageText                `json:"error,omitempty" doc:"text of the error; absent if the call succeeded"`
	Code    string                     `json:"code,omitempty" doc:"code of the error"`
	Ms      int64                      `json:"ms" doc:"how long the call took, in milliseconds"`
	Picture op.File                    `json:"picture,omitempty" doc:"picture of the tab after the call, a JPEG of at most 640 by 480 pixels; absent if the next call came before it was taken, or a field showed a secret"`
}

// A recordedElement is the element that a call was about.
type recordedElement struct {
	Ref  string      `json:"ref,omitempty" doc:"ref of the element; absent if the call was on the element with the focus"`
	Role string      `json:"role,omitempty" doc:"role of the element"`
	Name op.PageText `json:"name,omitempty" doc:"name of the element"`
	Box  *box        `json:"box,omitempty" doc:"where the element was in the viewport, in CSS pixels"`
}

// recorded lists what was recorded in the tabs of a profile.
func recorded(ctx context.Context, s *call.Service, r recorderRequest) (recorderResult, error) {
	p, err := s.Profiles.Named(r.Profile)
	if err != nil {
		return recorderResult{Entries: []recordedCall{}}, err
	}
	all, err := s.Recorder(p.Name).Read(ctx)
	if err != nil {
		return recorderResult{Entries: []recordedCall{}}, err
	}
	newest, kept := newest(r.of(ctx, all, r.TargetID).Entries, r.Limit, all.Dropped)
	list := make([]recordedCall, len(newest))
	for i, e := range newest {
		list[i] = recordedCall{
			e.ID, timestamp(e.Time), e.Session, e.Caller, e.Tab, e.Op, op.PageText(e.Title), e.Part, e.Args, recordedElementOf(e.Element), e.Effects,
			op.PageText(e.URL), op.PageText(e.Error), e.Code, e.Ms, recordedPicture(s.Recorder(p.Name), e.Picture),
		}
	}
	return recorderResult{list, kept}, nil
}

func recordedElementOf(e *recorder.Element) *recordedElement {
	if e == nil {
		return nil
	}
	found := recordedElement{e.Ref, e.Role, op.PageText(e.Name), nil}
	if e.Box != nil {
		found.Box = &box{e.Box.X, e.Box.Y, e.Box.Width, e.Box.Height}
	}
	return &found
}

func recordedPicture(r *recorder.Recorder, p *recorder.Picture) op.File {
	if p == nil {
		return ""
	}
	return op.File(r.Path(*p))
}

// Text returns a line for each call.
func (r recorderResult) Text() string {
	var lines []string
	for _, e := range r.Entries {
		line := fmt.Sprintf("%s %s: %s", e.Time, e.Tab, e.Title)
		if e.Part {
			line += " (in a batch)"
		}
		if e.Element != nil {
			line += " on " + strings.TrimSpace(fmt.Sprintf("%s %q", e.Element.Role, string(e.Element.Name)))
		}
		if len(e.Effects) > 0 {
			line += ": " + strings.Join(e.Effects, ", ")
		}
		line += fmt.Sprintf(" (%d ms)", e.Ms)
		if e.Code != "" {
			line += fmt.Sprintf(", failed: %s: %s", e.Code, e.Error)
		}
		lines = append(lines, words.Lines(line, words.Prefixed("  ", string(e.Picture))))
	}
	return r.inFull(lines, "Nothing is recorded.")
}

// clearRecorder removes what was recorded in a profile.
func clearRecorder(ctx context.Context, s *call.Service, r profileRequest) (call.Done, error) {
	p, err := s.Profiles.Named(r.Profile)
	if err != nil {
		return call.Done{}, err
	}
	return call.Done{}, s.Recorder(p.Name).Clear(ctx)
}
