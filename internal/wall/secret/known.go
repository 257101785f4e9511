package secret

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// shortest is the least number of characters of a value that is hidden. Shorter values occur by
// chance in too many texts.
const shortest = 8

// inUse has the values that are in use in this process. There is one for the whole process, because
// every writer must hide every value: a log mixes lines about many calls.
var inUse known

// Know makes this process hide a value in everything that it writes from now on. Names of users and
// values of fewer than 8 characters are not hidden.
func Know(name, value string) {
	if !IsUserName(name) && len([]rune(value)) >= shortest {
		inUse.add(name, value, time.Time{})
	}
}

// KnowUntil makes this process hide a one-time code until end, however short the code is.
func KnowUntil(name, code string, end time.Time) {
	if code != "" {
		inUse.add(name, code, end)
	}
}

// A value is a text that must be hidden.
type value struct {
	name, text string
	end        time.Time // when a one-time code ceases to be hidden; zero: the value is hidden for ever
	forms      []*form
}

func (v *value) hasEnded(now time.Time) bool { return !v.end.IsZero() && !now.Before(v.end) }

// known has the values to hide, and the masker for them. To mask a text takes no lock, and does not
// wait while a new masker is made.
type known struct {
	current atomic.Pointer[masker] // nil: no value is in use

	mu     sync.Mutex // guards the rest
	values []*value
}

// add adds a value. When it returns, the value is hidden. If the value is there already, the later
// of the two ends counts. Codes whose end has passed are removed.
func (k *known) add(name, text string, end time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for i, v := range k.values {
		if v.text != text {
			continue
		}
		if v.end.IsZero() || !end.IsZero() && !end.After(v.end) {
			return
		}
		k.values = slices.Delete(k.values, i, i+1)
		break
	}
	v := &value{name: name, text: text, end: end}
	v.forms = formsOf(v)
	k.values = append(k.values, v)
	k.buildLocked()
}

func (k *known) buildLocked() {
	now := time.Now()
	k.values = slices.DeleteFunc(k.values, func(v *value) bool { return v.hasEnded(now) })
	k.current.Store(newMasker(k.values))
}

// masker returns the masker of the values in use; nil if there are none.
func (k *known) masker() *masker {
	m := k.current.Load()
	if m == nil || m.end.IsZero() || time.Now().Before(m.end) {
		return m
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.current.Load() == m {
		k.buildLocked()
	}
	return k.current.Load()
}
