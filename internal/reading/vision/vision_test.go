package vision

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"chela/internal/base/config"
	"chela/internal/base/process"
	"chela/internal/reading/picture"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func dot(t *testing.T) picture.Picture {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 8, 4))); err != nil {
		t.Fatal(err)
	}
	return picture.Picture{Data: b.Bytes(), Type: "image/png"}
}

// A provider is a server that answers each request in the same way, and keeps the last request.
type provider struct {
	*httptest.Server
	path   string
	header http.Header
	body   string
}

func serve(t *testing.T, status int, answer string) *provider {
	t.Helper()
	p := &provider{}
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		p.path, p.header, p.body = r.URL.Path, r.Header, string(raw)
		w.WriteHeader(status)
		io.WriteString(w, answer)
	}))
	t.Cleanup(p.Close)
	return p
}

// Requests are sent as the providers document them, and their answers are read.
func TestProviders(t *testing.T) {
	const data = "iVBORw0KGgo"
	for _, s := range []struct {
		name, base, answer string
		path, key          string // path of the request, and the header with the key
		body               []string
	}{
		{"openai", "/v1/", `{"choices":[{"message":{"role":"assistant","content":" a cat "}}]}`,
			"/v1/chat/completions", "Authorization: Bearer k3y",
			[]string{`"model":"m1"`, `{"text":"What is it?","type":"text"}`, `"image_url":{"url":"data:image/png;base64,` + data, `"role":"user"`}},
		{"local", "/v1", `{"choices":[{"message":{"content":[{"type":"text","text":"a cat"}]}}]}`,
			"/v1/chat/completions", "Authorization: Bearer k3y", []string{`"model":"m1"`}},
		{"anthropic", "", `{"content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"a "},{"type":"text","text":"cat"}]}`,
			"/v1/messages", "X-Api-Key: k3y",
			[]string{`"max_tokens":4000`, `"source":{"data":"` + data, `"media_type":"image/png","type":"base64"}`, `"text":"What is it?"`}},
		{"anthropic", "/v1", `{"content":[{"type":"text","text":"a cat"}]}`, "/v1/messages", "Anthropic-Version: 2023-06-01", nil},
		{"google", "", `{"candidates":[{"content":{"parts":[{"text":"hm","thought":true},{"text":"a cat"}]},"finishReason":"STOP"}]}`,
			"/v1beta/models/m1:generateContent", "X-Goog-Api-Key: k3y",
			[]string{`{"inlineData":{"data":"` + data, `"mimeType":"image/png"`, `{"text":"What is it?"}`}},
		{"gemini", "/v1", `{"candidates":[{"content":{"parts":[{"text":"a cat"}]}}]}`,
			"/v1/models/m1:generateContent", "X-Goog-Api-Key: k3y", nil},
	} {
		p := serve(t, 200, s.answer)
		m := Model{Provider: s.name, Name: "m1", BaseURL: p.URL + s.base, APIKey: "k3y", Prompt: "What is it?"}
		got, err := Models{m}.Describe(t.Context(), dot(t))
		if err != nil || got.Text != "a cat" || got.Provider != s.name || got.Model != "m1" || len(got.Before) > 0 {
			t.Errorf("%s: got %+v, %v", s.name, got, err)
		}
		name, key, _ := strings.Cut(s.key, ": ")
		if p.path != s.path || p.header.Get(name) != key || p.header.Get("Content-Type") != "application/json" {
			t.Errorf("%s: asked at %s with %v", s.name, p.path, p.header)
		}
		for _, want := range s.body {
			if !strings.Contains(p.body, want) {
				t.Errorf("%s: asked %s, which has no %s", s.name, p.body, want)
			}
		}
	}
}

