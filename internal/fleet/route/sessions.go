package route

import (
	"slices"
	"sync"
)

// maxSessions limits how many sessions are known. Those whose first call is the longest ago are
// forgotten. Calls of a forgotten session that name a tab still reach its machine: tab handles
// contain the name of the node.
const maxSessions = 10_000

// sessions know on which machine each session is, so that its tabs stay together.
type sessions struct {
	mu    sync.Mutex // guards the rest
	byKey map[string]*session
	order []string // keys in the order of the sessions' first calls
}

// A session says which machine runs those calls of a session that name no machine.
type session struct {
	bound bool     // calls of the session go to node; false: the session has no machine yet
	node  string   // name of the node; "": this machine
	nodes []string // nodes that the session has used
}

// place returns the machine of a session; ok is false if it has none yet. Calls without a session
// have none.
func (s *sessions) place(key string) (node string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	known := s.byKey[key]
	if known == nil {
		return "", false
	}
	return known.node, known.bound
}

// stay records that a session is on a node, or on this machine ("").
func (s *sessions) stay(key, node string) {
	if key == "" {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	known := s.visitLocked(key, node)
	known.bound, known.node = true, node
}

// visit notes that a session has used a node, so that the end of the session reaches the node. The
// session is not bound to the node.
func (s *sessions) visit(key, node string) {
	if key == "" {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.visitLocked(key, node)
}

func (s *sessions) visitLocked(key, node string) *session {
	known := s.byKey[key]
	if known == nil {
		if s.byKey == nil {
			s.byKey = map[string]*session{}
		}
		for len(s.order) >= maxSessions {
			delete(s.byKey, s.order[0])
			s.order = s.order[1:]
		}
		known = new(session)
		s.byKey[key], s.order = known, append(s.order, key)
	}
	if node != "" && !slices.Contains(known.nodes, node) {
		known.nodes = append(known.nodes, node)
	}
	return known
}

// nodesOf returns the nodes that a session has used.
func (s *sessions) nodesOf(key string) (nodes []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if known := s.byKey[key]; known != nil {
		return slices.Clone(known.nodes)
	}
	return nil
}

// left records that a session has ended on a node.
func (s *sessions) left(key, node string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if known := s.byKey[key]; known != nil {
		known.nodes = slices.DeleteFunc(known.nodes, func(n string) bool { return n == node })
	}
}

// forget forgets a session, unless it has not ended on a node.
func (s *sessions) forget(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	known := s.byKey[key]
	if known == nil {
		return
	}
	if len(known.nodes) > 0 {
		known.bound = false
		return
	}
	delete(s.byKey, key)
	s.order = slices.DeleteFunc(s.order, func(k string) bool { return k == key })
}
