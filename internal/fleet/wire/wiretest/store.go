package wiretest

import (
	"context"
	"strings"
	"sync"
	"time"

	"chela/internal/fleet/wire"
)

// A Store is a [wire.Store] in memory.
type Store struct {
	Life time.Duration // time after which a value is removed; 0: never

	mu     sync.Mutex // guards the rest
	last   uint64
	values map[string]value
	fails  error
}

type value struct {
	content  []byte
	revision uint64
	put      time.Time
}

// Fail makes all calls of the store return an error, until Fail is called with nil.
func (s *Store) Fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fails = err
}

// All returns the values by their keys.
func (s *Store) All() map[string][]byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := map[string][]byte{}
	for key := range s.values {
		if v, ok := s.getLocked(key); ok {
			all[key] = v.content
		}
	}
	return all
}

func (s *Store) getLocked(key string) (value, bool) {
	v, ok := s.values[key]
	if !ok || s.Life > 0 && time.Since(v.put) >= s.Life {
		return value{}, false
	}
	return v, true
}

// Get implements [wire.Store].
func (s *Store) Get(_ context.Context, key string) ([]byte, uint64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fails != nil {
		return nil, 0, s.fails
	}
	v, ok := s.getLocked(key)
	if !ok {
		return nil, 0, wire.ErrNoValue
	}
	return v.content, v.revision, nil
}

// Put implements [wire.Store].
func (s *Store) Put(_ context.Context, key string, content []byte, last uint64) (uint64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fails != nil {
		return 0, s.fails
	}
	if v, _ := s.getLocked(key); v.revision != last {
		return 0, wire.ErrChanged
	}
	if s.values == nil {
		s.values = map[string]value{}
	}
	s.last++
	s.values[key] = value{content, s.last, time.Now()}
	return s.last, nil
}

// Drop implements [wire.Store].
func (s *Store) Drop(_ context.Context, parts string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fails != nil {
		return s.fails
	}
	for key := range s.values {
		if key == parts || strings.HasPrefix(key, parts+".") {
			delete(s.values, key)
		}
	}
	return nil
}
