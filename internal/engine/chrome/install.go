package chrome

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"chela/internal/base/program"
)

// InstallError says why no browser could be installed, and what to run instead.
type InstallError struct {
	Updates bool   // a browser was there already, and only its update failed
	Command string // what the user can run instead; "": not known
	Err     error
}

func (e *InstallError) Error() string {
	text := "cannot install a browser: "
	if e.Updates {
		text = "cannot update the browser: "
	}
	text += e.Err.Error()
	if e.Command != "" {
		text += "; run: " + e.Command
	}
	return text
}

func (e *InstallError) Unwrap() error { return e.Err }

// A manager is a package manager. Its arguments are split at spaces, so no argument may contain a
// space.
type manager struct {
	program string
	refresh string            // arguments that update the package lists, whose failure is ignored; "": none
	install string            // arguments that install a package; the name of the package is added
	asRoot  bool              // its commands need root
	names   map[string]string // package names by channel; a channel without a name is not offered
}

// debs and onlyChromium name the Linux package of each channel. Packages other than Chromium come
// from sources of the browser's maker, which the user has to add: chela adds none.
var (
	debs = map[string]string{
		"chromium": "chromium", "chrome": "google-chrome-stable", "chrome-beta": "google-chrome-beta", "canary": "google-chrome-unstable",
		"edge": "microsoft-edge-stable", "brave": "brave-browser",
	}
	onlyChromium = map[string]string{"chromium": "chromium"}
)

// withHeadlessShell returns the given package names with one more: that of the headless shell, as
// Debian calls it.
func withHeadlessShell(names map[string]string) map[string]string {
	names = maps.Clone(names)
	names["headless-shell"] = "chromium-headless-shell"
	return names
}

// managers are the package managers of each system (GOOS), in the order in which they are looked
// for on the PATH. Their options answer all questions in advance, since nobody is there to answer.
// An installed browser is updated by the same arguments.
var managers = map[string][]manager{
	"linux": {
		{"apt-get", "update", "install -y --no-install-recommends", true, withHeadlessShell(debs)},
		{"dnf", "", "install -y", true, debs},
		{"pacman", "", "-Sy --noconfirm --needed", true, onlyChromium},
		{"apk", "", "add --no-cache --upgrade", true, onlyChromium},
		{"zypper", "", "--non-interactive install", true, debs},
	},
	"darwin": {{"brew", "", "install --cask", false, map[string]string{
		"chromium": "chromium", "chrome": "google-chrome", "chrome-beta": "google-chrome@beta", "canary": "google-chrome@canary",
		"edge": "microsoft-edge", "brave": "brave-browser",
	}}},
	"windows": {{"winget", "", "install --exact --accept-source-agreements --accept-package-agreements --id", false, map[string]string{
		"chromium": "Hibbiki.Chromium", "chrome": "Google.Chrome", "chrome-beta": "Google.Chrome.Beta", "canary": "Google.Chrome.Canary",
		"edge": "Microsoft.Edge", "brave": "Brave.Brave",
	}}},
}

// Channels lists the browsers that [Install] can install.
func Channels() []string {
	return []string{"chromium", "chrome", "chrome-beta", "canary", "edge", "brave", "headless-shell"}
}

// usualChannel returns the channel to install on a system if the user names none. Chromium's makers
// publish no builds for macOS and Windows.
func usualChannel(system string) string {
	if system == "linux" {
		return "chromium"
	}
	return "chrome"
}

// Install has the package manager of this system install the browser of a channel, and returns it.
// Without a channel, it installs the usual one of the system, unless [Find] finds any browser. A
// browser that is older than [MaxAge] is brought up to date.
//
// The browser comes only from the sources of the package manager, which the user has chosen.
// Install writes the commands and their output to out. It asks for no password: if root is needed
// and cannot be had without one, the error has the command for the user. A package can be empty and
// only point to a snap. So it is also an error if no browser is found afterwards. The error is an
// [*InstallError]. If an old browser is there and could not be updated, Install returns it together
// with the error.
func Install(ctx context.Context, out io.Writer, channel string) (Executable, error) {
	found, err := find(channel)
	now, isThere := time.Now(), err == nil
	if isThere {
		about := found.Describe(ctx)
		if !about.Old(now) {
			fmt.Fprintf(out, "%s is here: %s\n", found.Kind, found.Path)
			return found, nil
		}
		fmt.Fprintf(out, "%s is here, and %d days old: %s\n", found.Kind, about.Days(now), found.Path)
		channel = found.Kind
	}
	channel = cmp.Or(channel, usualChannel(runtime.GOOS))
	program, failed := installPackage(ctx, out, channel)
	if failed != nil {
		failed.Updates = isThere
		return found, failed
	}
	if found, err = find(channel); err != nil {
		return Executable{}, &InstallError{Err: fmt.Errorf("%s reported success, but there is %w", program, err)}
	}
	fmt.Fprintf(out, "installed %s: %s\n", found.Kind, found.Path)
	if about := found.Describe(ctx); about.Old(now) {
		fmt.Fprintf(out, "it is %d days old: %s has no newer one\n", about.Days(now), program)
	}
	return found, nil
}

