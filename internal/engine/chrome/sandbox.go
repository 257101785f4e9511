package chrome

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// WithoutSandbox returns why the browser must run without its sandbox, and how the user can change
// that. The reason is "" if the sandbox works. Callers show the reason: without the sandbox, one
// bug in the renderer gives a page the rights of the user.
func WithoutSandbox(e Executable, configured bool) (reason, fix string) {
	switch {
	case configured:
		return "browser.noSandbox is set", "remove browser.noSandbox from the configuration"
	case runtime.GOOS != "linux":
		return "", ""
	case os.Geteuid() == 0:
		return "running as root, where Chromium refuses its sandbox", "run chela as an ordinary user"
	case hasSetuidHelper(e.Path):
		return "", ""
	}
	return namespacesOff("/proc/sys")
}

// Namespaces reports whether this user can create user namespaces. With them, Chromium's sandbox
// needs no program with the setuid bit.
func Namespaces() bool {
	reason, _ := namespacesOff("/proc/sys")
	return reason == ""
}

// hasSetuidHelper reports whether Chromium's older sandbox is installed, a program that needs no
// user namespaces. Chromium looks for that program beside its own. Without the setuid bit, the
// program does not work.
func hasSetuidHelper(executable string) bool {
	dirs := []string{"/usr/lib/chromium", "/usr/lib/chromium-browser"} // the program in /usr/bin is only a script
	if path, err := filepath.EvalSymlinks(executable); err == nil {
		dirs = append(dirs, filepath.Dir(path))
	}
	for _, dir := range dirs {
		info, err := os.Stat(filepath.Join(dir, "chrome-sandbox"))
		if err == nil && info.Mode()&os.ModeSetuid != 0 {
			return true
		}
	}
	return false
}

// namespacesOff returns why this user cannot create user namespaces, which Chromium's sandbox
// needs, and how to change that. The reason is "" if the user can create them. It reads the kernel
// settings below the directory sys, and then tries to create a namespace. In a container, a seccomp
// filter may forbid that without any such setting. The settings come first, since their names help
// a user more than the kernel's "operation not permitted".
func namespacesOff(sys string) (reason, fix string) {
	for _, setting := range []struct{ name, off, on string }{
		{"kernel/unprivileged_userns_clone", "0", "1"},
		{"kernel/apparmor_restrict_unprivileged_userns", "1", "0"},
		{"user/max_user_namespaces", "0", "15000"},
	} {
		value, err := os.ReadFile(filepath.Join(sys, setting.name))
		if err == nil && strings.TrimSpace(string(value)) == setting.off {
			name := strings.ReplaceAll(setting.name, "/", ".")
			return "user namespaces are off (" + name + " = " + setting.off + ")", "run: sudo sysctl -w " + name + "=" + setting.on
		}
	}
	if err := tryNamespace(); err != nil {
		return "user namespaces cannot be made here: " + err.Error(),
			"let the container make user namespaces, as docker run --security-opt seccomp=unconfined does"
	}
	return "", ""
}
