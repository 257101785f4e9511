package op

// OrNull returns a pointer to v, or nil for the zero value: a field that is null in JSON where
// there is nothing to say.
func OrNull[T comparable](v T) *T {
	if v == *new(T) {
		return nil
	}
	return &v
}
