package main

import (
	"runtime/debug"
	"testing"

	"chela/internal/surface/cli"
)

func TestVersion(t *testing.T) {
	const hash = "0123456789abcdef0123456789abcdef01234567"
	built := func(main string, settings ...debug.BuildSetting) *debug.BuildInfo {
		return &debug.BuildInfo{Main: debug.Module{Version: main}, Settings: settings}
	}
	revision := debug.BuildSetting{Key: "vcs.revision", Value: hash}
	for _, c := range []struct {
		name, released string
		build          *debug.BuildInfo
		want           string
	}{
		{"a release", "1.2.3", built("(devel)", revision), "1.2.3"},
		{"go install of a release", "", built("v1.2.3"), "v1.2.3"},
		{"a clone", "", built("v0.0.0-20261123000000-0123456789ab", revision, debug.BuildSetting{Key: "vcs.modified", Value: "false"}), "devel-0123456789ab"},
		{"a clone with changes", "", built("(devel)", revision, debug.BuildSetting{Key: "vcs.modified", Value: "true"}), "devel-0123456789ab-modified"},
		{"without git", "", built("(devel)"), "devel"},
		{"without modules", "", nil, "devel"},
	} {
		if got := version(c.released, c.build); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

func TestSources(t *testing.T) {
	build := &debug.BuildInfo{Settings: []debug.BuildSetting{
		{Key: "GOOS", Value: "linux"}, {Key: "vcs.revision", Value: "0123"}, {Key: "vcs.time", Value: "2026-11-20T10:00:00Z"}, {Key: "vcs.modified", Value: "true"},
	}}
	if got, want := sources(build), (cli.Build{Commit: "0123", Time: "2026-11-20T10:00:00Z", Modified: true}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := sources(nil); got != (cli.Build{}) {
		t.Errorf("without modules: %+v", got)
	}
}
