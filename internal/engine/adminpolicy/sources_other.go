//go:build !linux && !darwin && !windows

package adminpolicy

// sources are none: it is not known where browsers read policies here.
func sources() []source { return nil }
