package cli

import (
	"strings"
	"testing"
	"time"
)

// The end of a share has a date if it is not today: at 9:00, "until 10:00" may be an hour or a day away.
func TestEndOfAShare(t *testing.T) {
	tomorrow := time.Now().Add(24 * time.Hour)
	for until, want := range map[time.Time]string{tomorrow: ", until " + tomorrow.Format(time.DateTime), time.Now(): ", until " + time.Now().Format("15:")} {
		if got := (sharedTab{ID: "s1", Until: until.UTC()}).line(); !strings.Contains(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
