//go:build !linux && !darwin && !windows

package adminpolicy

// sources returns none: where browsers read policies on this system is not known.
func sources() []source { return nil }
