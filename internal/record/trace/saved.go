package trace

import (
	"archive/zip"
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// The limits of reading a trace. A ZIP file may have been made to exhaust memory, so no size or count
// in it is trusted. Traces that chela has made are within these limits.
const (
	maxDirectory = 8 << 20            // bytes of the list of the files in the ZIP file
	maxLines     = maxBytes * 12 / 10 // all lines of a file, after decompression
	maxLine      = 4 << 20            // one line; a longer one is skipped
	maxCount     = 500_000            // how many lines of a file are read
	maxKept      = 64 << 20           // all lines that are kept in memory
	maxStill     = 1 << 20            // one picture
)

// ErrNoTrace says that a file is not a trace that this program can read.
var ErrNoTrace = errors.New("the file is no trace that chela has saved")

// A Saved is a trace that was saved as a ZIP file.
type Saved struct {
	files  map[string]*zip.File
	kept   int // bytes of the lines that were kept
	events []savedLine
	failed []savedRequest
	cut    bool // lines were left out
}

// Open reads the lines of a trace from a file of this size. The file must stay open while pictures
// are read. The error wraps ErrNoTrace if the file is not a trace.
func Open(file io.ReaderAt, size int64) (*Saved, error) {
	limited := &directoryReader{file, maxDirectory}
	z, err := zip.NewReader(limited, size)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoTrace, err)
	}
	limited.left = -1
	s := &Saved{files: map[string]*zip.File{}}
	for _, f := range z.File {
		s.files[f.Name] = f
	}
	if err := s.eachLine("trace.trace", s.readEvent); err != nil {
		return nil, err
	}
	if len(s.events) == 0 || s.events[0].Type != "context-options" {
		return nil, fmt.Errorf("%w: it does not begin as one", ErrNoTrace)
	}
	if version := s.events[0].Version; version != formatVersion {
		return nil, fmt.Errorf("%w: its format has version %d, not %d", ErrNoTrace, version, formatVersion)
	}
	if err := s.eachLine("trace.network", s.readRequest); err != nil {
		return nil, err
	}
	return s, nil
}

// Title returns the title of the trace.
func (s *Saved) Title() string { return s.events[0].Title }

// Missing returns why parts of the trace were not read; "" if all was read.
func (s *Saved) Missing() string {
	if s.cut {
		return "the trace is longer than a report can show"
	}
	return ""
}

// Picture returns a picture of the film, by the name of its file in the ZIP file.
func (s *Saved) Picture(name string) ([]byte, error) {
	f := s.files[name]
	if f == nil {
		return nil, fmt.Errorf("the trace has no file %q", name)
	}
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	content, err := io.ReadAll(io.LimitReader(r, maxStill+1))
	if err == nil && len(content) > maxStill {
		err = fmt.Errorf("the picture is larger than %d bytes", maxStill)
	}
	return content, err
}

// eachLine calls the function read with each line of a file, until all lines have been read or a
// limit is reached. The line is valid only during the call. The error wraps ErrNoTrace.
func (s *Saved) eachLine(name string, read func(line []byte)) error {
	f := s.files[name]
	if f == nil {
		return fmt.Errorf("%w: it has no file %s", ErrNoTrace, name)
	}
	content, err := f.Open()
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNoTrace, err)
	}
	defer content.Close()
	bounded := &io.LimitedReader{R: content, N: maxLines}
	lines := bufio.NewReaderSize(bounded, 1<<16)
	var line []byte
	for count := 0; ; {
		part, err := lines.ReadSlice('\n')
		if len(line)+len(part) <= maxLine {
			line = append(line, part...)
		} else {
			s.cut = true
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && !errors.Is(err, io.EOF):
			return fmt.Errorf("%w: %w", ErrNoTrace, err)
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			read(line)
		}
		line = line[:0]
		if count++; err != nil || count > maxCount {
			s.cut = s.cut || err == nil || bounded.N == 0
			return nil
		}
	}
}

// A directoryReader reads a ZIP file. The field left limits how many bytes of the list of the files
// [zip.NewReader] may read, since zip.NewReader allocates memory for each entry. If left is
// negative, there is no limit.
type directoryReader struct {
	file io.ReaderAt
	left int64
}

var errDirectory = errors.New("the list of its files is too long")

// ReadAt reads from the file. [zip.NewReader] uses it from one goroutine.
func (r *directoryReader) ReadAt(p []byte, at int64) (int, error) {
	if r.left < 0 {
		return r.file.ReadAt(p, at)
	}
	if r.left -= int64(len(p)); r.left < 0 {
		r.left = 0
		return 0, errDirectory
	}
	return r.file.ReadAt(p, at)
}
