package chrome

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"chela/internal/base/lazyregexp"
	"chela/internal/base/program"
)

// MaxAge is the age of a browser above which chela warns that it is out of date. Chromium's stable
// channel gets a new version every two to four weeks. The security holes that a new version closes
// become public.
const MaxAge = 45 * 24 * time.Hour

// OldHint says what to do about a browser that is older than MaxAge.
const OldHint = "update the browser, it is more than 45 days old: use the package manager that installed it, or run: chela install"

// About is what is known of an installed browser without starting it.
type About struct {
	Version string    // such as 156.0.8078.108; "" if it cannot be found out
	Built   time.Time // zero if not known
}

// Old reports whether a browser is older than [MaxAge]. One of unknown age is not.
func (a About) Old(now time.Time) bool { return !a.Built.IsZero() && now.Sub(a.Built) > MaxAge }

// Days returns the age in whole days.
func (a About) Days(now time.Time) int { return int(now.Sub(a.Built) / (24 * time.Hour)) }

// Describe finds out the version and the build date of e. It runs the program with --version. On
// Windows that would open a window, so there the version is taken from the names of files and
// folders beside the program.
func (e Executable) Describe(ctx context.Context) About {
	a := About{Built: buildDate(e.Path)}
	if runtime.GOOS == "windows" {
		a.Version = besideVersion(filepath.Dir(e.Path))
		return a
	}
	ctx, cancel := context.WithTimeout(ctx, versionTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, e.Path, "--version")
	cmd.Env = inherited(program.Environment())
	cmd.WaitDelay = versionTime // a wrapper can leave a child that keeps the output open
	out, _ := cmd.Output()
	a.Version = versionNumber().FindString(string(out))
	return a
}

// versionTime is how long a browser may take to print its version.
const versionTime = 3 * time.Second

var versionNumber = lazyregexp.New(`\d+(\.\d+){3}`)

// buildDate returns the modification date of a program's file: packages and disk images keep the
// date at which the file was built. It returns zero if the file's date is not a build date. A
// snap's program is a link to snap itself, and stores such as Nix give all files the date 0.
//
// Packages of Debian and Fedora have a script in /usr/bin, which starts the program in /usr/lib. The
// script can be months older than the program, so the newer date of the two counts.
func buildDate(path string) time.Time {
	real, err := filepath.EvalSymlinks(path)
	if err != nil || filepath.Base(real) == "snap" {
		return time.Time{}
	}
	files, _ := filepath.Glob(filepath.Join(filepath.Dir(real), "..", "lib*", "chromium*", filepath.Base(real)))
	var built time.Time
	for _, file := range append(files, real) {
		if info, err := os.Stat(file); err == nil && info.ModTime().After(built) {
			built = info.ModTime()
		}
	}
	if built.Before(firstHeadless) {
		return time.Time{}
	}
	return built
}

// firstHeadless is the build date of the oldest browser that chela can drive. If a file has an
// earlier date, this is not its build date.
var firstHeadless = time.Date(2023, time.January, 1, 0, 0, 0, 0, time.UTC)

// besideVersion returns the highest version in the names of folders and manifests in dir; "" if
// none has one. An installer on Windows makes a folder 156.0.8078.108, and keeps the folder of the
// old version for some time. A build that was unpacked without an installer has a file
// 156.0.8078.108.manifest.
func besideVersion(dir string) string {
	entries, _ := os.ReadDir(dir)
	var highest []int
	name := ""
	for _, e := range entries {
		named, isManifest := strings.CutSuffix(e.Name(), ".manifest")
		if v := versionNumber().FindString(named); e.IsDir() != isManifest && v == named && slices.Compare(numbers(v), highest) > 0 {
			name, highest = v, numbers(v)
		}
	}
	return name
}

// numbers returns the parts of a version as numbers.
func numbers(version string) (all []int) {
	for part := range strings.SplitSeq(version, ".") {
		n, _ := strconv.Atoi(part)
		all = append(all, n)
	}
	return all
}
