package repo

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"chela/internal/api"
	"chela/internal/base/config"
	"chela/internal/op"
	"chela/internal/surface/cli"
	"chela/internal/surface/mcp"
	"chela/internal/surface/server"
)

// Every row of the table is reached by every surface, with every parameter, to the same effect.
func TestTableHolds(t *testing.T) {
	t.Chdir(root)
	if err := api.Table().Check(); err != nil {
		t.Error(err)
	}
}

func TestSurfacesAgree(t *testing.T) {
	t.Chdir(root)
	s := newSurfaces(t, api.Table())
	for _, o := range api.Table().Ops {
		t.Run(o.Name(), func(t *testing.T) {
			for _, args := range examples(t, o) {
				want, wantTyped := effect(o, args), effect(o, typed(t, o, args))
				for _, route := range o.Routes {
					want := want
					if route.Method == http.MethodGet {
						want = wantTyped
					}
					if fills(route, o, args) {
						s.expect(t, want, route.Method+" "+route.Path, func() error { return s.overHTTP(route, args) })
					}
				}
				if line, ok := commandLine(o, args); ok {
					s.expect(t, wantTyped, strings.Join(line, " "), func() error { return s.byCommand(line, input(o, args)) })
				}
				if !o.ForAgents() {
					if err := s.byTool(o, args); err == nil {
						t.Errorf("the agent tool runs %s", o.Name())
					}
					return
				}
				s.expect(t, effect(o, o.ForAgent(args)), "agent tool", func() error { return s.byTool(o, args) })
			}
		})
	}
}

// White space does not count as a name, but also not as a missing name. This holds on every
// surface, for every parameter that names something.
func TestBlankIsRefused(t *testing.T) {
	t.Chdir(root)
	s := newSurfaces(t, api.Table())
	for _, o := range api.Table().Ops {
		for _, p := range o.Params() {
			if !p.Blank(" ") {
				continue
			}
			for _, blank := range []string{" ", "\n", "\u00a0"} {
				args := required(t, o)
				args[p.Name], _ = json.Marshal(blank)
				for surface, call := range s.ways(o, args) {
					s.ran = ""
					if err := call(); err == nil || !strings.Contains(err.Error(), p.Name+" must not be blank") {
						t.Errorf("%s with %s %q by %s: got %v, ran %s", o.Name(), p.Name, blank, surface, err, s.ran)
					}
				}
			}
		}
	}
}

// ways are the surfaces that can make a call.
func (s *surfaces) ways(o *op.Op, args op.Args) map[string]func() error {
	ways := map[string]func() error{}
	if o.ForAgents() {
		ways["agent tool"] = func() error { return s.byTool(o, args) }
	}
	for _, route := range o.Routes {
		if fills(route, o, args) {
			ways[route.Method+" "+route.Path] = func() error { return s.overHTTP(route, args) }
		}
	}
	if line, ok := commandLine(o, args); ok {
		ways[strings.Join(line, " ")] = func() error { return s.byCommand(line, input(o, args)) }
	}
	return ways
}

// On surfaces where people and models write addresses, an address needs no scheme. Over HTTP it
// needs one.
func TestAddressesAreCompleted(t *testing.T) {
	t.Chdir(root)
	s := newSurfaces(t, api.Table())
	for _, o := range api.Table().Ops {
		for _, p := range o.Params() {
			if p.Type != reflect.TypeFor[op.Address]() {
				continue
			}
			args := required(t, o)
			args[p.Name] = json.RawMessage(`"example.com:1/x"`)
			for surface, call := range s.ways(o, args) {
				err := call()
				if strings.HasPrefix(surface, "POST ") {
					if err == nil || !strings.Contains(err.Error(), `unsupported protocol \"example.com:\"`) {
						t.Errorf("%s: got %v", surface, err)
					}
					continue
				}
				if err != nil || !strings.Contains(s.ran, `"url":"https://example.com:1/x"`) || !strings.Contains(s.ran, `"orHttp":true`) {
					t.Errorf("%s by %s: got %v, ran %s", o.Name(), surface, err, s.ran)
				}
			}
		}
	}
}

// One name means one thing in all rows. Agents see the parameters of all rows together, and flags
// are read before the command is known.
func TestNamesMeanOneThing(t *testing.T) {
	t.Chdir(root)
	types, takesValue := map[string]any{}, map[string]bool{}
	for _, o := range api.Table().Ops {
		for _, p := range o.Params() {
			kind := p.Schema()["type"]
			if known, ok := types[p.Name]; ok && known != kind {
				t.Errorf("%s: %s is of type %v here, and of type %v elsewhere", o.Name(), p.Name, kind, known)
			}
			types[p.Name] = kind
			for _, flag := range p.Flags {
				flag = strings.TrimPrefix(flag, "!")
				takes := kind != "boolean"
				if known, ok := takesValue[flag]; ok && known != takes && flag != "-" {
					t.Errorf("%s: --%s takes a value here or elsewhere, not in both", o.Name(), flag)
				}
				takesValue[flag] = takes
			}
		}
	}
}

