//go:build !linux

package profile

func hasDisplay() bool { return true }
