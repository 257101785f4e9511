package doctor

import (
	"strings"
	"testing"

	"chela/internal/api/call"
)

func TestWithoutRef(t *testing.T) {
	const text = "- link \"one\" [ref=e1]\n- text: two\n- button \"three\" [ref=e2]\n- generic [ref=e3]: four"
	if got := strings.Join(withoutRef(text, []string{"one", "two", "three", "four", "five"}), " "); got != "two five" {
		t.Errorf("without a ref: %s", got)
	}
}

// Only a program that is missing gets advice. If the user has named a program, it is not replaced
// by another.
func TestProgramOfTheDoctor(t *testing.T) {
	path := "/opt/browser"
	for _, test := range []struct {
		name          string
		status        call.BrowserStatus
		state, advice string
		repairs       bool
	}{
		{"found", call.BrowserStatus{Executable: &path}, "pass", "", true},
		{"named", call.BrowserStatus{Executable: &path, ExecutablePath: &path}, "pass", "", false},
		{"none", call.BrowserStatus{DetectError: &path}, "fail", "run: chela install", true},
		{"named, and not there", call.BrowserStatus{DetectError: &path, ExecutablePath: &path}, "fail", "correct executablePath in chela.json", false},
	} {
		h := Report{Status: test.status}
		h.program("chela.json")
		c := h.Checks[0]
		if c.Status != test.state || !strings.HasPrefix(c.FixHint, test.advice) || (c.FixHint == "") != (test.advice == "") || (c.fix != nil) != test.repairs {
			t.Errorf("%s: got %+v", test.name, c)
		}
	}
}
