package recorder

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"chela/internal/base/config"
	"chela/internal/wall/secret"
)

// Limits bound a recording. When a limit is exceeded, the oldest entries are removed.
type Limits struct {
	Calls int           // number of calls
	Age   time.Duration // how old a call may be
	Bytes int64         // size of the log and the pictures
}

// eventsPerCall limits the events: a recording keeps at most this many times Limits.Calls.
const eventsPerCall = 4

// A store is the files of a recording: a log with a JSON object in each line, and the pictures. Each
// line is written by one system call, so that it survives when the server is killed. Only one
// goroutine uses a store.
//
// The files are opened for each write. So a profile whose data was moved to the trash is not written
// to any more.
type store struct {
	dir    string
	limits Limits
	append func(file string, raw []byte) error // [config.Append]; tests replace it

	newer  error // a [*config.NewerError] if a newer chela wrote the log
	loaded bool  // the numbers below are known: the log was read
	calls  int
	events int
	bytes  int64     // size of the log and the pictures
	oldest time.Time // time of the oldest call or event; zero if there is none
	first  string    // lowest id of a call; "" if there is none
}

// A line is one line of the log: an entry, an event or a picture. The first line has the version
// instead, except in logs of old versions of chela.
type line struct {
	Version int          `json:"version,omitempty"` // see [config.StateVersion]
	Dropped int          `json:"dropped,omitempty"` // in the first line: number of entries that were removed from the log so far
	Entry   *Entry       `json:"entry,omitempty"`
	Event   *Event       `json:"event,omitempty"`
	Picture *pictureLine `json:"picture,omitempty"`
}

// A pictureLine says that there is a picture for an entry that an earlier line has.
type pictureLine struct {
	Of string `json:"of"` // id of the entry
	Picture
}

func (s *store) log() string { return filepath.Join(s.dir, "log.jsonl") }

// add writes a line. If there is no room for it, add removes the older half of the recording and tries
// again. It returns the first error even if the second attempt succeeds.
func (s *store) add(l line) error {
	raw, err := json.Marshal(l)
	if err != nil {
		return err
	}
	if err := s.load(); err != nil {
		return err
	}
	raw = append(secret.MaskBytes(raw), '\n')
	failed := s.append(s.log(), raw)
	if failed != nil {
		if !isNoRoom(failed) {
			return failed
		}
		if err := errors.Join(s.halve(), s.append(s.log(), raw)); err != nil {
			return err
		}
	}
	s.count(l, int64(len(raw)))
	if s.isOver() {
		return errors.Join(failed, s.trim(s.limits))
	}
	return failed
}

// addPicture writes a picture, and the line that names it. It does nothing if the call was removed
// meanwhile, and does not begin a recording.
func (s *store) addPicture(of string, p Picture, jpeg []byte) error {
	if _, err := os.Stat(s.log()); err != nil {
		return ignored(err, fs.ErrNotExist)
	}
	if err := s.load(); err != nil || s.first == "" || of < s.first {
		return err
	}
	file := filepath.Join(s.dir, p.File)
	if err := s.append(file, jpeg); err != nil {
		os.Remove(file)
		if isNoRoom(err) {
			err = errors.Join(err, s.halve())
		}
		return err
	}
	s.bytes += int64(len(jpeg))
	return s.add(line{Picture: &pictureLine{of, p}})
}

func (s *store) count(l line, bytes int64) {
	s.bytes += bytes
	if l.Entry != nil {
		s.calls++
		if s.first == "" || l.Entry.ID < s.first {
			s.first = l.Entry.ID
		}
		s.noteTime(l.Entry.Time)
	}
	if l.Event != nil {
		s.events++
		s.noteTime(l.Event.Time)
	}
}

// noteTime notes the time of a call or an event, if it is the oldest.
func (s *store) noteTime(t time.Time) {
	if s.oldest.IsZero() || t.Before(s.oldest) {
		s.oldest = t
	}
}

// isOver reports whether the recording must be trimmed. Trimming writes the whole log again, which
// must not happen at each call. So a quarter more calls and events than the limits are allowed, and
// calls may be a quarter older.
func (s *store) isOver() bool {
	allowed := s.limits.Calls + s.limits.Calls/4 + 1
	isOld := !s.oldest.IsZero() && time.Since(s.oldest) > s.limits.Age+s.limits.Age/4
	return isOld || s.calls > allowed || s.events > eventsPerCall*allowed || s.bytes > s.limits.Bytes
}