// A description that the model's limit has cut says so.
func TestDescriptionsThatAreCut(t *testing.T) {
	for provider, answer := range map[string]string{
		"openai":    `{"choices":[{"message":{"content":"a ca"},"finish_reason":"length"}]}`,
		"anthropic": `{"content":[{"type":"text","text":"a ca"}],"stop_reason":"max_tokens"}`,
		"google":    `{"candidates":[{"content":{"parts":[{"text":"a ca"}]},"finishReason":"MAX_TOKENS"}]}`,
	} {
		got, err := Models{{Provider: provider, Name: "m", BaseURL: serve(t, 200, answer).URL, APIKey: "k3y"}}.Describe(t.Context(), dot(t))
		if want := "a ca… (the model's limit ended the description)"; err != nil || got.Text != want {
			t.Errorf("%s: got %q, %v, want %q", provider, got.Text, err, want)
		}
	}
}

// An error says what went wrong, without the API key.
func TestFailures(t *testing.T) {
	for _, s := range []struct {
		provider string
		status   int
		answer   string
		want     string
	}{
		{"openai", 401, `{"error":{"message":"Incorrect API key provided: k3y"}}`, "answered 401: the API key is not accepted"},
		{"openai", 429, `{"error":{"message":"Rate limit of k3y reached"}}`, "answered 429: Rate limit of (key) reached"},
		{"anthropic", 529, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, "answered 529: Overloaded"},
		{"google", 400, `{"error":{"code":400,"message":"API key not valid","status":"INVALID_ARGUMENT"}}`, "answered 400: API key not valid"},
		{"openai", 502, strings.Repeat("x", 1000), "answered 502: " + strings.Repeat("x", 300) + "… (700 more characters)"},
		{"openai", 500, "", "answered 500"},
		{"openai", 200, `<html>`, "the answer is not one of a model"},
		{"anthropic", 200, `{}`, "the answer is not one of a model"},
		{"google", 200, `[]`, "the answer is not one of a model"},
		{"openai", 200, `{"choices":[{"message":{"content":null,"refusal":"I cannot"}}]}`, "the model refuses: I cannot"},
		{"openai", 200, `{"choices":[{"message":{"content":" \n"},"finish_reason":"length"}]}`, "the answer is empty"},
		{"google", 200, `{"promptFeedback":{"blockReason":"SAFETY"}}`, "the request was blocked: SAFETY"},
		{"google", 200, `{"candidates":[{"finishReason":"MAX_TOKENS"}]}`, "the model has ended with MAX_TOKENS"},
		{"openai", 200, `{"choices":[]}` + strings.Repeat(" ", maxAnswer), "the answer has more than"},
		{"openai", 307, "", "a redirect to example.com is not followed"},
	} {
		var asked http.Header
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked = r.Header
			w.Header().Set("Location", "http://example.com/v1")
			w.WriteHeader(s.status)
			io.WriteString(w, s.answer)
		}))
		_, err := Models{{Provider: s.provider, Name: "m", BaseURL: srv.URL + "/v1", APIKey: "k3y"}}.Describe(t.Context(), dot(t))
		srv.Close()
		text := fmt.Sprint(err)
		if !strings.Contains(text, s.want) || !strings.HasPrefix(text, s.provider+"/m: ") || strings.Contains(text, "k3y") {
			t.Errorf("%s %d %.40s: got %v, want %q", s.provider, s.status, s.answer, err, s.want)
		}
		if asked == nil {
			t.Errorf("%s %d: not asked", s.provider, s.status)
		}
	}
}

