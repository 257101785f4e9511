package broker

import (
	"errors"
	"strconv"

	json "github.com/chromedp/cdproto/cdp/jsonv2"

	"chela/internal/engine/cdp"
	"chela/internal/wall/guard"
)

// maxMessage limits a message of a client, and maxReply a reply of the browser to it, in bytes.
const (
	maxMessage = 16 << 20
	maxReply   = 64 << 20
)

// A request is a command from a client.
type request struct {
	ID      int64      `json:"id"`
	Method  string     `json:"method"`
	Session string     `json:"sessionId"`
	Params  json.Value `json:"params"`

	size int // length of the message, in bytes
}

// lenient accepts text that is not valid UTF-8: a script may contain half of a surrogate pair.
var lenient = json.AllowInvalidUTF8(true)

// parse decodes a message. The decoder distinguishes upper and lower case, and refuses an object
// that has a name twice, at any depth. So the gates and Chromium read the same parameters.
func parse(message []byte) (r request, err error) {
	r.size = len(message)
	err = json.Unmarshal(message, &r, lenient)
	if err == nil && (r.Method == "" || len(r.Params) > 0 && r.Params[0] != '{') {
		err = errors.New("a command has a method, and its params are an object")
	}
	return r, err
}

// read decodes the parameters of a command. It ignores those for which the type P has no field.
func read[P any](r *request) (p P, err error) {
	if len(r.Params) == 0 {
		return p, nil
	}
	if err := json.Unmarshal(r.Params, &p, lenient); err != nil {
		return p, &failure{invalidParams, "the parameters cannot be read"}
	}
	return p, nil
}

// set replaces one parameter of the command. The value "" removes the parameter.
func (r *request) set(name string, value any) error {
	params, err := read[map[string]json.Value](r)
	if err != nil {
		return err
	}
	if params == nil {
		params = map[string]json.Value{}
	}
	if params[name] = encode(value); value == "" {
		delete(params, name)
	}
	r.Params = encode(params)
	return nil
}

func encode(v any) json.Value {
	raw, err := json.Marshal(v, lenient)
	if err != nil {
		panic(err) // all values are made in this package, and can be encoded
	}
	return raw
}

// These are codes of JSON-RPC, with the meaning that they have in Chromium.
const (
	noSession     = -32001
	refusedCode   = -32000
	noMethod      = -32601
	invalidParams = -32602
)

// A failure is the error in the reply to a command that is not carried out.
type failure struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (f *failure) Error() string { return f.Message }

var errNoSession = &failure{noSession, "Session with given id not found."}

// failureOf converts an error to the failure for a reply.
func failureOf(err error) *failure {
	if f, ok := errors.AsType[*failure](err); ok {
		return f
	}
	if refused, ok := errors.AsType[*cdp.Error](err); ok {
		return &failure{refused.Code, refused.Message}
	}
	if refused, ok := errors.AsType[*guard.Refused](err); ok {
		return &failure{refusedCode, refused.Error() + ": " + refused.Reason()}
	}
	if errors.Is(err, cdp.ErrDetached) {
		return errNoSession
	}
	return &failure{refusedCode, err.Error()}
}

// replyFrame returns the frame of a reply. Session ids need no escapes.
func replyFrame(id int64, session string, result json.Value, err error) []byte {
	what := `,"result":`
	if err != nil {
		what, result = `,"error":`, encode(failureOf(err))
	}
	if len(result) == 0 {
		result = json.Value(`{}`)
	}
	frame := make([]byte, 0, len(result)+len(session)+64)
	frame = strconv.AppendInt(append(frame, `{"id":`...), id, 10)
	frame = append(append(frame, what...), result...)
	return finish(frame, session)
}

// eventFrame is the frame of an event.
func eventFrame(method, session string, params json.Value) []byte {
	frame := make([]byte, 0, len(params)+len(method)+len(session)+64)
	frame = append(append(append(frame, `{"method":"`...), method...), `","params":`...)
	return finish(append(frame, params...), session)
}

func finish(frame []byte, session string) []byte {
	if session != "" {
		frame = append(append(append(frame, `,"sessionId":"`...), session...), '"')
	}
	return append(frame, '}')
}