// expire removes what is too old from a recording that nothing is added to. A missing recording is
// not begun, and one of a newer chela stays as it is.
func (s *store) expire() error {
	if _, err := os.Stat(s.log()); err != nil {
		return ignored(err, fs.ErrNotExist)
	}
	if err := s.load(); err != nil || !s.isOver() {
		return ignored(err, s.newer)
	}
	return s.trim(s.limits)
}

// ignored returns an error, unless it is one that does not matter.
func ignored(err, which error) error {
	if which != nil && errors.Is(err, which) {
		return nil
	}
	return err
}

// load counts what the log has, unless that is known. It makes the folder of the recording, but fails
// if the folder of the profile is missing. In a new folder nothing is known: the recording was
// cleared, or its profile's data were moved away.
func (s *store) load() error {
	switch err := os.Mkdir(s.dir, 0o700); {
	case err == nil:
		s.loaded, s.newer = false, nil
	case !errors.Is(err, fs.ErrExist):
		return err
	}
	if s.loaded || s.newer != nil {
		return s.newer
	}
	raw, err := config.ReadFile(s.log())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if s.newer = checkVersion(s.log(), raw); s.newer != nil {
		return s.newer
	}
	if len(raw) == 0 {
		if err := s.append(s.log(), versionLine(0)); err != nil {
			return err
		}
	}
	if len(raw) > 0 && raw[len(raw)-1] != '\n' { // the machine lost power while a line was written
		if err := s.append(s.log(), []byte("\n")); err != nil {
			return err
		}
	}
	s.calls, s.events, s.bytes, s.oldest, s.first, s.loaded = 0, 0, int64(len(raw)), time.Time{}, "", true
	for l := range lines(raw) {
		s.count(l, 0)
	}
	s.bytes += s.pictureBytes()
	return nil
}

// checkVersion returns a [*config.NewerError] if a newer chela wrote the log. Such a log is neither
// read nor changed.
func checkVersion(file string, log []byte) error {
	for l := range lines(log) {
		return config.CheckVersion(file, l.Version)
	}
	return nil
}

// versionLine returns the first line of a log from which so many entries were removed.
func versionLine(dropped int) []byte {
	raw, _ := json.Marshal(line{Version: config.StateVersion, Dropped: dropped})
	return append(raw, '\n')
}

// pictureBytes returns the size of all pictures.
func (s *store) pictureBytes() (sum int64) {
	files, _ := os.ReadDir(s.dir)
	for _, file := range files {
		if info, err := file.Info(); err == nil && filepath.Ext(file.Name()) == pictureExt {
			sum += info.Size()
		}
	}
	return sum
}

const pictureExt = ".jpg"

// lines yields the lines of a log. It leaves out a line that was only partly written.
func lines(raw []byte) func(yield func(line) bool) {
	return func(yield func(line) bool) {
		for text := range bytes.Lines(raw) {
			var l line
			if json.Unmarshal(text, &l) == nil && !yield(l) {
				return
			}
		}
	}
}

// read returns what is recorded, within the limits.
func (s *store) read(limits Limits) (r Recording, err error) {
	raw, err := config.ReadFile(s.log())
	if errors.Is(err, fs.ErrNotExist) {
		return Recording{}, nil
	}
	if err != nil {
		return Recording{}, err
	}
	if err := checkVersion(s.log(), raw); err != nil {
		return Recording{}, err
	}
	pictures := map[string]Picture{}
	for l := range lines(raw) {
		r.Dropped += l.Dropped
		switch {
		case l.Entry != nil:
			r.Entries = append(r.Entries, *l.Entry)
		case l.Event != nil:
			r.Events = append(r.Events, *l.Event)
		case l.Picture != nil:
			pictures[l.Picture.Of] = l.Picture.Picture
		}
	}
	for i := range r.Entries {
		if p, ok := pictures[r.Entries[i].ID]; ok {
			r.Entries[i].Picture = &p
		}
	}
	r.shorten(limits, time.Now())
	return r, nil
}

