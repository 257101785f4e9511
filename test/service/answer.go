package service

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"
)

// An Answer is an answer of the server.
type Answer struct {
	Status int
	Raw    string
	Took   time.Duration // from the request to the end of the answer

	fields any
}

// Get returns the value at a path of the answer, such as "downloads.0.path", or nil if there is
// none.
func (a Answer) Get(path string) any {
	v, _ := a.Lookup(path)
	return v
}

// Lookup does the same as Get, and also distinguishes null from a missing value.
func (a Answer) Lookup(path string) (value any, ok bool) {
	at := a.fields
	for step := range strings.SplitSeq(path, ".") {
		switch v := at.(type) {
		case map[string]any:
			if at, ok = v[step]; !ok {
				return nil, false
			}
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i >= len(v) {
				return nil, false
			}
			at = v[i]
		default:
			return nil, false
		}
	}
	return at, true
}

// Text returns the value at a path as text, or "" if there is none.
func (a Answer) Text(path string) string {
	switch v := a.Get(path).(type) {
	case nil:
		return ""
	case []any:
		words := make([]string, len(v))
		for i, each := range v {
			words[i] = fmt.Sprint(each)
		}
		return strings.Join(words, " ")
	default:
		return fmt.Sprint(v)
	}
}

// Count returns the number of entries in the list at a path.
func (a Answer) Count(path string) int {
	list, _ := a.Get(path).([]any)
	return len(list)
}

// Has reports an error if the answer has another value at a path.
func (a Answer) Has(t testing.TB, path, want string) {
	t.Helper()
	if got := a.Text(path); got != want {
		t.Errorf("%s is %q, want %q: %s", path, got, want, a.Raw)
	}
}

// Fails checks that an answer is this error. The parameter message may be a part of the error's
// text.
func (a Answer) Fails(t testing.TB, status int, code, message string) {
	t.Helper()
	if a.Status != status || a.Text("code") != code || !strings.Contains(a.Text("error"), message) {
		t.Errorf("got  %d %s\nwant %d %s %q", a.Status, a.Raw, status, code, message)
	}
}
