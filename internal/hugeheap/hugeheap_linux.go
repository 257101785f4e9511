package hugeheap

import (
	"syscall"
	"unsafe"
)

// Values of Linux that package syscall does not have.
const (
	madvHugepage = 14 // make large pages when memory is touched
	madvCollapse = 25 // make a large page of small ones now, and copy what they have; since Linux 6.1
	largePage    = 2 << 20
)

// recent is on the heap, so that its address tells where that grows.
var recent *[1024]byte

// The heap begins somewhere in a part of 4 MB, and grows upwards without gaps until the program
// has started. The large page that it has reached has small ones already. To copy them is worth
// it if a good part of it is still to be filled; the next one is empty.
//
// Packages are initialized in the order of their import paths, as far as what they import has
// been. This one imports next to nothing, so it is among the first.
//
// These are hints: kernels that do not know them, or whose administrator has turned large pages
// off, go on as before.
func init() {
	recent = new([1024]byte)
	at := uintptr(unsafe.Pointer(recent))
	begin := at &^ (largePage - 1)
	syscall.Syscall(syscall.SYS_MADVISE, begin, 2*largePage, madvHugepage)
	if at-begin < largePage*3/4 {
		syscall.Syscall(syscall.SYS_MADVISE, begin, largePage, madvCollapse)
	}
}
