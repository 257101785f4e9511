package video

import (
	"os"
	"sync"
	"time"

	"github.com/at-wat/ebml-go/mkvcore"
	"github.com/at-wat/ebml-go/webm"
)

// A file is a WebM file with one VP9 track. Its index (Cues) lists the key pictures, and its header has
// the duration. Space is left for both at the beginning, and filled when the file is closed.
type file struct {
	out   *output
	track mkvcore.BlockWriteCloser
}

// maxCues is the space for the index, in bytes. An entry takes about 20.
const maxCues = 8 << 10

// newFile begins a file. Errors come from the file system.
func newFile(path string, width, height int) (*file, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	out := &output{file: f}
	tracks, err := mkvcore.NewSimpleBlockWriter(out, []mkvcore.TrackDescription{{TrackNumber: 1, TrackEntry: webm.TrackEntry{
		TrackNumber: 1, TrackUID: 1, TrackType: videoTrack, CodecID: "V_VP9",
		Video: &webm.Video{PixelWidth: uint64(width), PixelHeight: uint64(height)},
	}}},
		mkvcore.WithEBMLHeader(webm.DefaultEBMLHeader),
		mkvcore.WithSegmentInfo(&webm.Info{TimecodeScale: uint64(time.Millisecond), MuxingApp: "chela", WritingApp: "chela"}),
		mkvcore.WithSeekHead(true), mkvcore.WithCues(maxCues),
		// The index lists clusters. Each key picture begins a cluster, so that the index has it.
		mkvcore.WithMinMaxClusterDuration(1, 1, maxCluster.Milliseconds()),
	)
	if err != nil {
		f.Close()
		return nil, err
	}
	return &file{out, tracks[0]}, nil
}

// videoTrack is the type of a track with pictures.
const videoTrack = 1

// maxCluster is the longest duration of a cluster. A cluster stores the times of its pictures as
// signed 16-bit numbers of milliseconds.
const maxCluster = 0x7fff * time.Millisecond

// add writes chunks, and returns their size. After an error of the file system nothing more is
// written; see [file.close].
func (f *file) add(chunks []chunk) (bytes int64) {
	for _, c := range chunks {
		f.track.Write(c.Key, c.At/1000, c.Data) // Write only queues the picture
		bytes += int64(len(c.Data))
	}
	return bytes
}

// err returns the first error of the file system.
func (f *file) err() error {
	f.out.mu.Lock()
	defer f.out.mu.Unlock()
	return f.out.err
}

// close writes the index and the duration. After an error of the file system, the file ends at the
// last picture before the error, and can be played that far. Then close returns that error.
func (f *file) close() error {
	f.track.Close()
	return f.err()
}

// An output is the file to which the WebM library writes. It hides errors from the library. After an
// error, the library would take no more pictures, and a goroutine that adds one would wait for ever.
// After the first error, Write appends nothing more. WriteAt only fills space that was left empty.
type output struct {
	file *os.File

	mu  sync.Mutex // guards the rest
	err error      // the first error
}

// Write appends to the file.
func (o *output) Write(b []byte) (int, error) {
	if o.failed(nil) {
		return len(b), nil
	}
	_, err := o.file.Write(b)
	o.failed(err)
	return len(b), nil
}

// WriteAt overwrites a part of the file.
func (o *output) WriteAt(b []byte, at int64) (int, error) {
	_, err := o.file.WriteAt(b, at)
	o.failed(err)
	return len(b), nil
}

// Close closes the file.
func (o *output) Close() error {
	o.failed(o.file.Close())
	return nil
}

// failed keeps an error if it is the first one. It reports whether there has been an error so far.
func (o *output) failed(err error) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil {
		o.err = err
	}
	return o.err != nil
}
