package page

import (
	"context"
	"maps"

	"chela/internal/reading/snapshot"
)

// Find returns the first lines of the page that match a query. See [snapshot.Find]. Each match has
// a ref, even if a snapshot would give it none. For hidden see [View]. Errors are the same as for
// Snapshot.
func (p *Page) Find(ctx context.Context, q snapshot.Query, hidden string, limit, maxChars int) (snapshot.Found, error) {
	tree, err := p.tree(ctx, View{Options: snapshot.Options{AllRefs: true}, Hidden: hidden})
	if err != nil {
		return snapshot.Found{}, err
	}
	found := snapshot.Find(tree, q, limit, maxChars)
	p.noteRefs(found.Matches)
	return found, nil
}

// noteRefs keeps the refs of what was found with the refs of the last snapshot.
func (p *Page) noteRefs(matches []snapshot.Match) {
	p.mu.Lock()
	defer p.mu.Unlock()
	refs := maps.Clone(p.lastSnapshot.refs) // the last snapshot's answer may be in use
	if refs == nil {
		refs = map[string]snapshot.Ref{}
	}
	for _, m := range matches {
		if _, known := refs[m.Ref]; !known {
			refs[m.Ref] = m.Is
		}
	}
	p.lastSnapshot.refs = refs
}
