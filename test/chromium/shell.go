package chromium

import (
	"os"
	"strings"
	"sync"

	"chela/internal/engine/chrome"
)

// PreferShell has the tests of a package run in Chromium's headless shell, which takes half of the
// processor time, if CHELA_TEST_SHELL is set. `make test` sets it to a folder in which the shell is
// called chromium. `make race` does not, and runs the same packages in Chromium. TestMain must call
// PreferShell before it starts a browser; [chela/test/service.Main] does.
func PreferShell() {
	if folder := os.Getenv("CHELA_TEST_SHELL"); folder != "" {
		os.Setenv("PATH", folder+string(os.PathListSeparator)+os.Getenv("PATH"))
	}
}

// WithoutShell returns a PATH without the folder that PreferShell has added, if it has.
func WithoutShell(path string) string {
	return strings.TrimPrefix(path, os.Getenv("CHELA_TEST_SHELL")+string(os.PathListSeparator))
}

// inShell reports whether the tests run in the headless shell.
var inShell = sync.OnceValue(func() bool {
	found, err := chrome.Find("")
	return err == nil && found.IsHeadlessShell()
})

// notInShell says why some tests do not hold in the headless shell, see docs/install.md.
var notInShell = map[string]string{
	"TestHighlight":                      "it draws nothing over pages",
	"TestBadCertificate/expired":         oneFault,
	"TestBadCertificate/not_yet_valid":   oneFault,
	"TestBadCertificate/of_another_host": oneFault,
	"TestPermissions":                    "it grants permissions to origins without https too",
	"TestHeadedWithoutDisplay":           "it has no windows, on any display",
	"TestFilesInATab/a_PDF":              "it downloads a PDF",
}

const oneFault = "it names one fault of a certificate"
