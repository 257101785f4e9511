package chrome

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"chela/internal/base/regular"
)

// Some URLs are opened by other programs: mailto:, tel:, and schemes of apps for meetings. For
// mailto: Chromium starts the user's mail program without asking. For the others it asks in a
// window of its own. Until somebody answers, the tab takes no input; in a headless browser, nobody
// ever can. A page can use such a URL without a click: a redirect is enough.
//
// No flag and no setting of Chromium prevents that. But Chromium passes no URL on if it believes
// that it is itself the default program for the scheme. On Linux it asks the program xdg-settings,
// which it looks for in PATH. So PATH begins with a directory that has an xdg-settings of chela,
// which always answers yes.

// answersYes is the xdg-settings of chela, a shell script.
const answersYes = "#!/bin/sh\necho yes\n"

// programsDir is the directory with the script answersYes, within the user data directory.
const programsDir = ".chela-bin"

// writePrograms makes the directory with the xdg-settings of chela. Errors come from the file
// system.
func writePrograms(userDataDir string) error {
	if runtime.GOOS != "linux" {
		return nil
	}
	path := filepath.Join(userDataDir, programsDir, "xdg-settings")
	if old, err := regular.ReadFile(path, maxFile); err == nil && bytes.Equal(old, []byte(answersYes)) {
		return nil
	}
	if err := replaceFile(path, []byte(answersYes)); err != nil {
		return err
	}
	return os.Chmod(path, 0o700)
}

// withPrograms returns the variables with the directory of writePrograms in front of PATH. If the
// directory's path has a colon, PATH stays as it is: a colon separates its entries.
func withPrograms(env []string, userDataDir string) []string {
	if strings.ContainsRune(userDataDir, filepath.ListSeparator) {
		return env
	}
	for i, variable := range env {
		if rest, isPath := strings.CutPrefix(variable, "PATH="); isPath {
			env[i] = "PATH=" + filepath.Join(userDataDir, programsDir) + string(filepath.ListSeparator) + rest
		}
	}
	return env
}
