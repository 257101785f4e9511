package hugeheap

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"unsafe"
)

// The kernel is asked for large pages where the heap grows; whether it has some is its own matter.
func TestAsksForLargePages(t *testing.T) {
	if _, err := os.Stat("/sys/kernel/mm/transparent_hugepage"); err != nil {
		t.Skip("this kernel has none")
	}
	maps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Fatal(err)
	}
	at, here := uintptr(unsafe.Pointer(recent)), false
	for line := range strings.Lines(string(maps)) {
		var from, to uintptr
		if n, _ := fmt.Sscanf(line, "%x-%x ", &from, &to); n == 2 {
			here = from <= at && at < to
		}
		if flags, ok := strings.CutPrefix(line, "VmFlags:"); ok && here {
			if !strings.Contains(flags, " hg ") {
				t.Errorf("the memory at %x has the flags %s", at, flags)
			}
			return
		}
	}
	t.Errorf("no memory at %x", at)
}
