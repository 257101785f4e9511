package cli

import (
	"strings"
	"testing"

	"chela/internal/api"
)

// The function parse makes each token of a command line a word, a flag, or the value of a flag, and
// keeps their order. All tokens after -- are words.
func FuzzLine(f *testing.F) {
	for _, argv := range []string{"click e1", "--target-id t1 click e1", "browser type e3 -5 --submit", "open --url x -- --help", "--url=http://a help click", "--", "scroll --dy -100", "--no-such 1", "-h"} {
		f.Add(strings.ReplaceAll(argv, " ", "\x00"))
	}
	p := &Program{Table: api.Table}
	f.Fuzz(func(t *testing.T, joined string) {
		argv := strings.Split(joined, "\x00")
		l := p.parse(argv)
		tokens := 0
		for _, flag := range l.flags {
			if !looksLikeFlag(flag) {
				t.Errorf("%q: %q is no flag", argv, flag)
			}
			tokens++
		}
		if tokens+len(l.words) > len(argv) {
			t.Errorf("%q became %q and %q", argv, l.words, l.flags)
		}
		rest := argv
		for _, word := range l.words {
			for len(rest) > 0 && rest[0] != word {
				rest = rest[1:]
			}
			if len(rest) == 0 {
				t.Fatalf("%q: the words are %q", argv, l.words)
			}
			rest = rest[1:]
		}
		if cmd, args, err := find(p.root(l), l.words); err == nil && (cmd == nil || len(args) > len(l.words)) {
			t.Errorf("%q is %v with %q", argv, cmd, args)
		}
	})
}