// The first model that works describes the picture. If none works, the error says what was wrong
// with each.
func TestFallThrough(t *testing.T) {
	good := serve(t, 200, `{"choices":[{"message":{"content":"`+strings.Repeat("é", 5000)+`"}}]}`)
	bad := serve(t, 500, "")
	ms := Models{
		{Provider: "openai", Name: "keyless", APIKey: "env:CHELA_TEST_NO_SUCH_KEY"},
		{Provider: "mistral", Name: "homeless"},
		{Provider: "local", Name: "broken", BaseURL: bad.URL},
		{Provider: "local", Name: "small", BaseURL: bad.URL, MaxBytes: 10},
		{Command: "chela-no-such-program", Args: []string{"x"}},
	}
	last := Model{Provider: "local", Name: "good", BaseURL: good.URL, MaxChars: 10}
	got, err := append(ms, last, Model{Provider: "local"}).Describe(t.Context(), dot(t))
	cut := strings.Repeat("é", 10) + "… (4990 more characters)"
	if err != nil || got.Text != cut || got.Model != "good" || len(got.Before) != len(ms) {
		t.Errorf("got %+v, %v", got, err)
	}
	if good.header.Get("Authorization") != "" {
		t.Error("a key was sent, though none is configured")
	}
	_, err = ms.Describe(t.Context(), dot(t))
	host := strings.TrimPrefix(bad.URL, "http://")
	want := "openai/keyless: the variable CHELA_TEST_NO_SUCH_KEY, which apiKey names, is not set; " +
		"mistral/homeless: the provider mistral needs a baseUrl: only openai, anthropic and google are known; " +
		"local/broken: " + host + " answered 500; local/small: the picture has "
	const end = "; cli/chela-no-such-program: there is no program chela-no-such-program"
	if text := fmt.Sprint(err); !strings.HasPrefix(text, want) || !strings.HasSuffix(text, end) {
		t.Errorf("got %v\nwant %s…", err, want)
	}
	if _, err := (Models{}).Describe(t.Context(), dot(t)); err == nil {
		t.Error("no model has described it")
	}
}

// API keys from the environment are sent to the provider, and not to another server.
func TestKeys(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "from-openai")
	t.Setenv("GEMINI_API_KEY", "")
	t.Setenv("GOOGLE_API_KEY", "from-google")
	t.Setenv("MY_KEY", "mine")
	for _, s := range []struct {
		m            Model
		key, problem string
	}{
		{Model{Provider: "openai"}, "from-openai", ""},
		{Model{Provider: "Gemini"}, "from-google", ""},
		{Model{Provider: "openai", BaseURL: "http://127.0.0.1:1"}, "", ""},
		{Model{Provider: "openai", APIKey: "env:MY_KEY"}, "mine", ""},
		{Model{Provider: "openai", APIKey: "literal"}, "literal", ""},
		{Model{Provider: "openai", APIKey: "env:NO_SUCH_KEY"}, "", "the variable NO_SUCH_KEY"},
		{Model{Provider: "anthropic"}, "", "there is no apiKey, and ANTHROPIC_API_KEY is not set"},
	} {
		if s.m.Provider == "anthropic" {
			t.Setenv("ANTHROPIC_API_KEY", "")
		}
		key, err := s.m.key()
		if key != s.key || (err != nil) != (s.problem != "") || err != nil && !strings.Contains(err.Error(), s.problem) {
			t.Errorf("%+v: got %q, %v", s.m, key, err)
		}
	}
}