func TestFirstStepsWork(t *testing.T) {
	t.Chdir(root)
	s := newSurfaces(t, api.Table())
	for line := range strings.Lines(cli.Start) {
		command, _, _ := strings.Cut(strings.TrimSpace(line), "   ")
		if err := s.byCommand(strings.Fields(strings.ReplaceAll(command, `"`, ""))[1:], ""); err != nil {
			t.Errorf("%s: %v", command, err)
		}
	}
}

// surfaces are all ways into the program, with a runner that notes what it is asked to run.
type surfaces struct {
	table *op.Table
	dir   string
	http  *http.Client
	agent *sdk.ClientSession
	ran   string
}

func newSurfaces(t *testing.T, table *op.Table) *surfaces {
	s := &surfaces{table: table, dir: t.TempDir()}
	socket := config.State{Dir: s.dir}.Socket()
	l, err := server.ListenUnix(socket)
	if err != nil {
		t.Fatal(err)
	}
	var ended sync.WaitGroup
	ended.Go(func() {
		server.New(server.Options{Table: func() *op.Table { return table }, Runner: s, Log: slog.New(slog.DiscardHandler)}).Serve(t.Context(), l)
	})
	t.Cleanup(ended.Wait)
	s.http = &http.Client{Transport: &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
		return net.Dial("unix", socket)
	}}}
	s.agent = agent(t, mcp.Tool{Table: table, Runner: s, Scripts: true, Secrets: true})
	return s
}

func (s *surfaces) Run(_ context.Context, o *op.Op, args op.Args) (json.RawMessage, error) {
	s.ran = effect(o, args)
	return json.RawMessage(`{"met": true}`), o.Check(args) // "met" means that the assertion holds
}

// effect returns what a call means: the operation, and the values of its parameters after they were
// read.
func effect(o *op.Op, args op.Args) string {
	values := map[string]any{}
	for _, p := range o.Params() {
		if raw := args[p.Name]; raw != nil {
			value := reflect.New(p.Type)
			if err := json.Unmarshal(raw, value.Interface()); err != nil {
				values[p.Name] = err.Error()
				continue
			}
			values[p.Name] = value.Interface()
		}
	}
	raw, err := json.Marshal(values)
	return fmt.Sprint(o.Name(), " ", string(raw), err)
}

func (s *surfaces) expect(t *testing.T, want, surface string, call func() error) {
	t.Helper()
	s.ran = ""
	if err := call(); err != nil {
		t.Errorf("%s: %v", surface, err)
	} else if s.ran != want {
		t.Errorf("%s:\ngot  %s\nwant %s", surface, s.ran, want)
	}
}

func (s *surfaces) overHTTP(route op.Route, args op.Args) error {
	path, query, body := route.Path, url.Values{}, op.Args{}
	if route.Field != "" && route.Method == http.MethodPost {
		body[route.Field], _ = json.Marshal(route.Value)
	} else if route.Field != "" {
		query.Set(route.Field, route.Value)
	}
	for name, raw := range args {
		switch {
		case route.InPath(name):
			path = strings.Replace(path, "{"+name+"}", url.PathEscape(texts(raw)[0]), 1)
		case route.Method == http.MethodPost:
			body[name] = raw
		default:
			query[name] = texts(raw)
		}
	}
	var r io.Reader
	if route.Method == http.MethodPost {
		raw, err := json.Marshal(body)
		if err != nil {
			return err
		}
		r = bytes.NewReader(raw)
	}
	req, err := http.NewRequest(route.Method, "http://chela"+path+"?"+query.Encode(), r)
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := s.http.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s %s", resp.Status, answer)
	}
	return err
}

func (s *surfaces) byCommand(line []string, in string) error {
	var out, errs bytes.Buffer
	p := cli.Program{Table: func() *op.Table { return s.table }, In: strings.NewReader(in), Out: &out, Err: &errs}
	line = append([]string{"--state-dir", s.dir, "--json"}, line...)
	if code := p.Run(context.Background(), line); code != 0 {
		return fmt.Errorf("exit %d: %s", code, &errs)
	}
	return nil
}

func (s *surfaces) byTool(o *op.Op, args op.Args) error {
	call := op.Args{}
	maps.Copy(call, args)
	call["action"], _ = json.Marshal(mcp.Action(o))
	res, err := s.agent.CallTool(context.Background(), &sdk.CallToolParams{Name: "browser", Arguments: call})
	if err == nil && res.IsError {
		err = fmt.Errorf("%s", res.Content[0].(*sdk.TextContent).Text)
	}
	return err
}

