package ticket

import (
	"testing"
	"testing/synctest"
	"time"
)

// A ticket is valid once, and until its time is over.
func TestTickets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var tickets Tickets[*int]
		one, other := new(int), new(int)
		first, second, old := tickets.New(one, time.Minute, 10), tickets.New(other, time.Minute, 10), tickets.New(one, time.Second, 10)
		for _, each := range tickets.valid {
			if each.until != each.until.Round(0) {
				t.Errorf("%v: this clock stands still while the machine sleeps", each.until)
			}
		}
		time.Sleep(2 * time.Second)
		for _, s := range []struct {
			name, secret string
			want         *int
		}{
			{"fresh", first, one},
			{"used", first, nil},
			{"another", second, other},
			{"too old", old, nil},
			{"none", "", nil},
		} {
			if got, ok := tickets.Take(s.secret); got != s.want || ok != (s.want != nil) {
				t.Errorf("%s: got %p, %v, want %p", s.name, got, ok, s.want)
			}
		}
	})
}

// The number of tickets is bounded: if callers make too many, the oldest are dropped.
func TestTicketsAreBounded(t *testing.T) {
	const most = 1000
	var tickets Tickets[int]
	first := tickets.New(0, time.Minute, most)
	last := ""
	for i := range most {
		last = tickets.New(i, time.Minute, most)
	}
	_, firstIsValid := tickets.Take(first)
	if count := len(tickets.valid); count != most || firstIsValid {
		t.Errorf("there are %d tickets; the first is valid: %v", count, firstIsValid)
	}
	if got, ok := tickets.Take(last); got != most-1 || !ok {
		t.Errorf("the last ticket is for %d, %v", got, ok)
	}
}