// A model that does not answer is given up after its time limit. If the caller's context ends, so
// does the whole call.
func TestTime(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	called := make(chan bool, 1)
	end := make(chan bool)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		called <- true
		<-end
	}))
	t.Cleanup(srv.Close)
	t.Cleanup(func() { close(end) })
	slow := Model{Provider: "local", Name: "slow", BaseURL: srv.URL, Timeout: time.Millisecond}
	if _, err := (Models{slow}).Describe(t.Context(), dot(t)); err == nil || err.Error() != "local/slow: no answer within 1ms" {
		t.Errorf("got %v", err)
	}
	slow.Timeout = 0
	go func() {
		<-called
		cancel()
	}()
	if _, err := (Models{slow, {Command: os.Args[0]}}).Describe(ctx, dot(t)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// script makes a program that describes pictures.
func script(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "look")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// A program gets its arguments as they are, without a shell, and no secret of chela.
func TestProgram(t *testing.T) {
	t.Setenv("CHELA_TOKEN", "s3cret")
	t.Setenv("THEIR_KEY", "theirs")
	look := script(t, `pwd; for a; do echo "[$a]"; done; head -c 4 "$1" | tail -c 3; env | grep -E '^(CHELA_|THEIR_)'; cat`)
	args := []string{"{{AttachmentPath}}", "{{ MediaPath }}", "{{AttachmentUrl}}", "{{AttachmentContentType}}", "{{AttachmentDir}}",
		"{{AttachmentIndex}}", "{{OutputDir}}", "{{OutputBase}}", "{{Prompt}}: {{MaxChars}}", "{{Other}} $HOME `id` ; id", ""}
	got, err := Models{{Command: look, State: config.State{Dir: t.TempDir()}, Args: args, Prompt: "Say {{MaxChars}}"}}.Describe(t.Context(), dot(t))
	if err != nil || got.Provider != "cli" || got.Model != "look" {
		t.Fatalf("got %+v, %v", got, err)
	}
	dir, _, _ := strings.Cut(got.Text, "\n")
	if parent := filepath.Base(filepath.Dir(dir)); !strings.HasPrefix(parent, "staged-"+process.Self()+"-") {
		t.Errorf("the picture is in %s, which nobody removes if this process is killed", dir)
	}
	file := filepath.Join(dir, "screenshot.png")
	got.Text = strings.NewReplacer(file, "FILE", dir, "DIR").Replace(got.Text)
	want := strings.Join([]string{"DIR", "[FILE]", "[FILE]", "[file://FILE]", "[image/png]", "[DIR]", "[0]", "[DIR]", "[DIR/screenshot]",
		"[Say {{MaxChars}}: 4000]", "[{{Other}} $HOME `id` ; id]", "[]", "PNGTHEIR_KEY=theirs"}, "\n")
	if got.Text != want {
		t.Errorf("got %s\nwant %s", got.Text, want)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("%s is left: %v", dir, err)
	}
}

func TestProgramsThatFail(t *testing.T) {
	for _, s := range []struct{ name, text, want string }{
		{"status", "echo no luck >&2; exit 3", "cli/look: exit status 3: no luck"},
		{"nothing", "exit 0", "cli/look: the answer is empty"},
		{"floods", "head -c 3000000 /dev/zero | tr '\\0' x", ""},
		{"never ends", "sleep 60 & echo $! > $1; wait", "cli/look: no answer within 300ms"},
		{"leaves a process", "sleep 60 & echo $! > $1; echo done", ""},
	} {
		t.Run(s.name, func(t *testing.T) {
			pid := filepath.Join(t.TempDir(), "pid")
			limit := time.Duration(0)
			if s.name == "never ends" {
				limit = 300 * time.Millisecond
			}
			got, err := Models{{Command: script(t, s.text), State: config.State{Dir: t.TempDir()}, Args: []string{pid}, Timeout: limit}}.Describe(t.Context(), dot(t))
			if s.want != "" && (err == nil || err.Error() != s.want) || s.want == "" && (err != nil || len(got.Text) > 5000) {
				t.Errorf("got %.100s, %v", got.Text, err)
			}
			if raw, err := os.ReadFile(pid); err == nil {
				awaitEnd(t, strings.TrimSpace(string(raw)))
			}
		})
	}
}

// awaitEnd waits until a process that was killed has ended. In a container where nobody waits for
// the process, its entry in /proc stays.
func awaitEnd(t *testing.T, pid string) {
	t.Helper()
	for range 1000 {
		stat, err := os.ReadFile("/proc/" + pid + "/stat")
		if err != nil || strings.Contains(string(stat), ") Z ") {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("process %s runs on", pid)
}

// The default prompt says how long the answer may be.
func TestPrompt(t *testing.T) {
	if got := (Model{MaxChars: 123}).prompt(); !strings.Contains(got, "at most 123 characters") {
		t.Error(got)
	}
	raw, err := json.Marshal(anthropic.body(Model{Name: "m", MaxChars: 100_000}, picture.Picture{}))
	if err != nil || !strings.Contains(string(raw), `"max_tokens":8192`) {
		t.Errorf("%s, %v", raw, err)
	}
}
