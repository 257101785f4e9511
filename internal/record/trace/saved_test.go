package trace

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"chela/internal/record/recorder"
)

// zipped returns a ZIP file with these files, in pairs of a name and a content.
func zipped(t testing.TB, files ...string) *bytes.Reader {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for i := 0; i < len(files); i += 2 {
		w, err := z.Create(files[i])
		if err == nil {
			_, err = io.WriteString(w, files[i+1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return bytes.NewReader(out.Bytes())
}

const firstLine = `{"type":"context-options","version":9,"wallTime":1000000,"monotonicTime":1,"title":"profile chela"}` + "\n"

// A trace becomes a recording: calls with their effects, mouse positions and pictures, and the events
// of the tabs.
func TestRecordingOfATrace(t *testing.T) {
	events := firstLine + `{"type":"event","time":2,"class":"BrowserContext","method":"page","params":{"pageId":"page@A"}}
{"type":"screencast-frame","pageId":"page@A","file":"screencast/a.jpeg","width":1280,"height":800,"timestamp":5}
{"type":"screencast-frame","pageId":"page@A","file":"screencast/b.jpeg","width":1280,"height":800,"timestamp":40}
{"type":"event","time":45,"class":"BrowserContext","method":"page","params":{"pageId":"page@B"}}
{"type":"frame-snapshot","snapshot":{"callId":"call@1","phase":"after","pageId":"page@A","frameUrl":"http://shop.test/","html":["HTML"],"isMainFrame":true}}
{"type":"before","callId":"call@1","startTime":11,"title":"click e2","method":"click","params":{"ref":"e2"},"pageId":"page@A"}
{"type":"input","callId":"call@1","point":{"x":30,"y":50}}
{"type":"log","callId":"call@1","time":20,"message":"called by claude-code"}
{"type":"log","callId":"call@1","time":21,"message":"began: newTab"}
{"type":"after","callId":"call@1","endTime":51}
{"type":"before","callId":"call@3","startTime":101,"title":"type e3","method":"type","params":{"ref":"e3"},"pageId":"page@A","parentId":"call@2"}
{"type":"after","callId":"call@3","endTime":111}
{"type":"before","callId":"call@2","startTime":101,"title":"batch","method":"batch","params":{},"pageId":"page@A"}
{"type":"after","callId":"call@2","endTime":121,"error":{"name":"Error","message":"no element e3"}}
{"type":"console","time":31,"pageId":"page@A","messageType":"log","text":"not kept"}
{"type":"console","time":32,"pageId":"page@A","messageType":"warning","text":"old","location":{"url":"http://shop.test/app.js"}}
{"type":"event","time":33,"class":"BrowserContext","method":"pageError","pageId":"page@A","params":{"error":{"error":{"name":"TypeError","message":"x is null"}},"location":{"url":"http://shop.test/app.js"}}}
not JSON
{"type":"future","callId":"call@1"}
`
	requests := `{"type":"resource-snapshot","snapshot":{"pageref":"page@A","_monotonicTime":34,"time":3,"request":{"method":"GET","url":"http://shop.test/x"},"response":{"status":404}}}
{"type":"resource-snapshot","snapshot":{"pageref":"page@A","_monotonicTime":35,"time":3,"request":{"method":"GET","url":"http://shop.test/ok"},"response":{"status":200}}}
{"type":"resource-snapshot","snapshot":{"pageref":"page@A","_monotonicTime":36,"time":3,"request":{"method":"POST","url":"http://shop.test/y"},"response":{"status":0,"_failureText":"net::ERR_FAILED"}}}
`
	file := zipped(t, "trace.trace", events, "trace.network", requests, "screencast/a.jpeg", "A", "screencast/b.jpeg", "B")
	s, err := Open(file, file.Size())
	if err != nil {
		t.Fatal(err)
	}
	r := s.Recording()
	var got []string
	for _, e := range r.Entries {
		line := fmt.Sprintf("%s %s %s %d %v %q", e.Tab, e.Op, e.Title, e.Ms, e.Part, e.Effects)
		if e.Element != nil {
			line += fmt.Sprintf(" on %s", e.Element.Ref)
			if e.Element.Box != nil {
				line += fmt.Sprintf(" %v", *e.Element.Box)
			}
		}
		if e.Picture != nil {
			line += " " + e.Picture.File
		}
		got = append(got, strings.TrimSpace(fmt.Sprintf("%s %s %s", line, e.URL, e.Error)))
	}
	want := []string{
		`t1 click click e2 40 false ["newTab"] on e2 {30 50 0 0} screencast/b.jpeg http://shop.test/`,
		`t1 type type e3 10 true [] on e3 screencast/b.jpeg`,
		`t1 batch batch 20 false [] screencast/b.jpeg  no element e3`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if e := r.Entries[0]; e.Caller != "claude-code" || e.Time.UnixMilli() != 1000010 {
		t.Errorf("called by %q at %d", e.Caller, e.Time.UnixMilli())
	}
	var happened []string
	for _, e := range r.Events {
		happened = append(happened, fmt.Sprintf("%s %s %s %s %d", e.Tab, e.Kind, e.Text, e.URL, e.Status))
	}
	wantEvents := []string{
		"t1 console old http://shop.test/app.js 0", "t1 error TypeError: x is null http://shop.test/app.js 0", "t1 request GET http://shop.test/x 404",
		"t1 request POST net::ERR_FAILED http://shop.test/y 0", "t1 newTab t2  0",
	}
	if !slices.Equal(happened, wantEvents) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(happened, "\n"), strings.Join(wantEvents, "\n"))
	}
	if picture, err := s.Picture("screencast/b.jpeg"); string(picture) != "B" || err != nil {
		t.Errorf("the picture is %q, %v", picture, err)
	}
	if _, err := s.Picture("../../etc/passwd"); err == nil {
		t.Error("a file that is not in the trace can be read")
	}
	if s.Title() != "profile chela" || s.Missing() != "" {
		t.Errorf("%q, missing %q", s.Title(), s.Missing())
	}
}

// A file that is not a trace is refused with ErrNoTrace and the reason.
func TestNoTrace(t *testing.T) {
	for _, c := range []struct {
		name string
		file *bytes.Reader
		why  string
	}{
		{"no ZIP file", bytes.NewReader([]byte("PK, but not really")), "not a valid zip file"},
		{"empty", bytes.NewReader(nil), "not a valid zip file"},
		{"another ZIP file", zipped(t, "a.txt", "a"), "it has no file trace.trace"},
		{"no first line", zipped(t, "trace.trace", `{"type":"before"}`, "trace.network", ""), "it does not begin as one"},
		{"another version", zipped(t, "trace.trace", `{"type":"context-options","version":8}`, "trace.network", ""), "version 8, not 9"},
		{"without requests", zipped(t, "trace.trace", firstLine), "it has no file trace.network"},
	} {
		_, err := Open(c.file, c.file.Size())
		if !errors.Is(err, ErrNoTrace) || !strings.Contains(fmt.Sprint(err), c.why) {
			t.Errorf("%s: got %v, want %s", c.name, err, c.why)
		}
	}
}

// A file that was made to exhaust memory is read within the limits, or refused.
func TestHostileTraces(t *testing.T) {
	var manyFiles []string
	for i := range 30_000 {
		manyFiles = append(manyFiles, fmt.Sprintf("%0300d", i), "")
	}
	call := `{"type":"before","callId":"call@%d","startTime":1,"title":"` + strings.Repeat("x", 40_000) + `","params":{}}` + "\n"
	var manyCalls strings.Builder
	for i := range 2_000 {
		fmt.Fprintf(&manyCalls, call, i)
	}
	for _, c := range []struct {
		name  string
		files []string
		fails bool
	}{
		{"one endless line", []string{"trace.trace", firstLine + `{"type":"before","title":"` + strings.Repeat("x", 2*maxLine), "trace.network", ""}, false},
		{"a first line without end", []string{"trace.trace", strings.Repeat(" ", 2*maxLine), "trace.network", ""}, true},
		{"more calls than are kept", []string{"trace.trace", firstLine + manyCalls.String(), "trace.network", ""}, false},
		{"endless requests", []string{"trace.trace", firstLine, "trace.network", strings.Repeat(`{"snapshot":{"response":{"status":500}}}`+"\n", maxCount+10)}, false},
		{"more files than are listed", append(manyFiles, "trace.trace", firstLine, "trace.network", ""), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := zipped(t, c.files...)
			c.files = nil
			before := allocated()
			s, err := Open(file, file.Size())
			if (err != nil) != c.fails {
				t.Fatalf("got %v", err)
			}
			if err == nil {
				s.Recording()
				if s.Missing() == "" {
					t.Error("nothing says that something is missing")
				}
			}
			if grown := allocated() - before; grown > 200<<20 {
				t.Errorf("it keeps %d MB", grown>>20)
			}
			runtime.KeepAlive(s)
		})
	}
	film := zipped(t, "trace.trace", firstLine, "trace.network", "", "large", strings.Repeat("x", 2*maxStill))
	s, err := Open(film, film.Size())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Picture("large"); err == nil {
		t.Error("a picture of any size is read")
	}
}

// allocated returns the bytes of memory in use.
func allocated() int {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// Absurd times in a trace become the time at which the trace began.
func TestTimesOfATrace(t *testing.T) {
	events := firstLine + `{"type":"before","callId":"c","startTime":1e300,"title":"x","method":"click","params":{},"pageId":"p"}
{"type":"after","callId":"c","endTime":-1e300}
`
	file := zipped(t, "trace.trace", events, "trace.network", "")
	s, err := Open(file, file.Size())
	if err != nil {
		t.Fatal(err)
	}
	e := s.Recording().Entries[0]
	if e.Time.UnixMilli() != 1000000 || e.Ms != 0 {
		t.Errorf("at %v, for %d ms", e.Time, e.Ms)
	}
}

// Whatever a file contains, Open succeeds or fails with ErrNoTrace.
func FuzzRecording(f *testing.F) {
	f.Add(firstLine+`{"type":"before","callId":"c","params":null}`, `{"snapshot":{}}`)
	f.Add(firstLine+`{"type":"event","method":"page","params":{"pageId":7}}`, "")
	f.Fuzz(func(t *testing.T, events, requests string) {
		file := zipped(t, "trace.trace", events, "trace.network", requests)
		s, err := Open(file, file.Size())
		if err != nil {
			if !errors.Is(err, ErrNoTrace) {
				t.Error(err)
			}
			return
		}
		r := s.Recording()
		r.Causes()
		r.Of("", "t1", recorder.Entry{}.Time)
	})
}

// A small file can have many calls and tabs. Comparing each with each takes too long.
func TestTraceWithManyTabs(t *testing.T) {
	const many = 20_000
	events := strings.Builder{}
	events.WriteString(firstLine)
	for i := range many {
		fmt.Fprintf(&events, `{"type":"before","callId":"c%d","startTime":%d,"method":"click","pageId":"p"}`+"\n", i, i)
		events.WriteString(`{"type":"event","method":"page","time":1e9,"params":{"pageId":"q"}}` + "\n")
	}
	file := zipped(t, "trace.trace", events.String(), "trace.network", "")
	s, err := Open(file, file.Size())
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	r := s.Recording()
	if took := time.Since(began); took > 5*time.Second || len(r.Entries) != many {
		t.Errorf("%d calls after %v", len(r.Entries), took)
	}
}
