//go:build !linux

package proxy

// ownGroup is 0: on this system the proxy does not need the process group of the tests.
func ownGroup() int { return 0 }
