package cli

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"chela/internal/base/config"
	"chela/internal/engine/chrome"
)

// A Build says from which sources a program was built. Its zero value is for a build without git.
type Build struct {
	Commit   string // full hash of the commit
	Time     string // when the commit was made, in the format of RFC 3339
	Modified bool   // the working tree had changes that were not committed
}

// versionReport is what chela version --json prints.
type versionReport struct {
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"`
	Modified bool   `json:"modified,omitempty"`
	Date     string `json:"date,omitempty"` // date of the commit
	Go       string `json:"go"`
	OS       string `json:"os"`
	Arch     string `json:"arch"`

	Browser      *browserReport `json:"browser"` // null: none was found
	BrowserError string         `json:"browserError,omitempty"`

	misconfigured bool // the configuration names a browser that does not exist
}

// browserReport describes the browser that is started for a profile without an executable of its own.
type browserReport struct {
	Kind    string `json:"kind"`
	Path    string `json:"path"`
	Version string `json:"version,omitempty"`
	Built   string `json:"built,omitempty"` // date of the build; "": not known
	Old     bool   `json:"old"`             // older than chrome.MaxAge
}

// versionCommand prints what a bug report needs: the versions of the program and of the browser. The
// flag --version prints only the version of the program.
func (p *Program) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Args:  asUsed,
		Short: "Print the version of the program, and that of the browser that it would start",
		Long: "Print the version of the program, its commit and that of Go, and the browser that it would start. It starts nothing.\n" +
			"A browser that is older than 45 days has holes that are known, and should be updated.",
		Example: "chela version",
		RunE: func(cmd *cobra.Command, _ []string) error {
			configured := ""
			c, err := config.Load(settings(cmd))
			if err != nil {
				p.warn("the configuration is wrong, and with it no server starts: " + err.Error())
			} else {
				configured = c.Browser.ExecutablePath
			}
			r := p.version(cmd.Context(), configured, time.Now())
			if wantsJSON(cmd) {
				return p.printJSON(r)
			}
			_, err = fmt.Fprint(p.Out, r.text())
			return err
		},
	}
}

// version describes the program, and the browser that it would start. The parameter configured is
// the browser's path in the configuration, or "".
func (p *Program) version(ctx context.Context, configured string, now time.Time) versionReport {
	r := versionReport{
		Version: p.Version, Commit: p.Build.Commit, Modified: p.Build.Modified, Date: p.Build.Time,
		Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH,
	}
	found, err := chrome.Find(configured)
	if err != nil {
		r.BrowserError, r.misconfigured = err.Error(), configured != ""
		return r
	}
	about := found.Describe(ctx)
	r.Browser = &browserReport{Kind: found.Kind, Path: found.Path, Version: about.Version, Old: about.Old(now)}
	if !about.Built.IsZero() {
		r.Browser.Built = about.Built.UTC().Format(time.DateOnly)
	}
	return r
}

// text returns the report for people.
func (r versionReport) text() string {
	lines := []string{"chela " + r.Version}
	if r.Commit != "" {
		changed := map[bool]string{true: ", with changes"}[r.Modified]
		lines = append(lines, "commit:  "+r.Commit+" of "+r.Date+changed)
	}
	lines = append(lines, fmt.Sprintf("go:      %s, %s/%s", strings.TrimPrefix(r.Go, "go"), r.OS, r.Arch), "browser: "+r.browserText())
	switch {
	case r.misconfigured:
		lines = append(lines, "try: chela install --path FILE; or, to have one looked for: chela config set "+executableKey+" null")
	case r.Browser == nil:
		lines = append(lines, "try: chela install")
	case r.Browser.Old:
		lines = append(lines, "try: "+chrome.OldHint)
	}
	return strings.Join(lines, "\n") + "\n"
}

func (r versionReport) browserText() string {
	if r.Browser == nil {
		return r.BrowserError
	}
	text := r.Browser.Kind
	if r.Browser.Version != "" {
		text += " " + r.Browser.Version
	}
	if r.Browser.Built != "" {
		text += " of " + r.Browser.Built
	}
	return text + ", " + r.Browser.Path
}
