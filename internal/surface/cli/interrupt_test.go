package cli

import (
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"testing"
	"time"
)

// A signal that comes twice at once counts as one, and the program ends in its own way.
func TestOneSignalComesTwice(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot send itself a signal")
	}
	ctx, restore := interruptible(t.Context(), time.Hour)
	defer restore()
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	for range 10_000 { // a signal that is not caught ends this process
		if err := self.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		<-ctx.Done()
		runtime.Gosched()
	}
	signal.Notify(make(chan os.Signal, 1), syscall.SIGTERM) // another thread may get the last signal late, after restore
}
