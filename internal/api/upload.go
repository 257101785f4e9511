package api

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"chela/internal/api/call"
	"chela/internal/api/words"
	"chela/internal/base/media"
	"chela/internal/engine/page"
	"chela/internal/op"
)

// An uploadRequest gives files to a page in one of three ways: InputRef or Element names the input,
// Ref what opens the file chooser; with neither, the files wait for the next chooser.
type uploadRequest struct {
	call.On
	op.Timeout
	call.Ending
	Paths    []op.Upload `json:"paths" doc:"files to upload, in the uploads folder"`
	Ref      *string     `json:"ref,omitempty" digits:"true" doc:"element whose click opens the file chooser"`
	InputRef *string     `json:"inputRef,omitempty" digits:"true" doc:"file input that takes the files directly"`
	Element  string      `json:"element,omitempty" doc:"CSS selector of the file input that takes the files directly" tool:"-"`
}

// Check refuses two ways at once: ref is clicked and opens a file chooser, while inputRef and
// element are the file input itself. A blank ref most likely comes from a caller that found no
// element. It is refused, since no file chooser would come for the files.
func (r uploadRequest) Check() error {
	switch {
	case len(r.Paths) == 0:
		return op.Errorf(op.Invalid, "paths are required")
	case r.Ref != nil && *r.Ref == "":
		return op.Errorf(op.Invalid, "ref must not be blank").Hinted("leave it out to have the files wait for the next file chooser")
	case r.InputRef != nil && *r.InputRef == "":
		return op.Errorf(op.Invalid, "inputRef must not be blank").Hinted("leave it out to have the files wait for the next file chooser")
	case r.Ref != nil && (r.InputRef != nil || r.Element != ""):
		return op.Errorf(op.Invalid, "ref cannot be combined with inputRef/element")
	case r.InputRef != nil && r.Element != "":
		return op.Errorf(op.Invalid, "inputRef cannot be combined with element")
	}
	return nil
}

// uploadResult says what was done with the files.
type uploadResult struct {
	OK    bool `json:"ok" doc:"always true"`
	Files int  `json:"files" doc:"how many files the page gets"`
	Armed bool `json:"armed,omitempty" doc:"the files wait for the page's next file chooser"`

	Replaced int `json:"replaced,omitempty" doc:"with armed: how many files waited before, and were dropped"`
	call.Blocked
	call.PageState
}

// Text says what was done.
func (u uploadResult) Text() string {
	if u.Armed {
		dropped := words.If(u.Replaced > 0, fmt.Sprintf("%d file(s) that waited before were dropped", u.Replaced))
		return words.Lines(fmt.Sprintf("upload armed for %d file(s)\nno file chooser is open: the next one gets them", u.Files), dropped)
	}
	return words.Lines(fmt.Sprintf("uploaded %d file(s)", u.Files), u.PageState.Words())
}

// AfterDialog says how to upload the files later: a page with an open dialog takes none. If the page
// has opened the dialog because of the files, it has them, and nothing is missing.
func (u uploadResult) AfterDialog(page.Dialog) string {
	if u.OK {
		return ""
	}
	return "answer the dialog, then call again"
}

// upload gives files to a page: at once to an input, or to the file chooser that a click opens, or
// to the next one. The page gets copies: it reads a file when it wants to, and the caller's may
// have been changed or removed by then.
func upload(ctx context.Context, s *call.Service, r uploadRequest) (uploadResult, error) {
	staged, err := stageFiles(s, r.Paths)
	if err != nil {
		return uploadResult{}, err
	}
	t, _, err := s.Turn(ctx, r.Want())
	if err != nil {
		staged.Remove()
		return uploadResult{}, err
	}
	begun := t.Page.Collect(ctx)
	defer begun.End()
	done, err := give(ctx, t, r, staged)
	if done.OK && !done.Armed {
		staged.HandedOver()
	}
	if err == nil && !done.Armed {
		done.PageState = t.Afterwards(ctx, r.Following(), begun)
	}
	answer, err := t.End(ctx, done, err)
	if done.Blocked = answer.Blocked; !done.BlockedByDialog && !done.Armed {
		done.Blocked = t.Blocking() // a dialog has opened while the page settled
	}
	return done, err
}

