package doctor

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"chela/internal/reading/vision"
)

// The doctor says of each model whether it can be asked, and asks one only on request.
func TestVisionOfTheDoctor(t *testing.T) {
	asked := 0
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		io.WriteString(w, `{"choices":[{"message":{"content":"A Red square."}}]}`)
	}))
	t.Cleanup(srv.Close)
	t.Setenv("CHELA_TEST_KEY", "")
	var h Report
	models := vision.Models{
		{Provider: "local", Name: "eye", BaseURL: srv.URL},
		{Provider: "openai", Name: "m", APIKey: "env:CHELA_TEST_KEY"},
		{Command: "no-such-program", Args: []string{"x"}},
		{Provider: "local", Name: "gone", BaseURL: srv.URL + "/\x7f"},
	}
	h.vision(models)
	if asked != 0 {
		t.Error("a model was asked")
	}
	h.liveVision(t.Context(), models)
	want := []check{
		{ID: "vision", Status: "pass", Summary: "local/eye can be asked"},
		{ID: "vision", Status: "warn", Summary: "openai/m: the variable CHELA_TEST_KEY, which apiKey names, is not set"},
		{ID: "vision", Status: "warn", Summary: "cli/no-such-program: there is no program no-such-program"},
		{ID: "vision", Status: "pass", Summary: "local/gone can be asked"},
		{ID: "live-vision", Status: "pass", Summary: "local/eye describes a picture, and sees that it is red"},
		{ID: "live-vision", Status: "warn", Summary: "local/gone: baseUrl is no address"},
	}
	if len(h.Checks) != len(want) {
		t.Fatalf("got %+v", h.Checks)
	}
	for i, c := range h.Checks {
		if c.ID != want[i].ID || c.Status != want[i].Status || c.Summary != want[i].Summary || (c.FixHint == "") != (c.Status == "pass") {
			t.Errorf("got %+v, want %+v", c, want[i])
		}
	}
}
