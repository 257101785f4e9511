package child

import (
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// measureInterval is how often the memory of a child is measured while it works. Go allocates at
// most two gigabytes a second, so a child takes at most 10 MB between two measurements.
const measureInterval = 5 * time.Millisecond

// watch ends this process when it takes more memory than its work may. Long before that, the
// garbage collector begins to work harder. The function end ends the watch.
//
// If the machine is so busy that the watch comes too late, the limit of the system ends the process
// (limit_linux.go).
func watch(memory int64) (end func()) {
	debug.SetMemoryLimit(memory * 3 / 4)
	limit(memory + 16<<20)
	done := make(chan struct{})
	go func() {
		ticker := time.NewTicker(measureInterval)
		defer ticker.Stop()
		for {
			select {
			case <-done:
				return
			case <-ticker.C:
				if memoryUsed() > memory {
					os.Exit(1)
				}
			}
		}
	}()
	return func() { close(done) }
}

// memoryUsed returns how much memory this process has from the system, in bytes.
func memoryUsed() int64 {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	return int64(samples[0].Value.Uint64() - samples[1].Value.Uint64())
}
