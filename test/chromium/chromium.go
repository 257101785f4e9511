// Package chromium says how the tests run Chromium.
package chromium

import "os"

// Headless reports whether it is without windows. With CHELA_TEST_HEADED set, as
// `make headed` does, the same tests run with windows, on a display.
func Headless() bool { return os.Getenv("CHELA_TEST_HEADED") == "" }
