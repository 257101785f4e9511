package secret

import (
	"strings"
	"sync"
	"time"
)

// shortest is the number of characters from which on a value is hidden. Shorter ones stand in too
// many other texts.
const shortest = 8

// known are the values that are in use in this process. It is one for the whole process, as every
// writer must know every value: a log does not ask whose call it is about.
var known struct {
	sync.RWMutex
	values map[string]string // by value: the name
	until  map[string]time.Time
}

// Know has a value hidden from now on, in all that this process writes. Names of users and values
// of fewer than 8 characters are not hidden.
func Know(name, value string) {
	if !IsUserName(name) && len([]rune(value)) >= shortest {
		KnowUntil(name, value, time.Time{})
	}
}

// KnowUntil has a one-time code hidden while it is valid, however short it is.
func KnowUntil(name, code string, end time.Time) {
	known.Lock()
	defer known.Unlock()
	if known.values == nil {
		known.values, known.until = map[string]string{}, map[string]time.Time{}
	}
	known.values[code], known.until[code] = name, end
}

// Mask returns text in which «secret:name» stands for each value that is in use.
func Mask(text string) string {
	known.RLock()
	defer known.RUnlock()
	for value, name := range known.values {
		if end := known.until[value]; end.IsZero() || time.Now().Before(end) {
			text = strings.ReplaceAll(text, value, "«"+prefix+name+"»")
		}
	}
	return text
}
