package live

import (
	"testing"
	"testing/synctest"
	"time"
)

// A ticket is good for its time, and once.
func TestTickets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var tickets Tickets
		one, other := new(Stream), new(Stream)
		first, second, old := tickets.New(one, time.Minute), tickets.New(other, time.Minute), tickets.New(one, time.Second)
		time.Sleep(2 * time.Second)
		for _, s := range []struct {
			name, secret string
			want         *Stream
		}{
			{"fresh", first, one},
			{"used", first, nil},
			{"another", second, other},
			{"too old", old, nil},
			{"none", "", nil},
		} {
			if got := tickets.Take(s.secret); got != s.want {
				t.Errorf("%s: got %p, want %p", s.name, got, s.want)
			}
		}
	})
}

// A caller that makes tickets without end fills no memory: the oldest are dropped.
func TestTicketsAreBounded(t *testing.T) {
	var tickets Tickets
	first := tickets.New(new(Stream), time.Minute)
	last := ""
	for range maxTickets {
		last = tickets.New(new(Stream), time.Minute)
	}
	if len(tickets.valid) != maxTickets || tickets.Take(first) != nil || tickets.Take(last) == nil {
		t.Errorf("there are %d tickets", len(tickets.valid))
	}
}
