package recorder

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"chela/internal/base/config"
)

// storeIn returns a store in a new folder.
func storeIn(t *testing.T, limits Limits) *store {
	t.Helper()
	return &store{dir: filepath.Join(t.TempDir(), "recorder"), limits: limits, append: config.Append}
}

// record adds the calls from from up to to, each with a picture of the given number of bytes.
func record(t *testing.T, s *store, from, to int, picture int) {
	t.Helper()
	for i := from; i < to; i++ {
		id := fmt.Sprintf("c%05d", i)
		e := Entry{ID: id, Time: time.Now(), Tab: "t1", Op: "click"}
		if err := s.add(line{Entry: &e}); err != nil {
			t.Fatal(err)
		}
		if err := s.add(line{Event: &Event{Time: time.Now(), Tab: "t1", Kind: Console, Text: id}}); err != nil {
			t.Fatal(err)
		}
		if picture > 0 {
			if err := s.addPicture(id, Picture{File: id + pictureExt}, make([]byte, picture)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// span returns the first and the last id of a recording, and the number of its pictures.
func span(t *testing.T, s *store) (first, last string, pictures int) {
	t.Helper()
	r, err := s.read(s.limits)
	if err != nil || len(r.Entries) == 0 {
		t.Fatalf("%d entries, %v", len(r.Entries), err)
	}
	for _, e := range r.Entries {
		if e.Picture != nil {
			pictures++
		}
	}
	return r.Entries[0].ID, r.Entries[len(r.Entries)-1].ID, pictures
}

func TestOldestMakeRoom(t *testing.T) {
	s := storeIn(t, Limits{Calls: 20, Age: time.Hour, Bytes: 1 << 20})
	record(t, s, 0, 100, 10)
	if first, last, pictures := span(t, s); first != "c00080" || last != "c00099" || pictures != 20 {
		t.Errorf("%s to %s with %d pictures; want c00080 to c00099 with 20", first, last, pictures)
	}
	again := &store{dir: s.dir, limits: s.limits, append: s.append} // as after a start of the server
	if r, err := again.read(again.limits); err != nil || r.Dropped != 80 {
		t.Errorf("%d calls were dropped, %v; want 80", r.Dropped, err)
	}
	r, _ := s.read(s.limits)
	if len(r.Events) != 20 || r.Events[0].Text != "c00080" {
		t.Errorf("%d events from %q", len(r.Events), r.Events[0].Text)
	}
	files, _ := os.ReadDir(s.dir)
	if len(files) > 25 {
		t.Errorf("%d files are left", len(files))
	}
}

func TestBytesAreLimited(t *testing.T) {
	s := storeIn(t, Limits{Calls: 1000, Age: time.Hour, Bytes: 100_000})
	record(t, s, 0, 100, 5000)
	sum := int64(0)
	files, _ := os.ReadDir(s.dir)
	for _, f := range files {
		info, err := f.Info()
		if err != nil {
			t.Fatal(err)
		}
		sum += info.Size()
	}
	first, last, pictures := span(t, s)
	if last != "c00099" || sum > 110_000 || pictures < 10 {
		t.Errorf("%d bytes, %s to %s with %d pictures", sum, first, last, pictures)
	}
}

func TestOldCallsAreLeftOut(t *testing.T) {
	s := storeIn(t, Limits{Calls: 10, Age: time.Hour, Bytes: 1 << 20})
	old := Entry{ID: "old", Time: time.Now().Add(-2 * time.Hour)}
	if err := s.add(line{Entry: &old}); err != nil {
		t.Fatal(err)
	}
	record(t, s, 0, 3, 0)
	if first, last, _ := span(t, s); first != "c00000" || last != "c00002" {
		t.Errorf("%s to %s", first, last)
	}
}

// What is too old is removed from the disk: when a store is used again, and while it is at rest.
func TestOldCallsAreRemoved(t *testing.T) {
	s := storeIn(t, Limits{Calls: 10, Age: time.Hour, Bytes: 1 << 20})
	if err := s.expire(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(s.dir); err == nil {
		t.Error("a profile without a recording has got one")
	}
	old := Entry{ID: "old", Time: time.Now().Add(-time.Minute)}
	if err := s.add(line{Entry: &old}); err != nil {
		t.Fatal(err)
	}
	if err := s.addPicture("old", Picture{File: "old" + pictureExt}, make([]byte, 10)); err != nil {
		t.Fatal(err)
	}
	kept := func() string {
		log, err := os.ReadFile(s.log())
		files, _ := os.ReadDir(s.dir)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(string(log), files)
	}
	again := &store{dir: s.dir, limits: s.limits, append: config.Append}
	if err := again.expire(); err != nil || !strings.Contains(kept(), `"old"`) {
		t.Errorf("%v: it has only %s", err, kept())
	}
	again.limits.Age = 30 * time.Second
	if err := again.expire(); err != nil || strings.Contains(kept(), "old") {
		t.Errorf("%v: at rest it has %s", err, kept())
	}
	s.limits.Age = time.Hour
	if err := s.add(line{Event: &Event{Time: time.Now().Add(-time.Minute), Text: "before"}}); err != nil {
		t.Fatal(err)
	}
	next := &store{dir: s.dir, limits: again.limits, append: config.Append}
	record(t, next, 0, 1, 0)
	if strings.Contains(kept(), "before") || !strings.Contains(kept(), "c00000") {
		t.Errorf("after the next call it has %s", kept())
	}
}

// After a loss of power, the last line of the log may be incomplete. It is left out, and later lines
// are read.
func TestBrokenLine(t *testing.T) {
	s := storeIn(t, Limits{Calls: 10, Age: time.Hour, Bytes: 1 << 20})
	record(t, s, 0, 2, 0)
	f, err := os.OpenFile(s.log(), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString(`{"entry":{"id":"c000`)
	f.Close()
	next := &store{dir: s.dir, limits: s.limits, append: config.Append}
	record(t, next, 7, 9, 0)
	if first, last, _ := span(t, next); first != "c00000" || last != "c00008" {
		t.Errorf("%s to %s", first, last)
	}
}

// On a full disk the oldest calls make room for new ones.
func TestFullDisk(t *testing.T) {
	const room = 50_000
	s := storeIn(t, Limits{Calls: 1000, Age: time.Hour, Bytes: 1 << 30})
	used := func() (sum int64) {
		files, _ := os.ReadDir(s.dir)
		for _, f := range files {
			if info, err := f.Info(); err == nil {
				sum += info.Size()
			}
		}
		return sum
	}
	s.append = func(file string, raw []byte) error {
		if used()+int64(len(raw)) > room {
			return config.NoSpace[0]
		}
		return config.Append(file, raw)
	}
	for i := range 100 {
		id := fmt.Sprintf("c%05d", i)
		s.add(line{Entry: &Entry{ID: id, Time: time.Now(), Error: strings.Repeat("x", 1000)}})
		s.addPicture(id, Picture{File: id + pictureExt}, make([]byte, 1000))
	}
	if first, last, pictures := span(t, s); last != "c00099" || first < "c00060" || pictures < 5 {
		t.Errorf("%s to %s with %d pictures", first, last, pictures)
	}
}

// If a write fails for another reason than a full disk, the calls that are recorded stay.
func TestFailingDisk(t *testing.T) {
	for _, failure := range []error{syscall.EACCES, syscall.EMFILE, syscall.EIO} {
		s := storeIn(t, Limits{Calls: 20, Age: time.Hour, Bytes: 1 << 20})
		record(t, s, 0, 25, 10)
		failing := false
		s.append = func(file string, raw []byte) error {
			if failing = failing || strings.HasSuffix(file, ".new"); failing { // from when a log is written again
				return failure
			}
			return config.Append(file, raw)
		}
		for i := 25; i < 40; i++ {
			id := fmt.Sprintf("c%05d", i)
			s.add(line{Entry: &Entry{ID: id, Time: time.Now()}})
			s.addPicture(id, Picture{File: id + pictureExt}, make([]byte, 10))
		}
		if err := s.add(line{Entry: &Entry{ID: "c00040", Time: time.Now()}}); !errors.Is(err, failure) {
			t.Errorf("%v: the error is %v", failure, err)
		}
		if r, err := s.read(s.limits); err != nil || len(r.Entries) != 20 {
			t.Errorf("%v: %d calls are left, %v; want 20", failure, len(r.Entries), err)
		}
		failing, s.append = false, config.Append
		record(t, s, 41, 42, 10)
		if _, last, pictures := span(t, s); last != "c00041" || pictures < 10 {
			t.Errorf("%v: up to %s with %d pictures after the failure", failure, last, pictures)
		}
	}
}

// Nothing is written for a profile whose folder was removed.
func TestGoneProfile(t *testing.T) {
	profile := filepath.Join(t.TempDir(), "work")
	r := New(filepath.Join(profile, "recorder"), func() Limits { return Limits{Calls: 10, Age: time.Hour, Bytes: 1 << 20} })
	r.Add(Entry{Op: "click"})
	got, err := r.Read(t.Context())
	r.Close()
	if _, failed := os.Stat(profile); !os.IsNotExist(failed) || err != nil || len(got.Entries) != 0 || r.TakeProblem() != "" {
		t.Errorf("%v: %v, %v, %q", failed, got, err, r.TakeProblem())
	}
}

// The data of a profile can be moved away while the server runs. Then another recording begins.
func TestRecordingThatWasMovedAway(t *testing.T) {
	s := storeIn(t, Limits{Calls: 20, Age: time.Hour, Bytes: 1 << 20})
	newer := fmt.Sprintf("{\"version\": %d}\n", config.StateVersion+1)
	record(t, s, 0, 25, 10)
	for _, before := range []func(){
		func() {},
		func() {
			if err := os.WriteFile(s.log(), []byte(newer), 0o600); err != nil {
				t.Fatal(err)
			}
			*s = store{dir: s.dir, limits: s.limits, append: s.append}
			if err := s.add(line{Event: &Event{}}); err == nil {
				t.Error("a recording of a newer chela was changed")
			}
		},
	} {
		before()
		if err := os.Rename(s.dir, filepath.Join(t.TempDir(), "trash")); err != nil {
			t.Fatal(err)
		}
		record(t, s, 0, 3, 0)
		log, err := os.ReadFile(s.log())
		if err != nil || !strings.HasPrefix(string(log), string(versionLine(0))) || s.calls != 3 {
			t.Errorf("%v: of %d calls there is %s", err, s.calls, log)
		}
	}
}

// A picture that comes after its call was removed is not written, and begins no recording.
func TestPictureOfRemovedCall(t *testing.T) {
	for name, remove := range map[string]func(*store) error{
		"cleared": (*store).clear,
		"moved":   func(s *store) error { return os.Rename(s.dir, filepath.Join(t.TempDir(), "trash")) },
	} {
		s := storeIn(t, Limits{Calls: 10, Age: time.Hour, Bytes: 1 << 20})
		late := func() error { return s.addPicture("c00000", Picture{File: "c00000.jpg"}, make([]byte, 10)) }
		record(t, s, 0, 1, 0)
		if err := remove(s); err != nil {
			t.Fatal(err)
		}
		if err := late(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Stat(s.dir); !os.IsNotExist(err) {
			t.Errorf("%s: the picture has begun a recording: %v", name, err)
		}
		for _, next := range []func(){
			func() { s.add(line{Event: &Event{Time: time.Now()}}) },
			func() { record(t, s, 1, 2, 0) },
		} {
			next()
			if err := late(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if _, err := os.Stat(filepath.Join(s.dir, "c00000.jpg")); !os.IsNotExist(err) {
				t.Errorf("%s: the picture was written: %v", name, err)
			}
		}
		record(t, s, 2, 3, 10)
		if _, last, pictures := span(t, s); last != "c00002" || pictures != 1 {
			t.Errorf("%s: up to %s there are %d pictures, want one", name, last, pictures)
		}
	}
}

// What was added can be read at once, and by the next server.
func TestRecorder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "recorder")
	limits := func() Limits { return Limits{Calls: 10, Age: time.Hour, Bytes: 1 << 20} }
	first := New(dir, limits)
	id := first.Add(Entry{Time: time.Now(), Op: "click"})
	first.AddPicture(id, Picture{Width: 1280, Height: 720}, []byte("jpeg"))
	first.AddEvent(Event{Time: time.Now(), Kind: Dialog, Text: "alert: hi"})
	first.Close()
	next := New(dir, limits)
	defer next.Close()
	if later := next.Add(Entry{Time: time.Now(), Op: "type"}); later <= id {
		t.Errorf("id %s after %s", later, id)
	}
	r, err := next.Read(t.Context())
	if err != nil || len(r.Entries) != 2 || len(r.Events) != 1 || r.Entries[0].Picture == nil || r.Entries[0].Picture.Width != 1280 {
		t.Fatalf("%+v, %v", r, err)
	}
	if jpeg, err := next.ReadPicture(t.Context(), r.Entries[0].Picture.File); string(jpeg) != "jpeg" || err != nil {
		t.Errorf("the picture is %q, %v", jpeg, err)
	}
	if err := next.Clear(t.Context()); err != nil {
		t.Fatal(err)
	}
	if r, err = next.Read(t.Context()); err != nil || len(r.Entries)+len(r.Events)+r.Dropped != 0 {
		t.Errorf("after clear: %+v, %v", r, err)
	}
	next.Add(Entry{Time: time.Now(), Op: "press"})
	if r, err = next.Read(t.Context()); err != nil || len(r.Entries) != 1 {
		t.Errorf("after clear and a call: %+v, %v", r, err)
	}
}
