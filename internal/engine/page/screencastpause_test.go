package page

import "testing"

// After a pause, a viewer skips the first picture if it has had the same one. A viewer that has had
// another picture gets it.
func TestFirstPictureAfterPause(t *testing.T) {
	p := &Page{screencast: screencast{number: 2, after: 2}}
	had, waits := &Viewer{page: p, last: []byte("new")}, &Viewer{page: p, last: []byte("old")}
	f := Frame{JPEG: []byte("new"), number: 2}
	if !had.pause(f) {
		t.Error("a viewer gets the same picture again")
	}
	if waits.pause(f) {
		t.Error("a viewer does not get a picture that only another one has had")
	}
}
