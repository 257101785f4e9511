package main

import "runtime/debug"

// released is the version of a release. The linker sets it: make build VERSION=1.2.3.
var released string

// version returns the version of this program. For a build that is no release it is devel with the
// commit, as in devel-0123456789ab. If files had changed since that commit, it is
// devel-0123456789ab-modified.
func version(released string, build *debug.BuildInfo) string {
	if released != "" {
		return released
	}
	if build == nil {
		return "devel"
	}
	settings := map[string]string{}
	for _, s := range build.Settings {
		settings[s.Key] = s.Value
	}
	revision := settings["vcs.revision"]
	switch {
	case revision == "" && build.Main.Version != "" && build.Main.Version != "(devel)":
		return build.Main.Version // go install of a release, which passes no flag to the linker
	case revision == "": // built without git, or with -buildvcs=false
		return "devel"
	case settings["vcs.modified"] == "true":
		return "devel-" + short(revision) + "-modified"
	}
	return "devel-" + short(revision)
}

// short returns the first 12 characters of a commit's hash, as many as Go writes in versions of
// modules.
func short(revision string) string { return revision[:min(len(revision), 12)] }
