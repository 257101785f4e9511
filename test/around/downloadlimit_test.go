package around

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"chela/test/long"
	"chela/test/service"
)

// A file that has no end is stopped when it is larger than what may be kept. The connection to its
// server ends, and nothing of the file is left.
func TestEndlessDownload(t *testing.T) {
	long.Test(t)
	t.Parallel()
	ended := make(chan error, 2)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/file" {
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, `<a href="/file">Go</a>`)
			return
		}
		w.Header().Set("Content-Disposition", "attachment; filename=endless.bin")
		_, err := io.Copy(w, endless('x'))
		ended <- err
	}))
	defer server.Close()
	s := service.Own(t, `{browser: {noSandbox: true, headless: true}, media: {maxMB: 1}}`)
	for _, session := range []string{"", "apart"} {
		s := s.In(session)
		tab := s.Tab(t, s.OK(t, "POST /tabs/open", args{"url": server.URL, "isolated": session != ""}).Text("tabId"))
		name := fmt.Sprintf("endless-%d.bin", os.Getpid())
		tab.Do("POST /download", args{"ref": tab.Ref(`"Go"`), "path": name}).
			Fails(t, 502, "page_failed", "the download was stopped: downloads may have 1 MB together")
		if err := <-ended; err == nil {
			t.Error("the server was not interrupted")
		}
		if _, err := os.Stat("/tmp/chela/downloads/" + name); err == nil {
			t.Error("a part of the file is in the downloads folder")
		}
	}
}
