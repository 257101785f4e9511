package page

import (
	"slices"
	"testing"
	"time"
)

// Effects are listed in the order in which they first began.
func TestEffectsInOrder(t *testing.T) {
	p := &Page{collecting: map[*Effects]struct{}{}}
	early, late := &Effects{page: p, begun: map[string]time.Time{}}, &Effects{page: p, begun: map[string]time.Time{}}
	began := time.Now()
	p.collecting[early] = struct{}{}
	p.recordLocked(Request, began)
	p.collecting[late] = struct{}{}
	p.recordLocked(Navigated, began.Add(3*time.Millisecond))
	p.recordLocked(Request, began.Add(4*time.Millisecond))
	p.recordLocked(Changed, began.Add(2*time.Millisecond)) // the page reports its change after Chromium reports the navigation
	p.recordLocked(NewTab, began.Add(3*time.Millisecond))
	if got, want := early.Begun(), []string{Request, Changed, Navigated, NewTab}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := late.Begun(), []string{Changed, Navigated, NewTab, Request}; !slices.Equal(got, want) {
		t.Errorf("collected later: got %q, want %q", got, want)
	}
	late.End()
	p.recordLocked(Download, began)
	if got := late.Begun(); slices.Contains(got, Download) {
		t.Errorf("after the end: got %q", got)
	}
	if got := (&Effects{page: p}).Begun(); got == nil || len(got) != 0 {
		t.Errorf("of nothing: got %#v, want an empty list", got)
	}
}

// Documents know times in whole milliseconds only. A change after a dialog is listed after it all
// the same.
func TestChangeAfterADialog(t *testing.T) {
	p := &Page{collecting: map[*Effects]struct{}{}}
	e := &Effects{page: p, begun: map[string]time.Time{}}
	p.collecting[e] = struct{}{}
	opened := time.UnixMilli(1000).Add(300 * time.Microsecond)
	p.recordLocked(DialogOpened, opened)
	p.recordLocked(Request, opened.Add(2*time.Millisecond))
	p.recordChangedLocked(time.UnixMilli(1000))
	if got, want := e.Begun(), []string{DialogOpened, Changed, Request}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