// shorten drops the oldest entries beyond the limits, and the events before the first entry that
// stays. It ignores limits.Bytes, which trim enforces.
func (r *Recording) shorten(limits Limits, now time.Time) {
	first := max(0, len(r.Entries)-limits.Calls)
	for first < len(r.Entries) && now.Sub(r.Entries[first].Time) > limits.Age {
		first++
	}
	r.Dropped += first
	r.Entries = slices.Clone(r.Entries[first:])
	if len(r.Entries) == 0 {
		r.Events = nil
		return
	}
	since := r.Entries[0].Time
	r.Events = slices.DeleteFunc(r.Events, func(e Event) bool { return e.Time.Before(since) })
	r.Events = r.Events[max(0, len(r.Events)-eventsPerCall*limits.Calls):]
}

// isNoRoom reports whether an error means that only a smaller recording could be written. The disk is
// full, or a file has reached the limit of this process.
func isNoRoom(err error) bool { return config.IsNoSpace(err) || errors.Is(err, syscall.EFBIG) }

// halve removes the older half of the recording.
func (s *store) halve() error {
	half := s.limits
	half.Calls, half.Bytes = max(1, min(s.calls, s.limits.Calls)/2), max(1, min(s.bytes, s.limits.Bytes)/2)
	return s.trim(half)
}

// trim removes the oldest entries beyond the limits. It removes their pictures first, since the disk
// may be full.
func (s *store) trim(limits Limits) error {
	r, err := s.read(limits)
	if err != nil {
		return err
	}
	for sum := s.sizeOf(r); sum > limits.Bytes && len(r.Entries) > 1; sum = s.sizeOf(r) {
		r.shorten(Limits{Calls: len(r.Entries) - max(1, len(r.Entries)/10), Age: limits.Age}, time.Now())
	}
	s.keepPictures(r)
	return s.rewrite(r)
}

// sizeOf returns roughly how many bytes a recording takes.
func (s *store) sizeOf(r Recording) (sum int64) {
	for _, e := range r.Entries {
		if e.Picture != nil {
			if info, err := os.Stat(filepath.Join(s.dir, e.Picture.File)); err == nil {
				sum += info.Size()
			}
		}
	}
	raw, _ := encode(r)
	return sum + int64(len(raw))
}

// keepPictures removes all pictures but those of a recording.
func (s *store) keepPictures(r Recording) {
	kept := map[string]bool{}
	for _, e := range r.Entries {
		if e.Picture != nil {
			kept[e.Picture.File] = true
		}
	}
	files, _ := os.ReadDir(s.dir)
	for _, file := range files {
		if filepath.Ext(file.Name()) == pictureExt && !kept[file.Name()] {
			os.Remove(filepath.Join(s.dir, file.Name()))
		}
	}
}

// rewrite replaces the log by one with the given recording. Until the new log is complete, the old
// one stays. If the disk has no room for both, the old one is overwritten.
func (s *store) rewrite(r Recording) error {
	raw, err := encode(r)
	if err != nil {
		return err
	}
	s.loaded = false // load counts again
	next := s.log() + ".new"
	os.Remove(next) // a server that was killed may have left this file
	err = s.append(next, raw)
	if err == nil {
		err = os.Rename(next, s.log())
		return errors.Join(err, s.load())
	}
	os.Remove(next)
	if !isNoRoom(err) {
		return err
	}
	err = errors.Join(os.Truncate(s.log(), 0), s.append(s.log(), raw))
	return errors.Join(err, s.load())
}

// encode returns a recording as the lines of a log.
func encode(r Recording) ([]byte, error) {
	var all bytes.Buffer
	all.Write(versionLine(r.Dropped))
	out := json.NewEncoder(&all)
	for _, e := range r.Entries {
		picture := e.Picture
		e.Picture = nil
		if err := out.Encode(line{Entry: &e}); err != nil {
			return nil, err
		}
		if picture == nil {
			continue
		}
		if err := out.Encode(line{Picture: &pictureLine{e.ID, *picture}}); err != nil {
			return nil, err
		}
	}
	for _, e := range r.Events {
		if err := out.Encode(line{Event: &e}); err != nil {
			return nil, err
		}
	}
	return secret.MaskLines(all.Bytes()), nil
}

// clear removes the recording.
func (s *store) clear() error { return os.RemoveAll(s.dir) }