// fills reports whether args have what the route's path needs.
func fills(route op.Route, o *op.Op, args op.Args) bool {
	return !slices.ContainsFunc(o.Params(), func(p op.Param) bool { return route.InPath(p.Name) && args[p.Name] == nil })
}

// typed returns args as a user types them. Some types have another form there: people count the
// places of tabs from 1.
func typed(t *testing.T, o *op.Op, args op.Args) op.Args {
	t.Helper()
	all := op.Args{}
	for name, raw := range args {
		p, _ := o.Param(name)
		parsed, err := p.Parse(flagTexts(p, raw)...)
		if err != nil {
			t.Fatalf("%s cannot be typed: %v", name, err)
		}
		all[name] = parsed
	}
	return all
}

// commandLine writes args as a user would. The arguments that have a position come first, up to one
// that is missing. The rest are flags.
func commandLine(o *op.Op, args op.Args) (line []string, ok bool) {
	written := map[string]bool{}
	left := false
	for _, a := range o.Args {
		switch {
		case a.Word != "":
			line = append(line, a.Word)
		case args[a.Param] == nil:
			if !a.Optional {
				return nil, false
			}
			left = true
		case !left:
			if p, _ := o.Param(a.Param); p.Type == reflect.TypeFor[op.Content]() {
				line = append(line, "-")
			} else {
				line = append(line, texts(args[a.Param])...)
			}
			written[a.Param] = true
		}
	}
	for _, p := range o.Params() {
		switch asked := p.Type == reflect.TypeFor[op.Asked](); {
		case asked && args[p.Name] == nil:
			return nil, false
		case args[p.Name] == nil || written[p.Name]:
		case asked:
			line = append(line, "--stdin")
		case !p.OnCommandLine():
			return nil, false
		default:
			name, no := strings.CutPrefix(p.Flags[0], "!")
			for _, text := range flagTexts(p, args[p.Name]) {
				if no { // the example is true, and the flag means its opposite
					text = "false"
				}
				line = append(line, "--"+name+"="+text)
			}
		}
	}
	return line, true
}

// input returns what a command reads from standard input: the value of a parameter that the command
// line does not have.
func input(o *op.Op, args op.Args) string {
	for _, p := range o.Params() {
		if p.Type == reflect.TypeFor[op.Asked]() || p.Type == reflect.TypeFor[op.Content]() {
			return strings.Join(texts(args[p.Name]), "")
		}
	}
	return ""
}

func flagTexts(p op.Param, raw json.RawMessage) []string {
	if p.Type.Kind() == reflect.Slice && p.Type.Elem().Kind() != reflect.String {
		return []string{string(raw)}
	}
	return texts(raw)
}

// texts writes a value as it stands in a query or on a command line.
func texts(raw json.RawMessage) []string {
	var s string
	var list []string
	switch {
	case json.Unmarshal(raw, &s) == nil:
		return []string{s}
	case json.Unmarshal(raw, &list) == nil:
		return list
	}
	return []string{string(raw)}
}

// examples are requests that the operation accepts, in which each of its parameters occurs.
func examples(t *testing.T, o *op.Op) []op.Args {
	t.Helper()
	base := required(t, o)
	var all []op.Args
	if o.Check(base) == nil {
		all = append(all, base)
	}
	for _, p := range o.Params() {
		if args := accepted(t, o, base, p); args != nil {
			all = append(all, args)
		} else {
			t.Errorf("no request with %s is accepted", p.Name)
		}
	}
	return all
}

// required has a value for each parameter that must be given.
func required(t *testing.T, o *op.Op) op.Args {
	t.Helper()
	args := op.Args{}
	for _, p := range o.Params() {
		if p.Required {
			args[p.Name] = example(t, p)
		}
	}
	return args
}

// accepted returns a request with the parameter p that the operation accepts, if need be with one
// more parameter.
func accepted(t *testing.T, o *op.Op, base op.Args, p op.Param) op.Args {
	t.Helper()
	for _, other := range append([]op.Param{p}, o.Params()...) {
		args := op.Args{p.Name: example(t, p), other.Name: example(t, other)}
		maps.Copy(args, base)
		if o.Check(args) == nil {
			return args
		}
	}
	return nil
}

