package chrome

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

// InstallError says why no browser could be installed, and what to run instead.
type InstallError struct {
	Command string // a command for a person; empty: not known
	Err     error
}

func (e *InstallError) Error() string {
	if e.Command == "" {
		return fmt.Sprintf("cannot install a browser: %v", e.Err)
	}
	return fmt.Sprintf("cannot install a browser: %v; run: %s", e.Err, e.Command)
}

func (e *InstallError) Unwrap() error { return e.Err }

// manager is a package manager with the arguments that install a browser. The arguments are split
// at spaces, so none of them may contain one.
type manager struct {
	program string
	refresh string // arguments that update the package lists; a failure is ignored
	install string
	asRoot  bool
}

// managers are the package managers of each system (GOOS), in the order in which they are looked
// for on the PATH. Their options answer all questions in advance, since nobody is there to be
// asked.
var managers = map[string][]manager{
	"linux": {
		{"apt-get", "update", "install -y --no-install-recommends chromium", true},
		{"dnf", "", "install -y chromium", true},
		{"pacman", "", "-Sy --noconfirm --needed chromium", true},
		{"apk", "", "add --no-cache chromium", true},
		{"zypper", "", "--non-interactive install chromium", true},
	},
	"darwin":  {{"brew", "", "install --cask google-chrome", false}},
	"windows": {{"winget", "", "install --exact --id Google.Chrome --accept-source-agreements --accept-package-agreements", false}},
}

// Install has the package manager of this system install a browser, unless [Find] finds one. It
// writes the commands and their output to out. It asks for no password. If root is needed and
// cannot be had without a password, the error has the command for the user. Install succeeds if
// Find finds a browser afterwards, whatever the package manager says: a package can be empty and
// only point to a snap. The error is an [*InstallError].
func Install(ctx context.Context, out io.Writer) error {
	if found, err := Find(""); err == nil {
		fmt.Fprintf(out, "%s is here: %s\n", found.Kind, found.Path)
		return nil
	}
	m, ok := findManager(runtime.GOOS)
	if !ok {
		err := fmt.Errorf("no package manager found that offers one (%s); install Chromium or Chrome by hand", names(runtime.GOOS))
		return &InstallError{Err: err}
	}
	prefix, err := sudoPrefix(ctx, m)
	if err != nil {
		return &InstallError{Command: m.line("sudo "), Err: err}
	}
	if err := m.run(ctx, out, prefix); err != nil {
		return &InstallError{Command: m.line(prefix), Err: err}
	}
	found, err := Find("")
	if err != nil {
		return &InstallError{Err: fmt.Errorf("%s reported success, but there is %w", m.program, err)}
	}
	fmt.Fprintf(out, "installed %s: %s\n", found.Kind, found.Path)
	return nil
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

// names lists the package managers that were looked for.
func names(system string) string {
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

// commands returns the command lines to run, in order, split into words.
func (m manager) commands(prefix string) [][]string {
	var all [][]string
	for _, arguments := range []string{m.refresh, m.install} {
		if arguments != "" {
			all = append(all, strings.Fields(prefix+m.program+" "+arguments))
		}
	}
	return all
}

// line returns the commands as a person would type them.
func (m manager) line(prefix string) string {
	var lines []string
	for _, words := range m.commands(prefix) {
		lines = append(lines, strings.Join(words, " "))
	}
	return strings.Join(lines, " && ")
}

// readableByAll returns a command line whose new files all users can read, since they use the
// browser as well. By default this process makes files that only its own user can read.
func readableByAll(words []string) []string {
	if runtime.GOOS == "windows" {
		return words
	}
	return append([]string{"/bin/sh", "-c", `umask 022; exec "$@"`, "sh"}, words...)
}

// run runs the commands and returns the error of the last one, which installs. A failed update of
// the package lists does not matter if the install works with the existing ones. The variable
// DEBIAN_FRONTEND keeps packages of Debian from asking questions.
func (m manager) run(ctx context.Context, out io.Writer, prefix string) (err error) {
	for _, words := range m.commands(prefix) {
		fmt.Fprintln(out, "$ "+strings.Join(words, " "))
		program := readableByAll(words)
		cmd := exec.CommandContext(ctx, program[0], program[1:]...)
		cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
		cmd.Stdout, cmd.Stderr = out, out
		if err = cmd.Run(); err != nil {
			err = fmt.Errorf("%s: %w", strings.Join(words, " "), err)
		}
	}
	return err
}
