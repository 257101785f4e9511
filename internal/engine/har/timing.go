package har

import (
	"math"

	"chela/internal/engine/journal"
)

// Timings has the durations of the parts of a request, in milliseconds. A part that was not needed
// is -1. Send, Wait and Receive are never -1, because the format forbids it. The parts follow each
// other in the order of the fields. SSL is an exception: its time is also included in Connect,
// because version 1.1 of the format had no field for it.
type Timings struct {
	Blocked float64 `json:"blocked"`
	DNS     float64 `json:"dns"`
	Connect float64 `json:"connect"`
	SSL     float64 `json:"ssl"`
	Send    float64 `json:"send"`
	Wait    float64 `json:"wait"`
	Receive float64 `json:"receive"`
}

// sum adds up the durations. It leaves out SSL, which is a part of Connect.
func (t Timings) sum() (sum float64) {
	for _, part := range []float64{t.Blocked, t.DNS, t.Connect, t.Send, t.Wait, t.Receive} {
		sum += max(0, part)
	}
	return micro(sum)
}

// micro rounds milliseconds to microseconds, the precision of Chromium's times.
func micro(ms float64) float64 { return math.Round(ms*1000) / 1000 }

// timingsOf returns the times of a request that are known. An unknown time is -1, except Send, Wait
// and Receive: the format wants a number for these, so they are 0. Chromium counts from the moment
// when the network stack gets a request. The time before that also counts as Blocked.
func timingsOf(r journal.Request) Timings {
	t := Timings{Blocked: -1, DNS: -1, Connect: -1, SSL: -1}
	if from := r.Response.Timing; from != nil {
		t = partsOf(*from)
		t.Blocked = micro(t.Blocked + span(r.Sent, from.Requested))
		t.Receive = rest(r, from.Requested+from.HeadersEnd/1000)
		return t
	}
	switch {
	case r.Response.Received > 0:
		t.Wait = span(r.Sent, r.Response.Received)
		t.Receive = rest(r, r.Response.Received)
	case r.Ended > 0: // no response has come
		t.Wait = span(r.Sent, r.Ended)
	}
	return t
}

// partsOf returns the durations of the parts before the body. Blocked is the time before the first
// of the others, such as a wait for a free connection or the choice of a proxy. Time between two
// parts belongs to none, so the sum may be a little less than the whole.
//
// Chromium gives -1 for a moment that it does not know. The format allows that for the parts before
// Send, but not for Send and Wait. If it is not known when the request was sent, Send is 0 and Wait
// begins after the parts before it. So no time is missing from the sum.
func partsOf(from journal.Timing) Timings {
	sendStart := from.SendStart
	if sendStart < 0 {
		sendStart = max(0, from.DNSEnd, from.ConnectEnd)
	}
	sendEnd := max(sendStart, from.SendEnd)
	first := sendStart
	for _, start := range []float64{from.DNSStart, from.ConnectStart} {
		if start >= 0 {
			first = min(first, start)
		}
	}
	return Timings{
		Blocked: first,
		DNS:     part(from.DNSStart, from.DNSEnd),
		Connect: part(from.ConnectStart, from.ConnectEnd),
		SSL:     part(from.SSLStart, from.SSLEnd),
		Send:    part(sendStart, sendEnd),
		Wait:    part(sendEnd, from.HeadersEnd),
	}
}

// part returns the duration between two moments, or -1 if start is not known.
func part(start, end float64) float64 {
	if start < 0 {
		return -1
	}
	return micro(max(0, end-start))
}

// rest returns the time from a moment to the end of the body, in milliseconds. It is 0 if the body
// has not ended.
func rest(r journal.Request, from float64) float64 { return span(from, r.Ended) }

// span returns the milliseconds between two moments in seconds; 0 if one is not known.
func span(from, to float64) float64 {
	if from <= 0 || to <= from {
		return 0
	}
	return micro((to - from) * 1000)
}
