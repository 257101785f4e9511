//go:build unix

package pdftext

import "syscall"

// maxCPU is after how many seconds of work the process is ended, also if nobody waits for it any more.
const maxCPU = 25

// limit limits what this process may take. Memory that is only reserved does not count.
func limit() {
	syscall.Setrlimit(syscall.RLIMIT_DATA, &syscall.Rlimit{Cur: maxMemory, Max: maxMemory})
	syscall.Setrlimit(syscall.RLIMIT_CPU, &syscall.Rlimit{Cur: maxCPU, Max: maxCPU})
}