// installPackage has the package manager install or update the package of a channel. It returns the
// program of the package manager, such as apt-get.
func installPackage(ctx context.Context, out io.Writer, channel string) (program string, failed *InstallError) {
	m, ok := findManager(runtime.GOOS)
	if !ok {
		err := fmt.Errorf("no package manager found that offers one (%s); install Chromium or Chrome by hand", lookedFor(runtime.GOOS))
		return "", &InstallError{Err: err}
	}
	name := m.names[channel]
	if name == "" {
		return "", &InstallError{Err: fmt.Errorf("%s has no %s; install it by hand, and run: chela install --path FILE", m.program, channel)}
	}
	prefix, err := sudoPrefix(ctx, m)
	if err != nil {
		return "", &InstallError{Command: m.line("sudo ", name), Err: err}
	}
	if err := m.run(ctx, out, prefix, name); err != nil {
		return "", &InstallError{Command: m.line(prefix, name), Err: err}
	}
	return m.program, nil
}

// find returns the installed browser of a channel. If channel is "", it returns the browser that
// would be started.
func find(channel string) (Executable, error) {
	if channel == "" {
		return Find("")
	}
	return firstOf(channel, installedPlaces(runtime.GOOS, os.Getenv))
}

// findManager returns the first package manager that is on the PATH, false if none is.
func findManager(system string) (manager, bool) {
	for _, m := range managers[system] {
		if _, err := exec.LookPath(m.program); err == nil {
			return m, true
		}
	}
	return manager{}, false
}

// lookedFor returns a text that lists the package managers of a system, for an error.
func lookedFor(system string) string {
	var all []string
	for _, m := range managers[system] {
		all = append(all, m.program)
	}
	return "looked for " + strings.Join(all, ", ")
}

// sudoPrefix returns "sudo -n " if the package manager needs root and chela does not run as root.
// If sudo would ask for a password, it returns an error.
func sudoPrefix(ctx context.Context, m manager) (prefix string, err error) {
	if !m.asRoot || os.Geteuid() == 0 {
		return "", nil
	}
	if exec.CommandContext(ctx, "sudo", "-n", "true").Run() == nil {
		return "sudo -n ", nil
	}
	return "", fmt.Errorf("%s needs root, and sudo is not there or wants a password", m.program)
}

// commands returns the command lines that install a package, in order, split into words.
func (m manager) commands(prefix, name string) [][]string {
	var all [][]string
	for _, arguments := range []string{m.refresh, m.install + " " + name} {
		if arguments != "" {
			all = append(all, strings.Fields(prefix+m.program+" "+arguments))
		}
	}
	return all
}

// line returns the commands as one line that a person can type.
func (m manager) line(prefix, name string) string {
	var lines []string
	for _, words := range m.commands(prefix, name) {
		lines = append(lines, strings.Join(words, " "))
	}
	return strings.Join(lines, " && ")
}

// readableByAll returns a command line that runs the given one with umask 022, so that all users
// can read the installed files. The umask of this process may let only its own user read them.
func readableByAll(words []string) []string {
	if runtime.GOOS == "windows" {
		return words
	}
	return append([]string{"/bin/sh", "-c", `umask 022; exec "$@"`, "sh"}, words...)
}

// run runs the commands and returns the error of the last one, which installs the package. If the
// package lists could not be updated, the install may still work with the old ones. DEBIAN_FRONTEND
// keeps packages of Debian from asking questions.
func (m manager) run(ctx context.Context, out io.Writer, prefix, name string) (err error) {
	for _, words := range m.commands(prefix, name) {
		fmt.Fprintln(out, "$ "+strings.Join(words, " "))
		command := readableByAll(words)
		cmd := exec.CommandContext(ctx, command[0], command[1:]...)
		cmd.Env = append(program.Environment(), "DEBIAN_FRONTEND=noninteractive")
		cmd.Stdout, cmd.Stderr = out, out
		if err = cmd.Run(); err != nil {
			err = fmt.Errorf("%s: %w", strings.Join(words, " "), err)
		}
	}
	return err
}
