// Package long marks tests of what is rare, and tests that take long. They run by `make race`, so that
// `make test` answers in minutes.
package long

import "testing"

// Test skips a test when only short ones run, as by `make test`. `make race` runs it.
func Test(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("takes long: make race runs it")
	}
}
