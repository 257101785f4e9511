package page

import (
	"context"
	"time"

	"chela/internal/engine/frame"
	"chela/internal/reading/snapshot"
)

// SnapshotOfFilled is like Snapshot for a page that has just come. If the snapshot has no line, and
// a script may still fill the page, it waits for a line. That is so when an application starts: it
// loads data or compiles code, and shows nothing yet. It waits for a limited time (most), and for at
// most half of the time that the call has left. Then it returns the empty snapshot.
func (p *Page) SnapshotOfFilled(ctx context.Context, v View, most time.Duration) (snapshot.Snapshot, error) {
	s, err := p.Snapshot(ctx, v)
	if err != nil || most == 0 || !s.IsBlank() || !p.mayFill(ctx) {
		return s, err
	}
	limited, cancel := context.WithTimeout(ctx, min(most, remaining(ctx)/2))
	defer cancel()
	for err == nil && s.IsBlank() && limited.Err() == nil {
		s, err = p.snapshotAfterChange(ctx, limited, v)
	}
	return s, err
}

// snapshotAfterChange waits until the page changes and is quiet again, at most until limited ends.
// Then it reads the page. The page is watched before it is read a first time, so that no change
// between that reading and the wait is missed.
func (p *Page) snapshotAfterChange(ctx, limited context.Context, v View) (snapshot.Snapshot, error) {
	e := p.Collect(limited)
	defer e.End()
	e.AwaitLater()
	p.watchChanges(limited)
	if s, err := p.Snapshot(ctx, v); err != nil || !s.IsBlank() {
		return s, err
	}
	if p.awaitLater(limited) == nil {
		quiet, cancel := context.WithTimeout(limited, fillingTime)
		defer cancel()
		e.awaitQuiet(quiet, quietTime)
	}
	return p.Snapshot(ctx, v)
}

// fillingTime limits how long a page that has begun to change may take to become quiet.
const fillingTime = time.Second

// mayFill reports whether a script may bring the first content of the page's document.
func (p *Page) mayFill(ctx context.Context) bool {
	w, err := p.worldOf(ctx, p.main())
	if err != nil {
		return false
	}
	may, err := frame.Call[bool](ctx, w, "mayFill")
	return err == nil && may
}
