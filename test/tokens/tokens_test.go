package tokens

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/tiktoken-go/tokenizer"

	"chela/internal/api"
	"chela/internal/api/call"
	"chela/internal/base/config"
	"chela/internal/base/media"
	"chela/internal/surface/mcp"
	"chela/test/chromium"
)

// A session is an agent that is connected to the tool. It counts the tokens of its answers.
type session struct {
	t       *testing.T
	agent   *sdk.ClientSession
	codec   tokenizer.Codec
	site    string
	calls   int
	spent   int      // tokens of all answers
	last    string   // the last answer
	answers []string // all answers of do
}

// begin connects an agent to a server of its own.
func begin(t *testing.T) *session {
	t.Helper()
	t.Setenv(config.AllowPrivateNetwork, "1")
	site := httptest.NewServer(handler())
	t.Cleanup(site.Close)
	dir := t.TempDir()
	file := filepath.Join(dir, "chela.json")
	settings := fmt.Sprintf(`{browser: {noSandbox: true, headless: %v}}`, chromium.Headless())
	if err := os.WriteFile(file, []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	live, err := config.Open(config.Flags{StateDir: dir, File: file})
	if err != nil {
		t.Fatal(err)
	}
	service, err := call.New(live, func() {})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { service.Close(context.Background()) })
	here, there := sdk.NewInMemoryTransports()
	pictures := mcp.Pictures{Share: func(name string, content []byte) (string, error) {
		return media.Share(live.Current().State.Media(), name, content)
	}}
	tool := mcp.Tool{Table: api.Table(), Runner: service, Scripts: true, Pictures: func() mcp.Pictures { return pictures }}
	server, err := tool.Server(t.Context()).Connect(t.Context(), there, nil)
	if err != nil {
		t.Fatal(err)
	}
	agent, err := sdk.NewClient(&sdk.Implementation{Name: "agent"}, nil).Connect(t.Context(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		agent.Close()
		server.Wait()
	})
	codec, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		t.Fatal(err)
	}
	return &session{t: t, agent: agent, codec: codec, site: site.URL}
}

// count counts the tokens of a text, in the encoding o200k_base.
func (s *session) count(text string) int {
	s.t.Helper()
	n, err := s.codec.Count(text)
	if err != nil {
		s.t.Fatal(err)
	}
	return n
}

// call calls the tool, whose answer must not be an error, and returns the number of tokens in all
// texts of the answer. Pictures and links to files are not counted. SITE in the arguments is the
// address of the site.
func (s *session) call(args string) int {
	s.t.Helper()
	args = strings.ReplaceAll(args, "SITE", s.site)
	res, err := s.agent.CallTool(s.t.Context(), &sdk.CallToolParams{Name: "browser", Arguments: json.RawMessage(args)})
	if err != nil {
		s.t.Fatal(err)
	}
	var texts []string
	for _, content := range res.Content {
		if text, ok := content.(*sdk.TextContent); ok {
			texts = append(texts, text.Text)
		}
	}
	s.last = strings.Join(texts, "\n")
	if res.IsError {
		s.t.Fatalf("%s: %s", args, s.last)
	}
	n := s.count(s.last)
	s.calls++
	s.spent += n
	s.t.Logf("%d tokens: %s\n%s", n, args, s.last)
	return n
}

// ref is the ref of a line of the last answer.
func (s *session) ref(line string) string {
	s.t.Helper()
	found := regexp.MustCompile(regexp.QuoteMeta(line) + `.*?\[ref=(\w+)\]`).FindStringSubmatch(s.last)
	if found == nil {
		s.t.Fatalf("no %s in %s", line, s.last)
	}
	return found[1]
}

// fields are what the form task fills in, in the benchmark's order.
var fields = [][2]string{
	{"First name", "Ada"}, {"Last name", "Lovelace"}, {"Email", "ada@example.org"}, {"Phone", "+441234567"}, {"City", "London"}, {"Zip", "EC1A"},
}

const confirmed = "order confirmed: Ada|Lovelace|ada@example.org|+441234567|London|EC1A|Norway|yes"

// byBatch does the form task in two calls. The answer of open has the page, and the answer of the
// batch has the page as it is after the acts.
func (s *session) byBatch() {
	s.call(`{"action":"open","url":"SITE/order"}`)
	var acts []string
	for _, f := range fields {
		acts = append(acts, fmt.Sprintf(`{"kind":"type","ref":%q,"text":%q}`, s.ref(`textbox "`+f[0]), f[1]))
	}
	acts = append(acts, fmt.Sprintf(`{"kind":"select","ref":%q,"values":["Norway"]}`, s.ref(`combobox "Country`)),
		fmt.Sprintf(`{"kind":"click","ref":%q}`, s.ref(`checkbox "I accept`)), fmt.Sprintf(`{"kind":"click","ref":%q}`, s.ref(`button "Place order`)))
	s.call(`{"action":"batch","actions":[` + strings.Join(acts, ",") + `],"snapshot":"delta"}`)
	if !strings.Contains(s.last, confirmed) {
		s.t.Errorf("the order was not placed: %s", s.last)
	}
}

