package service

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"
)

// An Answer is what the server said.
type Answer struct {
	Status int
	Raw    string
	Took   time.Duration // from the request to the end of the answer

	fields any
}

// Get returns what stands at a path of the answer, such as "downloads.0.path"; nil if nothing does.
func (a Answer) Get(path string) any {
	v, _ := a.Lookup(path)
	return v
}

// Lookup is Get that distinguishes null from nothing.
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

// Text is what stands at a path, as text; "" if nothing does.
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

// Count is how many entries the list at a path has.
func (a Answer) Count(path string) int {
	list, _ := a.Get(path).([]any)
	return len(list)
}

// Has reports an answer in which something else stands at a path.
func (a Answer) Has(t testing.TB, path, want string) {
	t.Helper()
	if got := a.Text(path); got != want {
		t.Errorf("%s is %q, want %q: %s", path, got, want, a.Raw)
	}
}

// Fails checks that an answer is this failure. The message may be a part of the error's text.
func (a Answer) Fails(t testing.TB, status int, code, message string) {
	t.Helper()
	if a.Status != status || a.Text("code") != code || !strings.Contains(a.Text("error"), message) {
		t.Errorf("got  %d %s\nwant %d %s %q", a.Status, a.Raw, status, code, message)
	}
}
