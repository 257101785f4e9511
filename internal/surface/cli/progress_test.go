package cli

import (
	"bytes"
	"fmt"
	"testing"
)

func TestProgress(t *testing.T) {
	for raw, want := range map[string]string{
		`[]`: "0/0 ",
		`[{"suggestedFilename":"a.iso","received":1048576,"total":104857600}]`:  "1048576/104857600 downloading 1% of 100 MB",
		`[{"suggestedFilename":"a.iso","received":2147483648,"total":0}]`:       "2147483648/0 downloading 2.0 GB",
		`[{"suggestedFilename":"a","received":5,"total":10},{"received":2000}]`: "2005/0 downloading 50% of 10 bytes, 1 kB",
		`{"error":"of another version"}`:                                        "0/0 ",
	} {
		received, total, doing := progress([]byte(raw))
		if got := fmt.Sprintf("%d/%d %s", received, total, doing); got != want {
			t.Errorf("%s: got %q, want %q", raw, got, want)
		}
	}
}

func TestStatusLineLeavesNothing(t *testing.T) {
	var out bytes.Buffer
	l := statusLine{out: &out}
	l.write("") // nothing was shown, so nothing is cleared
	l.write("a 1%")
	l.write("a 1%")
	l.write("a 2%")
	l.write("")
	if got, want := out.String(), "\r\x1b[Kchela: a 1%\r\x1b[Kchela: a 2%\r\x1b[K"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
