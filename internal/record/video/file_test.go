package video

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/at-wat/ebml-go"
	"github.com/at-wat/ebml-go/webm"
)

// writeFile writes a file with 61 pictures in 60 seconds, and calls between after half of them. Every
// third picture is a key picture. It returns the file as the library reads it, and the error of close.
func writeFile(t *testing.T, between func(*file)) (webm.Segment, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "video.webm")
	f, err := newFile(path, 640, 480)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 61 {
		if i == 30 {
			between(f)
		}
		f.add([]chunk{{At: int64(i) * 1_000_000, Key: i%3 == 0, Data: make([]byte, 1000)}})
	}
	failed := f.close()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var read struct {
		Segment webm.Segment `ebml:"Segment,size=unknown"`
	}
	if err := ebml.Unmarshal(bytes.NewReader(raw), &read, ebml.WithIgnoreUnknown(true)); err != nil {
		t.Fatal(err)
	}
	return read.Segment, failed
}

// The index lists each key picture, and the header has the duration.
func TestFile(t *testing.T) {
	s, err := writeFile(t, func(*file) {})
	if err != nil {
		t.Fatal(err)
	}
	if s.Info.Duration != 60_000 {
		t.Errorf("the duration is %v ms", s.Info.Duration)
	}
	if s.Cues == nil || len(s.Cues.CuePoint) != 21 {
		t.Fatalf("the index is %+v", s.Cues)
	}
	for i, cue := range s.Cues.CuePoint {
		if cue.CueTime != uint64(3000*i) {
			t.Errorf("entry %d is for %d ms", i, cue.CueTime)
		}
	}
}

// When the disk is full, the file ends with what was written, and still gets its index. Adding
// pictures does not block.
func TestFileOnAFullDisk(t *testing.T) {
	full := errors.New("no space left")
	s, err := writeFile(t, func(f *file) { f.out.failed(full) })
	if err != full {
		t.Errorf("the error is %v", err)
	}
	if s.Cues == nil || len(s.Cluster) == 0 || len(s.Cluster) > 11 {
		t.Errorf("%d clusters, the index is %+v", len(s.Cluster), s.Cues)
	}
}
