package call

import (
	"crypto/sha256"
	"sync"

	"chela/internal/engine/page"
)

// Pictures has the last screenshots that were saved, so that later ones can be compared with them.
// The zero value has none.
type Pictures struct {
	mu   sync.Mutex // guards the rest
	kept []keptPicture
}

// maxPictures limits how many screenshots are remembered.
const maxPictures = 200

// PictureOf says what a screenshot shows.
type PictureOf struct {
	Profile, Tab string // names of the profile and of the tab (t1)
	View         string // which part of the page is shown, and how
}

// A SavedPicture is the file of a screenshot.
type SavedPicture struct {
	Path string
	Sum  [sha256.Size]byte // hash of the file's content, since a caller may send a copy of the file
	Area page.Area         // the part of the page that the screenshot shows
	Per  float64           // how many of its pixels one CSS pixel has
}

type keptPicture struct {
	PictureOf
	SavedPicture
}

// Add remembers a screenshot. If there are too many, it forgets the oldest.
func (p *Pictures) Add(of PictureOf, saved SavedPicture) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.kept = append(p.kept[max(0, len(p.kept)-maxPictures+1):], keptPicture{of, saved})
}

// Last returns the path of the last screenshot of the same view of a tab; "" if there is none.
func (p *Pictures) Last(of PictureOf) (path string) {
	p.find(func(k keptPicture) bool { return k.PictureOf == of }, func(k keptPicture) { path = k.Path })
	return path
}

// With returns the last screenshot with this content, or false.
func (p *Pictures) With(sum [sha256.Size]byte) (of PictureOf, saved SavedPicture, ok bool) {
	p.find(func(k keptPicture) bool { return k.Sum == sum }, func(k keptPicture) { of, saved, ok = k.PictureOf, k.SavedPicture, true })
	return of, saved, ok
}

// find looks for the latest screenshot for which the function wanted returns true, and calls the
// function take with it.
func (p *Pictures) find(wanted func(keptPicture) bool, take func(keptPicture)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := len(p.kept) - 1; i >= 0; i-- {
		if wanted(p.kept[i]) {
			take(p.kept[i])
			return
		}
	}
}
