package journal

// A sized entry estimates how many bytes it takes.
type sized[T any] interface {
	*T
	size() int
	counted() *int // pointer to the size that the list counts for the entry; the size is 0 if the entry is in no list
}

// A list keeps the newest entries of one kind. Entries are pointers, since a request changes after
// it was added; readers get copies. The list stores the size of each entry, so that the sum can be
// corrected when an entry changes or is dropped.
type list[T any, P sized[T]] struct {
	max     int    // how many entries are kept
	entries []P    // oldest first
	bytes   int    // sum of the sizes
	dropped int    // how many entries were dropped, or lost before they could be added (see [Lost])
	drops   *Drops // see [New]
}

// add appends an entry. If there are too many, it drops the oldest.
func (l *list[T, P]) add(e P) {
	l.entries = append(l.entries, e)
	*e.counted() = e.size()
	l.bytes += *e.counted()
	if len(l.entries) > l.max {
		l.dropOldest()
	}
}

// resize updates the sum after an entry has changed, if the entry is still in the list.
func (l *list[T, P]) resize(e P) {
	if *e.counted() > 0 {
		l.bytes -= *e.counted()
		*e.counted() = e.size()
		l.bytes += *e.counted()
	}
}

// dropOldest drops an entry; there must be one.
func (l *list[T, P]) dropOldest() {
	l.bytes -= *l.entries[0].counted()
	*l.entries[0].counted() = 0
	l.entries[0] = nil // without this, the array behind the slice would keep the entry in memory
	l.entries = l.entries[1:]
	l.dropped++
	l.drops.Entries.Add(1)
}

// copy returns copies of the entries. Slices in them are shared, and never changed.
func (l *list[T, P]) copy() []T {
	all := make([]T, len(l.entries))
	for i, e := range l.entries {
		all[i] = *e
	}
	return all
}

// take returns the entries and the number of dropped ones, and resets both.
func (l *list[T, P]) take() ([]T, int) {
	all, dropped := l.copy(), l.dropped
	for _, e := range l.entries {
		*e.counted() = 0
	}
	l.entries, l.bytes, l.dropped = nil, 0, 0
	return all, dropped
}
