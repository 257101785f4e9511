package cli

import (
	"bytes"
	"strings"
	"testing"
)

func TestProgress(t *testing.T) {
	for raw, want := range map[string]string{
		`[]`: "",
		`[{"suggestedFilename":"a.iso","received":1048576,"total":104857600}]`:   "a.iso 1% of 100 MB",
		`[{"suggestedFilename":"a.iso","received":2147483648,"total":0}]`:        "a.iso 2.0 GB",
		`[{"suggestedFilename":"a","received":5,"total":10},{"received":2000}]`:  "a 50% of 10 bytes, . 1 kB",
		`[{"suggestedFilename":"../\u001b[2Jx","received":1,"total":1}]`:         `\u001b[2Jx 100% of 1 bytes`,
		`[{"suggestedFilename":"` + strings.Repeat("n", 40) + `","received":1}]`: strings.Repeat("n", 29) + "… 1 bytes",
		`{"error":"of another version"}`:                                         "",
	} {
		if got := progress([]byte(raw)); got != want {
			t.Errorf("%s: got %q, want %q", raw, got, want)
		}
	}
}

func TestStatusLineLeavesNothing(t *testing.T) {
	var out bytes.Buffer
	l := statusLine{out: &out}
	l.write("") // nothing was shown
	l.write("a 1%")
	l.write("a 1%")
	l.write("a 2%")
	l.write("")
	if got, want := out.String(), "\r\x1b[Kchela: downloading a 1%\r\x1b[Kchela: downloading a 2%\r\x1b[K"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
