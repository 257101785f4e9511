package op

import (
	"strings"
	"testing"
)

func TestSession(t *testing.T) {
	for key, ok := range map[string]bool{
		"a": true, "agent:main:7": true, "claude#X7/é": false, "": false, "a b": false, "a\nb": false, "a\x7f": false,
		strings.Repeat("x", 128): true, strings.Repeat("x", 129): false, Person: false, "persons": true,
	} {
		if err := CheckSession(key); (err == nil) != ok {
			t.Errorf("%q: %v", key, err)
		}
	}
	for name, want := range map[string]string{"claude#X7": "claude#X7", "Zoë's agent#1": "Zo_'s_agent#1", strings.Repeat("x", 200) + "#1": strings.Repeat("x", 126) + "#1", "person": "person_"} {
		if got := SessionOf(name); got != want || CheckSession(got) != nil {
			t.Errorf("%q became %q", name, got)
		}
	}
	ctx := WithSession(t.Context(), "a")
	if Session(t.Context()) != "" || Session(ctx) != "a" || Session(WithSession(ctx, "")) != "" || Caller(ctx) != "" {
		t.Error("a context has another session than it was given")
	}
}
