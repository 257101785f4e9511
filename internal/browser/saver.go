package browser

import (
	"maps"
	"reflect"
	"slices"
	"sync"
)

// A saver writes what would be left if the browser were lost, whenever that has
// changed. The mutex is held while it is written: calls that end together write
// once, as the first takes along what the others have changed.
type saver struct {
	mu    sync.Mutex   // guards the rest; taken before the browser's mu
	write func(Memory) // nil when nothing is to be written, or not any more
	saved Memory       // as it was written last, or read at the start
}

// save writes the memory of a browser if it has changed. Of one that was closed
// nothing is written: [Browser.Memory] has what is left of it.
//
// That only the order of the tabs has changed is no reason to write: it does with each call
// of agents that take turns, and nobody acts on a tab by its place. See saveOrder.
func (s *saver) save(b *Browser) {
	s.saveUnless(b, func(m Memory) bool { return m.same(s.saved) })
}

// saveOrder is save, but writes a new order of the tabs, too.
func (s *saver) saveOrder(b *Browser) {
	s.saveUnless(b, func(m Memory) bool { return m.same(s.saved) && m.sameOrder(s.saved) })
}

// saveUnless writes the memory unless it has not changed, as same reports.
func (s *saver) saveUnless(b *Browser, same func(Memory) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.write == nil {
		return
	}
	m := b.memory()
	if b.WasClosed() || same(m) {
		return
	}
	s.saved = m
	s.write(m)
}

// stop returns when nothing is written any more: a call that ends late would
// otherwise overwrite what the next browser has written.
func (s *saver) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.write = nil
}

// Remember writes what has changed since the last call, for the browser that
// may have to take over: the tabs at once, the cookies when a copy of them has
// come. It does not wait for that.
func (b *Browser) Remember() {
	if b.about.Own { // any other keeps its cookies itself
		b.copyCookies()
		b.copyCookiesLate()
	}
	b.saver.save(b)
}

// same reports whether two memories are equal but for the order of the tabs. A copy of the
// cookies is only equal to itself: to compare thousands would take longer than to write
// them, and [jar.put] keeps the old copy when a new one does not differ.
func (m Memory) same(o Memory) bool {
	return m.LastTab == o.LastTab && maps.Equal(m.Current, o.Current) && slices.Equal(m.Isolated, o.Isolated) &&
		maps.EqualFunc(m.Hosts, o.Hosts, slices.Equal) && sameSlice(m.Cookies, o.Cookies) &&
		sameSlice(m.Grants, o.Grants) && sameSlice(m.Origins, o.Origins) && sameTabs(m.Tabs, o.Tabs) && reflect.DeepEqual(m.Settings, o.Settings)
}

// sameTabs reports whether two lists have the same tabs, in any order.
func sameTabs(a, b []SavedTab) bool {
	if len(a) != len(b) {
		return false
	}
	before := make(map[string]SavedTab, len(b))
	for _, t := range b {
		before[t.ID] = t
	}
	return !slices.ContainsFunc(a, func(t SavedTab) bool { return !reflect.DeepEqual(t, before[t.ID]) })
}

// sameOrder reports whether the tabs of two memories that have the same are in one order.
func (m Memory) sameOrder(o Memory) bool {
	return slices.EqualFunc(m.Tabs, o.Tabs, func(a, b SavedTab) bool { return a.ID == b.ID })
}

// sameSlice reports whether two slices are the same elements of one array.
func sameSlice[T any](a, b []T) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}
