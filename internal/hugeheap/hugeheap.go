// Package hugeheap has the kernel make the beginning of the heap of a few large pages. A program
// imports it for this effect alone.
//
// Until its main function a program such as this one fills 1.5 MB of its heap. The kernel makes
// that memory of pages of 4 KB, each when it is touched for the first time: 400 faults, at more
// than a microsecond each, which is a tenth of the time of a short command. One page of 2 MB takes
// as long as 30 of the small ones.
package hugeheap