// stepByStep does the form task in the 13 calls of the benchmark. They are open, snapshot, six
// texts, the list, the checkbox, the button, the confirmation and a screenshot. The parameter extra
// has further arguments for each act, or is "".
func (s *session) stepByStep(extra string) {
	s.call(`{"action":"open","url":"SITE/order"}`)
	s.call(`{"action":"snapshot"}`)
	page := s.last
	act := func(args, line, rest string) {
		s.last = page
		s.call(fmt.Sprintf(`{"action":%s,"ref":%q%s%s}`, args, s.ref(line), rest, extra))
	}
	for _, f := range fields {
		act(`"type"`, `textbox "`+f[0], fmt.Sprintf(`,"text":%q`, f[1]))
	}
	act(`"select"`, `combobox "Country`, `,"values":["Norway"]`)
	act(`"click"`, `checkbox "I accept`, "")
	act(`"click"`, `button "Place order`, "")
	s.call(`{"action":"wait","text":"order confirmed"}`)
	s.call(`{"action":"screenshot"}`)
	calls, spent := s.calls, s.spent
	s.call(`{"action":"expect","text":"` + confirmed + `"}`) // the benchmark does not count this call either
	if !strings.Contains(s.last, `"met":true`) {
		s.t.Errorf("the order was not placed: %s", s.last)
	}
	s.calls, s.spent = calls, spent
}

// These are the most tokens that the form task may cost, with all answers.
const (
	maxByBatch    = 350
	maxStepByStep = 800
)

// TestAnswers is a single test for all steps, as a browser takes long to start.
func TestAnswers(t *testing.T) {
	s := begin(t)
	s.byBatch()
	if s.spent > maxByBatch || s.calls != 2 {
		t.Errorf("by a batch it takes %d calls and %d tokens, want 2 and at most %d", s.calls, s.spent, maxByBatch)
	}
	s.calls, s.spent = 0, 0
	s.stepByStep("")
	if s.spent > maxStepByStep || s.calls != 13 {
		t.Errorf("step by step it takes %d calls and %d tokens, want 13 and at most %d", s.calls, s.spent, maxStepByStep)
	}
	s.pageStates()
}

// pageStates tries out when answers show the page, and what else they say about it.
func (s *session) pageStates() {
	const controls = "only what can be acted on:"
	for _, step := range []struct {
		args        string
		want, never []string
	}{
		{`{"action":"navigate","url":"SITE/small"}`, []string{controls, `- button "Ok" [ref=`}, []string{"Hello"}},
		{`{"action":"navigate","url":"SITE/action","snapshot":"none"}`, []string{`"ok":true`}, []string{"snapshot", "SECURITY"}},
		{`{"action":"back"}`, []string{controls, `- button "Ok" [ref=`, "url: SITE/small\n"}, nil},
		{`{"action":"evaluate","fn":"location.href = '/action'"}`, []string{"SECURITY NOTICE", `- button "Increment" [ref=`, "url: SITE/action\n"}, nil},
		{`{"action":"evaluate","fn":"history.pushState({}, '', '#x')"}`, []string{"url: SITE/action#x\n"}, []string{"Increment"}},
		{`{"action":"press","key":"Shift","snapshot":"delta"}`, []string{"nothing else has changed yet"}, nil},
		{`{"action":"snapshot","query":"INCREMENT button"}`, []string{"1 matching line(s) in the returned snapshot.\n"}, []string{"Link"}},
		{`{"action":"snapshot","query":"zzz"}`, []string{"No matching lines in the returned snapshot. Refine the query"}, []string{"Link"}},
		{`{"action":"snapshot","query":"increment","format":"aria"}`, []string{"matching line(s)", "[ref=ax"}, []string{"Link"}},
		{`{"action":"batch","actions":[{"kind":"evaluate","fn":"location.href = '/small'"},{"kind":"press","key":"Tab"}]}`,
			[]string{"Batch aborted after action 1 because the page navigated; 1 remaining action(s) skipped. Earlier refs are stale.", `- button "Ok" [ref=`}, nil},
		{`{"action":"dialog"}`, []string{"dialog armed", "no dialog is open: the next one is dismissed"}, nil},
		{`{"action":"evaluate","fn":"confirm('Sure?')"}`, []string{"false"}, nil},
		{`{"action":"open","url":"SITE/list-1k","label":"list"}`, []string{`link "Item 10" [ref=`, "… 188 more like these", "--selector 'ul' all"}, []string{"truncated", "Item 11"}},
		{`{"action":"snapshot","selector":"ul"}`, []string{"Item 30"}, []string{"more like these"}},
		{`{"action":"snapshot"}`, []string{"\n[truncated — retry with a smaller maxChars or limit]\n<<<END"}, []string{"Item 190"}},
		{`{"action":"tabs"}`, []string{`"label":"list","tabId":"t3","title":"List","url":"SITE/list-1k"`}, nil},
	} {
		s.call(step.args)
		for _, want := range step.want {
			if !strings.Contains(s.last, strings.ReplaceAll(want, "SITE", s.site)) {
				s.t.Errorf("%s lacks %q: %s", step.args, want, s.last)
			}
		}
		for _, never := range step.never {
			if strings.Contains(s.last, never) {
				s.t.Errorf("%s has %q: %s", step.args, never, s.last)
			}
		}
	}
}
