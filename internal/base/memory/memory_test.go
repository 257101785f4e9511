package memory

import "testing"

func TestOfProcess(t *testing.T) {
	const status = "Name:\tchrome\nVmSize:\t 99 kB\nVmRSS:\t  50 kB\nRssAnon:\t  30 kB\nRssFile:\t  20 kB\nVmSwap:\t   2 kB\n"
	if got := OfProcess([]byte(status)); got != 32<<10 {
		t.Errorf("its own memory is %d, want %d", got, 32<<10)
	}
}
