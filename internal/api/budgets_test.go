package api

import (
	"encoding/json"
	"testing"
	"time"

	"chela/internal/engine/page"
	"chela/internal/op"
)

// The time that a caller asks an act to last is added to its deadline.
func TestBudgets(t *testing.T) {
	for _, s := range []struct {
		op, args string
		want     time.Duration
	}{
		{"click", `{"ref":"e1"}`, 8 * time.Second},
		{"click", `{"ref":"e1","timeoutMs":2000}`, 2 * time.Second},
		{"click", `{"ref":"e1","timeoutMs":100}`, 500 * time.Millisecond},
		{"click", `{"ref":"e1","timeoutMs":100000}`, time.Minute},
		{"click", `{"ref":"e1","delayMs":300}`, 8*time.Second + 300*time.Millisecond},
		{"click", `{"ref":"e1","delayMs":300,"doubleClick":true}`, 8*time.Second + 600*time.Millisecond},
		{"click", `{"ref":"e1","snapshot":"delta"}`, 9 * time.Second},
		{"click", `{"ref":"e1","snapshot":"delta","settleMs":3000}`, 11 * time.Second},
		{"press", `{"key":"a","delayMs":500}`, 8*time.Second + 500*time.Millisecond},
		{"type", `{"ref":"e1","text":"abcd"}`, 8 * time.Second},
		{"type", `{"ref":"e1","text":"äbcd","slowly":true}`, 8*time.Second + 4*75*time.Millisecond},
		{"wait", `{"timeMs":700}`, 20*time.Second + 700*time.Millisecond + page.AnswerTime},
		{"expect", `{"text":"x","timeoutMs":900}`, 900*time.Millisecond + page.AnswerTime},
		{"fill", `{"fields":[{"ref":"e1"}],"timeoutMs":2000}`, 2 * time.Second},
		{"fill", `{"fields":[{"ref":"e1"},{"ref":"e2"},{"ref":"e3"}],"timeoutMs":2000}`, 6 * time.Second},
	} {
		var args op.Args
		if err := json.Unmarshal([]byte(s.args), &args); err != nil {
			t.Fatal(err)
		}
		if got := Table().Named(s.op).Budget(args); got != s.want {
			t.Errorf("%s %s: got %v, want %v", s.op, s.args, got, s.want)
		}
	}
}
