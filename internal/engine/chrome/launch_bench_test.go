package chrome

import (
	"testing"
	"time"
)

// BenchmarkLaunch measures the time from the start on a new profile to the first
// answer, and to the first tab.
func BenchmarkLaunch(b *testing.B) {
	var answer, tab time.Duration
	for b.Loop() {
		start := time.Now()
		p := browser(b, Options{UserDataDir: b.TempDir()})
		d := drive(b, p)
		d.call("Browser.getVersion", `{}`)
		answer += time.Since(start)
		d.call("Target.createTarget", `{"url":"about:blank","newWindow":true}`)
		tab += time.Since(start)
		if err := p.Terminate(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(answer.Milliseconds())/float64(b.N), "ms/answer")
	b.ReportMetric(float64(tab.Milliseconds())/float64(b.N), "ms/tab")
	b.ReportMetric(0, "ns/op")
}
