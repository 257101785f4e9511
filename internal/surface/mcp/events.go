package mcp

import (
	"context"
	"errors"
	"iter"
	"slices"
	"sync"
)

// events keeps the newest server-sent events for agents over HTTP. If the connection of an agent
// breaks, the agent can get the rest of an answer over a new one. It implements the SDK's
// EventStore. The SDK's own store keeps an entry of each call until the session ends, and sessions
// may last for weeks.
type events struct {
	mu      sync.Mutex // guards the rest
	streams []*eventStream
	bytes   int // size of the events of all streams
}

// An eventStream has the last events of one stream, which belongs to a call or to a session.
type eventStream struct {
	session, id string
	first       int // index in the stream of the first kept event
	events      [][]byte
	bytes       int
}

const (
	maxEventBytes = 16 << 20 // size of all kept events; only the newest stream, which may have a picture, may exceed it
	maxStreams    = 1024     // number of streams
	maxEvents     = 64       // number of kept events of a stream
)

var errEventsGone = errors.New("these events are not kept any more")

// Open begins a stream. It may drop older streams.
func (e *events) Open(_ context.Context, session, id string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.streams = append(e.streams, &eventStream{session: session, id: id})
	e.dropLocked()
	return nil
}

// Append adds an event to a stream. The error says that the stream was dropped; the SDK still sends
// the event.
func (e *events) Append(_ context.Context, session, id string, data []byte) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	s := e.findLocked(session, id)
	if s == nil {
		return errEventsGone
	}
	before := s.bytes
	s.events, s.bytes = append(s.events, data), s.bytes+len(data)
	if len(s.events) > maxEvents {
		s.bytes -= len(s.events[0])
		s.first, s.events = s.first+1, slices.Delete(s.events, 0, 1)
	}
	e.bytes += s.bytes - before
	e.dropLocked()
	return nil
}

// After returns the events of a stream that follow the event with the index in the argument place.
// If some of these events are not kept any more, the sequence has only the error errEventsGone.
func (e *events) After(_ context.Context, session, id string, place int) iter.Seq2[[]byte, error] {
	e.mu.Lock()
	defer e.mu.Unlock()
	s := e.findLocked(session, id)
	if s == nil || place+1 < s.first {
		return func(yield func([]byte, error) bool) { yield(nil, errEventsGone) }
	}
	rest := slices.Clone(s.events[min(place+1-s.first, len(s.events)):])
	return func(yield func([]byte, error) bool) {
		for _, event := range rest {
			if !yield(event, nil) {
				return
			}
		}
	}
}

// SessionClosed drops the streams of a session.
func (e *events) SessionClosed(_ context.Context, session string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.streams = slices.DeleteFunc(e.streams, func(s *eventStream) bool {
		if s.session == session {
			e.bytes -= s.bytes
		}
		return s.session == session
	})
	return nil
}

func (e *events) findLocked(session, id string) *eventStream {
	for _, s := range slices.Backward(e.streams) {
		if s.session == session && s.id == id {
			return s
		}
	}
	return nil
}

// dropLocked drops the oldest streams of calls, until the rest is within the limits. It keeps the
// stream of a session (its id is ""), which has few events and is needed as long as the session. It
// also keeps the newest stream.
func (e *events) dropLocked() {
	for i := 0; i < len(e.streams)-1 && (e.bytes > maxEventBytes || len(e.streams) > maxStreams); {
		if e.streams[i].id == "" {
			i++
			continue
		}
		e.bytes -= e.streams[i].bytes
		e.streams = slices.Delete(e.streams, i, i+1)
	}
}
