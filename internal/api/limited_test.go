package api

import (
	"slices"
	"strings"
	"testing"

	"chela/internal/op"
)

// confined lists the operations that a session with limits may call. Each was reviewed: it finds
// only tabs and site data of the session, and requests only its hosts. A new operation is refused
// to such sessions until it is in this list.
const confined = `status, start, profiles, cdp, tabs, open, focus, close, tab, tab new, tab label, tab select, tab close,
	navigate, back, forward, reload, sessions, lease, snapshot, find, expect, screenshot, screenshot diff, text, pdf, highlight,
	read, render, extract, console, errors, requests, request, downloads, responsebody, har, video start, video stop,
	click, click-coords, type, insert-text, press, keydown, keyup, hover, scrollintoview, scroll, drag,
	mouse move, mouse down, mouse up, drop, select, check, uncheck, focus-element, clear, fill, login, resize, batch, evaluate, wait,
	ask, secrets, upload, download, waitfordownload, dialogs, dialog,
	cookies, cookies set, cookies set-many, cookies clear, state save, state load, permissions grant,
	storage get, storage set, storage clear`

func TestConfinedOperations(t *testing.T) {
	var want []string
	for name := range strings.SplitSeq(confined, ",") {
		want = append(want, strings.TrimSpace(name))
	}
	for _, o := range Table().Ops {
		if listed := slices.Contains(want, o.Name()); listed != o.Confined() {
			t.Errorf("%s: confined %v, listed %v", o.Name(), o.Confined(), listed)
		}
		want = slices.DeleteFunc(want, func(name string) bool { return name == o.Name() })
	}
	if len(want) > 0 {
		t.Errorf("there is no operation %q", want)
	}
	for _, o := range actTable().Ops {
		if !o.Confined() {
			t.Errorf("%s is refused in a batch, and not by itself", o.Name())
		}
	}
}

// An operation that a node does for others, and that takes no profile, concerns all profiles. It must
// leave out what its caller may not see (op.Sees), or know nothing of profiles.
func TestOperationsForAllProfiles(t *testing.T) {
	var got []string
	for _, o := range Table().Ops {
		_, takes := o.Param("profile")
		if anywhere := o.Anywhere(op.Args{"url": []byte(`"about:blank"`)}); !takes && !anywhere && !o.OnlyHere() && !o.ChangesProfiles() && !o.EndsSession() {
			got = append(got, o.Name())
		}
	}
	if want := []string{"profiles", "sessions", "secrets"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