// give gives staged files to a page at once, or keeps them for the next file chooser. The page may
// have the files even if there is an error, such as a dialog that it has opened for them. OK of the
// result is true then.
func give(ctx context.Context, t *call.Turn, r uploadRequest, staged *media.Staged) (done uploadResult, err error) {
	discard := func(taken bool) { removeStaged(t.Page, staged, taken) }
	done.Files = len(staged.Paths)
	if err := t.Page.CheckFiles(staged.Paths); err != nil {
		discard(false)
		return done, err
	}
	switch {
	case r.InputRef != nil || r.Element != "":
		err = t.Hold(ctx, r.Want(), func(ctx context.Context) error {
			t.ReadBefore(ctx, r.Following())
			return setFiles(ctx, t.Page, r, staged.Paths)
		})
		done.OK = hasFiles(err)
		go discard(done.OK)
		return done, err
	case r.Ref != nil:
		done.OK, err = chooseFiles(ctx, t, r, staged.Paths, discard)
		return done, err
	}
	u := t.Page.ArmUpload(staged.Paths, armedFor(r.TimeoutMs), func(taken bool) {
		if taken {
			staged.HandedOver()
		}
		discard(taken)
	})
	done.OK, done.Armed, done.Replaced = true, true, u.Replaced
	return done, nil
}

// hasFiles reports whether a page has the files that it was given, from the error of giving them.
func hasFiles(err error) bool { return err == nil || errors.Is(err, page.ErrSent) }

// setFiles gives the files to an input.
func setFiles(ctx context.Context, p *page.Page, r uploadRequest, paths []string) (err error) {
	var el *page.Element
	if r.InputRef != nil {
		el, err = p.Element(ctx, *r.InputRef)
	} else {
		el, err = p.Match(ctx, r.Element)
	}
	if err != nil {
		return err
	}
	return el.SetFiles(ctx, paths)
}

// chooseFiles clicks the element that opens a file chooser, and waits until the chooser has the
// files. The files are armed (kept for the next chooser) before the click. So Chromium opens no
// file dialog of the operating system, in which nobody could choose. When armed files were used or
// disarmed, the function over is called, which removes them. If they were never armed, chooseFiles
// calls over itself.
func chooseFiles(ctx context.Context, t *call.Turn, r uploadRequest, paths []string, over func(taken bool)) (taken bool, err error) {
	armed := false
	err = t.Hold(ctx, r.Want(), func(ctx context.Context) error {
		t.ReadBefore(ctx, r.Following())
		el, err := t.Page.Element(ctx, *r.Ref)
		if err != nil {
			return err
		}
		begun := t.Page.Collect(ctx)
		defer begun.End()
		u := t.Page.ArmUpload(paths, 2*maxArmed, over) // longer than any call
		armed = true
		defer u.Disarm()
		doubt, err := clickToBegin(ctx, el)
		if err != nil {
			return err
		}
		op.Progress(ctx, 1, 2, "waiting for the file chooser")
		err = awaitBegun(ctx, t.Page, begun, u.Wait)
		taken = hasFiles(err)
		if !taken && (errors.Is(err, op.ErrDeadline) || errors.Is(err, page.ErrNothingBegan)) {
			err = nothingCame(err, fmt.Sprintf("the click on %q opened no file chooser", *r.Ref), doubt, begun).
				Hinted("use the ref of what opens it, or inputRef for the input itself")
		}
		return call.AfterInput(err)
	})
	if !armed {
		over(false)
	}
	return taken, err
}

// clickTime is how long a call waits until an element can be clicked.
const clickTime = 8 * time.Second

// clickToBegin clicks an element that begins something slow, such as a download. The click itself
// has the deadline of a usual click. The result doubt says why the click may have done nothing, see
// [page.Click].
func clickToBegin(ctx context.Context, el *page.Element) (doubt, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, clickTime, op.ErrDeadline)
	defer cancel()
	err = el.Click(ctx, page.Click{Doubt: func(err error) { doubt = err }})
	return doubt, err
}

// awaitBegun waits for what a click should begin, see [page.Page.Expect]. If nothing came because the
// network policy refused the address that the click led to, it returns the [*guard.Refused].
func awaitBegun(ctx context.Context, p *page.Page, begun *page.Effects, wait func(context.Context) error) error {
	err := p.Expect(ctx, begun, wait)
	if errors.Is(err, op.ErrDeadline) || errors.Is(err, page.ErrNothingBegan) {
		if refused := begun.TakeRefusal(); refused != nil {
			return refused
		}
	}
	return err
}

// nothingCame returns the error of an act that did not begin what the caller waits for. If the
// click may not have reached its element (doubt), it says so. It lists what the act began instead.
func nothingCame(why error, what string, doubt error, begun *page.Effects) *op.Error {
	what += reasonOf(doubt)
	if effects := begun.Begun(); len(effects) > 0 {
		what += "; it began: " + strings.Join(effects, ", ")
	}
	if errors.Is(why, op.ErrDeadline) {
		return op.Errorf(op.Deadline, "%s", what)
	}
	return op.Errorf(op.ActFailed, "%s", what)
}

// reasonOf returns why a click may have done nothing, as the end of a message; "" if doubt is nil.
func reasonOf(doubt error) string {
	if doubt == nil {
		return ""
	}
	return ": " + string(op.AsError(call.Explain(doubt)).Message)
}
