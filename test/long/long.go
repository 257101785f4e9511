// Package long marks tests that take long and look for what is rare.
package long

import "testing"

// Test skips a test when only short ones run, as by `make test`. `make race` runs it.
func Test(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("takes long: make race runs it")
	}
}