// meant has valid values for parameters that only the function Check of a request can check.
var meant = map[string]any{
	"url": "http://example.com/", "key": "Enter", "paths": []string{"media://inbound/a"}, "targetIdMode": "raw", "fields": []map[string]string{{"ref": "e1", "value": "x"}},
	"origin": "http://example.com", "origins": []string{"http://example.com"}, "cookie": map[string]string{"name": "a", "value": "1", "domain": "example.com", "path": "/"}, "sameSite": "Lax",
	"cookies": []map[string]string{{"name": "a", "value": "1", "domain": "example.com", "path": "/"}},
	"actions": []map[string]string{{"kind": "click", "ref": "e1"}},
	"abort":   "timedout", "block": []string{"images", "fonts"}, "types": []string{"script"},
	"fulfill": map[string]any{"status": 404, "body": "none"}, "headers": map[string]string{"X-Debug": "1"},
	"color": "#0066CC", "cdpUrl": "http://10.0.0.42:9222",
	"schema": map[string]any{"title": "h1"}, "since": "10m",
	"size": "800x600", "paper": "a4", "margin": "1cm", "pageRanges": "1-5, 8",
}

// meantAsObject has valid values for parameters that are lists of objects in one row and lists of
// texts in another.
var meantAsObject = map[string]any{"origins": []map[string]any{{"origin": "http://example.com", "localStorage": []any{}}}}

// example returns a value that the parameter takes.
func example(t *testing.T, p op.Param) json.RawMessage {
	t.Helper()
	candidates := []any{meant[p.Name], meantAsObject[p.Name], "e1", "http://example.com/", 3, 0.5, true, []string{"a", "b"}, filled(p.Type)}
	if p.Type == reflect.TypeFor[op.Upload]() || p.Type == reflect.TypeFor[op.Input]() {
		candidates = []any{"media://inbound/a"} // a path would have to name a file that exists
	}
	for _, value := range p.Enum {
		candidates = slices.Insert(candidates, 0, any(value), any([]string{value}))
	}
	for _, bound := range []*float64{p.Min, p.Max} {
		if bound != nil {
			candidates = append(candidates, *bound)
		}
	}
	for _, c := range candidates {
		// The value must have the parameter's own type. A value of another type that can also be
		// read does not count.
		if raw, err := json.Marshal(c); err == nil && c != nil && p.Accepts(raw) && same(p.Schema()["type"], raw) {
			return raw
		}
	}
	t.Fatalf("no example for %s, a %s", p.Name, p.Type)
	return nil
}

// same reports whether raw has the type that kind names. Types other than the four below fit all
// values.
func same(kind any, raw json.RawMessage) bool {
	switch kind {
	case "string":
		return raw[0] == '"'
	case "boolean":
		return raw[0] == 't'
	case "array":
		return raw[0] == '['
	case "object":
		return raw[0] == '{'
	}
	return true
}

// filled returns a value of a structured type in which every field is set.
func filled(t reflect.Type) any {
	switch t.Kind() {
	case reflect.Pointer:
		return filled(t.Elem())
	case reflect.Slice:
		return []any{filled(t.Elem())}
	case reflect.Map:
		return map[string]any{"a": filled(t.Elem())}
	case reflect.Bool:
		return true
	case reflect.Int, reflect.Int64, reflect.Float64:
		return 3
	case reflect.Struct:
		object := map[string]any{}
		for _, f := range reflect.VisibleFields(t) {
			if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && f.IsExported() {
				object[name] = filled(f.Type)
			}
		}
		return object
	}
	return "e1"
}

// A model that only wants to read learns from the tool's definition that no tab is needed. It asks
// for help only about actions that it knows of.
func TestToolSaysThatAFetchIsFaster(t *testing.T) {
	t.Chdir(root)
	if text := definition(t, api.Table()); !strings.Contains(text, "Fetch a page, PDF or feed as Markdown: fastest for text") {
		t.Error(text)
	}
}

// Some clients send only parameters of the published schema. So these parameters are published,
// though most calls do not need them.
func TestPublishedParameters(t *testing.T) {
	t.Chdir(root)
	text := definition(t, api.Table())
	_, schema, _ := strings.Cut(text, "{\"properties\"")
	for name := range strings.FieldsSeq("refs depth frame query level dialogId delayMs loadState width height filter clear request url") {
		if !strings.Contains(schema, fmt.Sprintf("%q:{", name)) {
			t.Errorf("%s is not in the schema: %s", name, schema)
		}
	}
}

// Programs take the path of a PDF from the first line.
func TestPDFForAgents(t *testing.T) {
	t.Chdir(root)
	i := slices.IndexFunc(api.Table().Ops, func(o *op.Op) bool { return o.Name() == "pdf" })
	got := callTool(t, api.Table().Ops[i], `{"ok":true,"targetId":"1F","tabId":"t1","path":"/tmp/page.pdf"}`)
	if !strings.HasPrefix(got, "FILE:/tmp/page.pdf\n") {
		t.Errorf("got %s", got)
	}
}
