package journal

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestNewestAreKept(t *testing.T) {
	j := New(nil)
	for i := range 10_000 {
		j.AddMessage(Message{Type: "log", Text: fmt.Sprint(i)})
	}
	messages, dropped := j.Messages()
	if len(messages) != 500 || messages[0].Text != "9500" || messages[499].Text != "9999" || dropped != 9500 {
		t.Errorf("%d messages from %q, %d dropped; want 500 from 9500 and 9500", len(messages), messages[0].Text, dropped)
	}
	j.AddLost(Lost{Messages: 7})
	if _, dropped := j.Messages(); dropped != 9507 {
		t.Errorf("dropped = %d, want 9507: those that never came are counted, too", dropped)
	}
}

// Large requests displace older requests, but not the few messages and errors.
func TestBytesAreBounded(t *testing.T) {
	j := New(nil)
	j.AddMessage(Message{Text: "one"})
	j.AddError(Error{Message: "two"})
	for range 490 {
		j.AddRequest(Request{Body: strings.Repeat("x", 10_000)})
	}
	requests, dropped := j.Requests()
	if len(requests)+dropped != 490 || len(requests) > maxBytes/10_000 || len(requests) < maxBytes/12_000 {
		t.Errorf("%d requests, %d dropped", len(requests), dropped)
	}
	messages, _ := j.Messages()
	errors, _ := j.Errors()
	if len(messages) != 1 || len(errors) != 1 {
		t.Errorf("%d messages and %d errors are left, want one of each", len(messages), len(errors))
	}
}

// The sum of the sizes is right after entries have grown, were dropped, or were taken out.
func TestSizesAreCounted(t *testing.T) {
	j := New(nil)
	var all []*Request
	for range 600 {
		all = append(all, j.AddRequest(Request{URL: "http://a.test/"}))
	}
	for _, r := range all {
		j.ChangeRequest(r, func(r *Request) { r.Response.Headers = Headers{{"Content-Type", "text/html"}} })
	}
	want := 0
	for _, r := range all[100:] {
		want += r.size()
	}
	if j.requests.bytes != want {
		t.Errorf("bytes = %d, want %d", j.requests.bytes, want)
	}
	j.TakeRequests()
	j.ChangeRequest(all[599], func(r *Request) { r.Failure = "net::ERR_FAILED" })
	if list, dropped := j.Requests(); j.requests.bytes != 0 || len(list) != 0 || dropped != 0 {
		t.Errorf("after all were taken: %d bytes, %v, %d dropped", j.requests.bytes, list, dropped)
	}
	if r := j.AddRequest(Request{}); r.ID != "r601" {
		t.Errorf("the next id is %s, want r601", r.ID)
	}
}

func TestLongTextsAreCut(t *testing.T) {
	j := New(nil)
	j.AddMessage(Message{Text: strings.Repeat("ü", 2048)})
	j.AddMessage(Message{Text: strings.Repeat("ü", 2049)})
	for i, cut := range []int{0, 1} {
		messages, _ := j.Messages()
		if m := messages[i]; m.Text != strings.Repeat("ü", 2048) || m.Cut != cut {
			t.Errorf("%d bytes, %d cut; want 4096, %d", len(m.Text), m.Cut, cut)
		}
	}
}

// Each part of a request is limited, since a page can make it as long as it likes.
func TestRequestsAreBounded(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	flood := Headers{}
	for range 1000 {
		flood = append(flood, Header{long, long})
	}
	j := New(nil)
	added := j.AddRequest(Request{
		Method: long, URL: long, Type: long, Headers: flood, Body: long,
		Initiator: Initiator{Location: Location{URL: long}, Stack: slices.Repeat([]Call{{long, Location{URL: long}}}, 100)},
	})
	j.ChangeRequest(added, func(r *Request) {
		r.Failure, r.Reason = long, long
		r.Response = Response{
			StatusText: long, Headers: flood, MIMEType: long, Protocol: long,
		}
	})
	list, _ := j.Requests()
	raw, err := json.Marshal(list)
	if err != nil || len(list) != 1 || len(raw) > 300<<10 {
		t.Errorf("%d requests of %d bytes, %v", len(list), len(raw), err)
	}
}

func TestAppend(t *testing.T) {
	j, other := New(nil), New(nil)
	j.AddRequest(Request{URL: "a"})
	j.AddMessage(Message{Text: "before"})
	pending := other.AddRequest(Request{URL: "b", RedirectedFrom: "r0"}) // redirected from a request that was dropped
	hop := other.AddRequest(Request{URL: "c", RedirectedFrom: pending.ID})
	other.ChangeRequest(pending, func(r *Request) { r.RedirectedTo = hop.ID })
	heard := 0
	stop := other.Listen(Listener{Message: func(Message) { heard++ }})
	other.AddMessage(Message{Text: "after"})
	other.AddLost(Lost{Errors: 3})
	j.Append(other)
	other.ChangeRequest(pending, func(r *Request) { r.Response.Status = 204 }) // a writer that does not know that the journal has moved
	other.AddMessage(Message{Text: "late"})
	stop()
	j.AddMessage(Message{Text: "last"})
	if heard != 2 {
		t.Errorf("the listener got %d messages, want 2", heard)
	}

	requests, _ := j.Requests()
	messages, _ := j.Messages()
	if len(requests) != 3 || requests[1].ID != "r2" || requests[1].URL != "b" || requests[1].Response.Status != 204 {
		t.Fatalf("requests are %v", requests)
	}
	if b, c := requests[1], requests[2]; b.RedirectedFrom != "" || b.RedirectedTo != "r3" || c.RedirectedFrom != "r2" || c.RedirectedTo != "" {
		t.Errorf("redirected from %q to %q, and from %q to %q", b.RedirectedFrom, b.RedirectedTo, c.RedirectedFrom, c.RedirectedTo)
	}
	if len(messages) != 4 || messages[1].Text != "after" || messages[2].Text != "late" {
		t.Errorf("messages are %v", messages)
	}
	if _, dropped := j.Errors(); dropped != 3 {
		t.Errorf("dropped = %d, want 3", dropped)
	}
	if left, _ := other.Requests(); len(left) != 0 {
		t.Errorf("the other journal still has %v", left)
	}
}

func TestListen(t *testing.T) {
	j := New(nil)
	var got []string
	stop := j.Listen(Listener{
		Message: func(m Message) { got = append(got, m.Text) },
		Request: func(r Request) { got = append(got, fmt.Sprint(r.ID, " ", r.Response.Status)) },
	})
	r := j.AddRequest(Request{})
	j.AddMessage(Message{Text: "hello"})
	j.AddError(Error{Message: "nobody listens"})
	j.ChangeRequest(r, func(r *Request) { r.Response.Status = 200 })
	stop()
	j.AddMessage(Message{Text: "too late"})
	if want := []string{"r1 0", "hello", "r1 200"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestRank(t *testing.T) {
	for level, want := range map[string]int{
		"error": 3, "Error": 3, "warning": 2, "warn": 2, "info": 1, "log": 1, "verbose": 1, "zzz": 1, "debug": 0,
	} {
		if got := Rank(level); got != want {
			t.Errorf("%s has rank %d, want %d", level, got, want)
		}
	}
}
