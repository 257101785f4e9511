package page

import (
	"errors"
	"slices"
	"testing"

	protocol "github.com/chromedp/cdproto/cdp"
)

// The name of an attribute may be the value of another one.
func TestAttributesOfAChooser(t *testing.T) {
	n := &protocol.Node{Attributes: []string{"type", "file", "name", "multiple", "disabled", ""}}
	for name, want := range map[string]bool{"name": true, "disabled": true, "multiple": false, "file": false} {
		if got := hasAttribute(n, name); got != want {
			t.Errorf("%s: got %v", name, got)
		}
	}
}

// Each row is what an input takes of the files that it is given.
func TestAccepted(t *testing.T) {
	one, two, apart := []string{"/in/a.txt"}, []string{"/in/a.txt", "/in/b.txt"}, []string{"/in/1/a.txt", "/in/2/a.txt"}
	for _, s := range []struct {
		name             string
		paths            []string
		multiple, folder bool
		want             []string
		err              error
	}{
		{"one into one", one, false, false, one, nil},
		{"two into one", two, false, false, nil, ErrOneFile},
		{"two into several", two, true, false, two, nil},
		{"of one name into several", apart, true, false, apart, nil},
		{"into a folder", two, true, true, []string{"/in"}, nil},
		{"of one name into a folder", apart, true, true, nil, ErrSameNames},
	} {
		got, err := acceptedPaths(s.paths, s.multiple, s.folder)
		if !slices.Equal(got, s.want) || !errors.Is(err, s.err) {
			t.Errorf("%s: got %q, %v, want %q, %v", s.name, got, err, s.want, s.err)
		}
	}
}
