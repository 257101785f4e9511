package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"chela/internal/wall/secret"
)

// messages reads messages of JSON-RPC, one a line, and passes on those that the SDK can read. It
// answers any other line with an error of JSON-RPC. The SDK would end the connection at such a line.
// The agent would lose its tabs because of a word that was printed by mistake.
//
// It passes on the messages of a batch one by one, so each call has an answer of its own. The SDK
// answers a batch as a whole. It never does so if a notification is in the batch, and it ends the
// connection if two messages have the same id.
type messages struct {
	in      *bufio.Reader
	out     io.Writer
	rest    []byte // messages that Read has not returned yet, each with a line feed
	batches bool   // the client speaks a version of MCP in which a line may be a batch: a list of messages
}

var errLongLine = fmt.Errorf("a line has more than %d bytes", sdk.DefaultMaxLineLength)

func (m *messages) Read(p []byte) (int, error) {
	for len(m.rest) == 0 {
		line, err := m.line()
		if len(bytes.TrimSpace(line)) > 0 {
			m.take(line)
		}
		if err != nil && len(m.rest) == 0 {
			return 0, err
		}
	}
	n := copy(p, m.rest)
	m.rest = m.rest[n:]
	return n, nil
}

// line reads to the end of a line, or of the input. Of a line that is too long for the SDK, it keeps
// one byte too many.
func (m *messages) line() (line []byte, err error) {
	for {
		part, err := m.in.ReadSlice('\n')
		line = append(line, part[:min(len(part), sdk.DefaultMaxLineLength+1-len(line))]...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// take puts the messages of a line into m.rest, or refuses the line.
func (m *messages) take(line []byte) {
	list, wrong := m.split(line)
	if wrong != nil {
		m.refuse(line, wrong)
	}
	for _, message := range list {
		m.rest = append(append(m.rest, message...), '\n')
	}
}

// split returns the messages of a line, or why the SDK could not read them. The SDK ends the
// connection at white space behind a message, so it is left out.
func (m *messages) split(line []byte) ([]json.RawMessage, *jsonrpc.Error) {
	var list []json.RawMessage
	switch {
	case len(line) > sdk.DefaultMaxLineLength:
		return nil, invalid(errLongLine)
	case !json.Valid(line):
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeParseError, Message: "the line is not JSON"}
	case !m.batches || json.Unmarshal(line, &list) != nil || len(list) == 0:
		list = []json.RawMessage{bytes.TrimSpace(line)}
	}
	for _, each := range list {
		message, err := jsonrpc.DecodeMessage(each)
		if err != nil {
			return nil, invalid(err)
		}
		if r, ok := message.(*jsonrpc.Request); ok && r.Method == "initialize" {
			var params struct{ ProtocolVersion string }
			json.Unmarshal(r.Params, &params) // without a version, batches are not allowed
			m.batches = slices.Contains([]string{"2024-11-05", "2025-03-26"}, params.ProtocolVersion)
		}
	}
	return list, nil
}

func invalid(err error) *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: err.Error()}
}

// refuse answers a line that is not a message, with its id if it has one.
func (m *messages) refuse(line []byte, wrong *jsonrpc.Error) {
	var call struct{ ID any }
	json.Unmarshal(line, &call) // a message that is not an object has no id
	switch call.ID.(type) {
	case string, float64:
	default:
		call.ID = nil
	}
	answer, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": call.ID, "error": wrong}) // plain values can always be encoded
	m.out.Write(append(answer, '\n'))                                                          // if nobody reads this, writing the next answer fails as well
}

// wholeLines writes lines of JSON for several goroutines, and masks secrets in them. Each call of
// Write must have whole lines.
type wholeLines struct {
	mu  sync.Mutex // held while a line is written
	out io.Writer
}

func (w *wholeLines) Write(line []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, err := w.out.Write(secret.MaskBytes(line)); err != nil {
		return 0, err
	}
	return len(line), nil
}

// Close does nothing: the SDK must not close standard output, which belongs to the caller.
func (w *wholeLines) Close() error { return nil }
