package main

import (
	"runtime/debug"

	"chela/internal/surface/cli"
)

// released is the version of a release. The linker sets it: make build VERSION=1.2.3.
var released string

// version returns the version of this program. For a build that is not a release it is devel with the
// commit, as in devel-0123456789ab. If files had changed since that commit, it is
// devel-0123456789ab-modified.
func version(released string, build *debug.BuildInfo) string {
	if released != "" {
		return released
	}
	if build == nil {
		return "devel"
	}
	from := sources(build)
	switch {
	case from.Commit == "" && build.Main.Version != "" && build.Main.Version != "(devel)":
		return build.Main.Version // go install of a release, which passes no flag to the linker
	case from.Commit == "": // built without git, or with -buildvcs=false
		return "devel"
	case from.Modified:
		return "devel-" + short(from.Commit) + "-modified"
	}
	return "devel-" + short(from.Commit)
}

// short returns the first 12 characters of a commit's hash, as many as Go writes in versions of
// modules.
func short(revision string) string { return revision[:min(len(revision), 12)] }

// sources returns from which commit a program was built, as Go has recorded it.
func sources(build *debug.BuildInfo) (b cli.Build) {
	if build == nil {
		return b
	}
	for _, s := range build.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.time":
			b.Time = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}
