package op

// OrNull returns a pointer to v, or nil for the zero value, which is then null in JSON.
func OrNull[T comparable](v T) *T {
	if v == *new(T) {
		return nil
	}
	return &v
}
