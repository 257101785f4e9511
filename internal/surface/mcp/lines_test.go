package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"chela/internal/op"
	"chela/internal/wall/secret"
)

// A line that is not a message is answered with an error, and the connection goes on.
func TestLinesThatAreNoMessages(t *testing.T) {
	for _, test := range []struct{ version, line, want string }{
		{"2025-06-18", "a word", `{"error":{"code":-32700,"message":"the line is not JSON"},"id":null,"jsonrpc":"2.0"}`},
		{"2025-06-18", "null", `"code":-32600`},
		{"2025-06-18", `{"id":7,"method":"ping"}`, `"id":7,"jsonrpc"`},
		{"2025-06-18", "[]", `"code":-32600`},
		{"2025-06-18", `[{"jsonrpc":"2.0","id":7,"method":"ping"}]`, `"code":-32600`},
		{"2025-03-26", `[{"jsonrpc":"2.0","id":7,"method":"ping"}]`, `{"jsonrpc":"2.0","id":7,"result":{}}`},
		{"2025-03-26", `[{"jsonrpc":"2.0","method":"notifications/other"},{"jsonrpc":"2.0","id":7,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/other"}]`, `{"jsonrpc":"2.0","id":7,"result":{}}`},
		{"2025-03-26", `[{"jsonrpc":"2.0","method":"notifications/other"}, {"id":7}]`, `"code":-32600`},
		{"2025-06-18", "", ""},
		{"2025-06-18", `{"jsonrpc":"2.0","method":"notifications/other"}`, ""},
		{"2025-06-18", `{"jsonrpc":"2.0","id":7,"method":"ping"}` + " \t\r", `{"jsonrpc":"2.0","id":7,"result":{}}`},
		{"2025-06-18", `{"jsonrpc":"2.0","id":7,"method":"` + strings.Repeat("a", sdk.DefaultMaxLineLength) + `"}`, `"a line has more than 16777216 bytes"},"id":null`},
	} {
		in, input := io.Pipe()
		output, out := io.Pipe()
		ended := make(chan error)
		go func() {
			ended <- Tool{Table: table, Runner: &recorder{}}.Serve(t.Context(), in, out)
			out.Close()
		}()
		answers := bufio.NewScanner(output)
		fmt.Fprintf(input, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"a","version":"1"}}}`+"\n", test.version)
		answers.Scan()
		fmt.Fprintln(input, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		fmt.Fprintln(input, test.line)
		if test.want != "" {
			if answers.Scan(); !strings.Contains(answers.Text(), test.want) {
				t.Errorf("%.99s: got %s, want %s", test.line, answers.Text(), test.want)
			}
		}
		fmt.Fprintln(input, `{"jsonrpc":"2.0","id":2,"method":"ping"}`)
		if answers.Scan(); !json.Valid(answers.Bytes()) || !strings.Contains(answers.Text(), `"id":2`) {
			t.Errorf("after %.99s: got %s", test.line, answers.Text())
		}
		input.Close()
		if err := <-ended; err != nil {
			t.Errorf("%.99s: ended with %v", test.line, err)
		}
	}
}

// When the context of Serve ends, so do the calls.
func TestServeEndsCalls(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	input := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"browser","arguments":{"action":"status"}}}
`
	open, end := io.Pipe() // the agent does not close the input
	defer end.Close()
	stuck := runnerFunc(func(call context.Context) { cancel(); <-call.Done() })
	if err := (Tool{Table: table, Runner: stuck}).Serve(ctx, io.MultiReader(strings.NewReader(input), open), io.Discard); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// A runnerFunc is a runner whose calls return when the function does.
type runnerFunc func(context.Context)

func (f runnerFunc) Run(ctx context.Context, _ *op.Op, _ op.Args) (json.RawMessage, error) {
	f(ctx)
	return nil, context.Cause(ctx)
}

// Secrets are masked in messages to an agent.
func TestLinesHaveNoSecrets(t *testing.T) {
	secret.Know("lines/password", "in 1 \"line\"")
	var b strings.Builder
	line := `{"jsonrpc":"2.0","result":{"text":"in 1 \"line\""}}` + "\n"
	n, err := (&wholeLines{out: &b}).Write([]byte(line))
	if want := `{"jsonrpc":"2.0","result":{"text":"«secret:lines/password»"}}` + "\n"; b.String() != want || n != len(line) || err != nil {
		t.Errorf("got %s, %d, %v", b.String(), n, err)
	}
}
