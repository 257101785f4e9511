// Package wire has the messages between the callers and the nodes of a fleet, and their version.
//
// A call is a message to the NATS subject of its node. The node may reply with several messages:
// that it has the call, how far the call has come, and its result. A call has the form of
// OpenClaw's node.invoke with the command browser.proxy. A result has the form of OpenClaw's
// answer.
package wire

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"time"

	"chela/internal/op"
)

// Version is the version of the messages. It is raised when an older caller or node would misread a
// message, and not when fields are added. Callers and nodes whose versions differ by one work
// together. So a fleet can be updated machine by machine.
const Version = 1

// Check returns an error for messages whose version is more than one step from this version.
func Check(version int) error {
	if version >= max(1, Version-1) && version <= Version+1 {
		return nil
	}
	return op.Errorf(op.Conflict, "messages of version %d are not understood: this is version %d", version, Version).
		Hinted("update chela on the machine where it is older")
}

// Slack is how much longer than the deadline of its operation a call may take. The messages and files
// of the call need this time.
const Slack = 5 * time.Second

// ErrNobody means that nobody has subscribed to a subject, so nobody has received the message.
var ErrNobody = errors.New("nobody answers")

// A Line carries messages between machines. Package natsline implements it with NATS, and package
// wiretest in memory, for tests.
type Line interface {
	// Request sends a message, and passes every answer to the function in the parameter each. It
	// returns when that function returns false, or ctx ends. If the function is nil, Request does
	// not wait for answers. The error is [ErrNobody], the error of ctx, or why the message cannot
	// be sent.
	Request(ctx context.Context, subject string, message []byte, each func([]byte) bool) error

	// Subscribe calls handle with the messages of a subject, one after the other. The handler can
	// send an answer with its function reply, also after it has returned.
	Subscribe(subject string, handle func(message []byte, reply func([]byte) error)) (end func(), err error)

	// Since returns since when the line is connected; the zero time while it is not.
	Since() time.Time

	// Most returns how many bytes a message can have.
	Most() int
}

// Await waits until a line is connected. The error says that ctx has ended.
func Await(ctx context.Context, l Line) error {
	ticker := time.NewTicker(10 * time.Millisecond)
	defer ticker.Stop()
	for l.Since().IsZero() {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticker.C:
		}
	}
	return nil
}

// Objects store files that are too large for a message, until the other machine has fetched them. Get
// removes the file.
type Objects interface {
	Put(ctx context.Context, name string, content io.Reader) error
	Get(ctx context.Context, name string, content io.Writer) error
}

// Subjects are the subjects of one tenant. NATS can give a tenant the right to use its own subjects
// only.
type Subjects struct{ Tenant string }

func (s Subjects) of(rest string) string { return "chela." + s.Tenant + "." + rest }

// Call returns the subject of calls to a node.
func (s Subjects) Call(node string) string { return s.of("node." + node + ".call") }

// Cancel returns the subject by which callers take back calls to a node.
func (s Subjects) Cancel(node string) string { return s.of("node." + node + ".cancel") }

// Beat returns the subject of the beats of a node: twice a second it sends its status. The name *
// stands for all nodes.
func (s Subjects) Beat(node string) string { return s.of("node." + node + ".beat") }

// Question returns the subject of the message that asks all nodes for their status.
func (s Subjects) Question() string { return s.of("nodes") }

// Command is OpenClaw's name for a call to the browser of a node.
const Command = "browser.proxy"

// A Call is a call to a node.
type Call struct {
	V        int    `json:"v"`
	ID       string `json:"idempotencyKey"` // id of the call; the same when the call is sent again
	Node     string `json:"nodeId"`
	Command  string `json:"command"`
	Params   Params `json:"params"`
	Instance string `json:"instance"` // id of the run of the node that the call is for; see [Status]

	// Beat is the number of the last beat (status message) that the caller has received from the
	// node. Age is the time, in milliseconds, from the arrival of that beat until the caller sent
	// this message. The node knows by its own clock when it sent that beat, and so how old this
	// message is at least.
	Beat uint64 `json:"beat"`
	Age  int64  `json:"ageMs"`

	Again    bool     `json:"again,omitempty"` // the call was sent before
	Caller   string   `json:"caller,omitempty"`
	Session  string   `json:"session,omitempty"`
	Surface  string   `json:"surface,omitempty"`
	Progress bool     `json:"progress,omitempty"`   // the caller wants reports of progress
	Hosts    []string `json:"allowHosts,omitempty"` // the only hosts that the session may open
	Placed   bool     `json:"placed,omitempty"`     // a scheduler has chosen the node, so the node may refuse the call as busy
	From     string   `json:"from,omitempty"`       // the node that the caller named, if the profile may have moved from there to Node
	Files    []File   `json:"files,omitempty"`      // files that the arguments name

	TraceParent string `json:"traceparent,omitempty"` // the trace that the call belongs to, in the form of the W3C Trace Context header
}

// Params are the parameters of browser.proxy. The profile is also among the arguments.
type Params struct {
	op.Sent
	TimeoutMs     int64  `json:"timeoutMs"`
	Profile       string `json:"profile,omitempty"`
	ErrorEnvelope string `json:"errorEnvelope,omitempty"`
}

// A File is a file of a call or an answer. It has either the content, or the name under which
// [Objects] stores the content.
type File struct {
	Path   string `json:"path"` // path of the file, as the arguments or the result name it
	Name   string `json:"name,omitempty"`
	Data   []byte `json:"base64,omitempty"`
	Type   string `json:"mimeType,omitempty"`
	Object string `json:"object,omitempty"`
	Size   int64  `json:"size,omitempty"`
	Error  string `json:"error,omitempty"` // why the file could not be sent
}

// The kinds of replies to a call.
const (
	Accepted = "accepted" // the node has the call
	Progress = "progress"
	Answer   = "answer"  // the last reply
	Part     = "part"    // a part of a reply that is too large for one message
	Refused  = "refused" // the node has not run the call; Reply.Refused says why
)

// Why a node refuses a call. It has done nothing then.
const (
	Busy     = "busy"     // the node has no place for one more placed call (see Call.Placed)
	Draining = "draining" // the node is stopping, and takes no new calls
	Stale    = "stale"    // the message is old: the caller may have given up
	Restart  = "restart"  // the node was restarted after it sent the last status that the caller has received
	Wrong    = "wrong"    // the call is invalid or forbidden; Reply.Error says why
)

// NotFrom is a key in the details of an error. It says that a call was refused because its profile has
// never been on the node in Call.From.
const NotFrom = "notFrom"

// A Reply is a message with which a node replies to a call.
type Reply struct {
	V        int                `json:"v"`
	ID       string             `json:"id"`
	Kind     string             `json:"kind"`
	Progress *op.ProgressReport `json:"progress,omitempty"`
	Payload  *Payload           `json:"payload,omitempty"`
	Error    *op.Error          `json:"error,omitempty"`
	Refused  string             `json:"refused,omitempty"`
	Part     int                `json:"part,omitempty"`   // number of the part, from 1
	Of       int                `json:"of,omitempty"`     // how many parts the reply has
	TookUs   int64              `json:"tookUs,omitempty"` // microseconds from the call to this answer, on the node
	Data     []byte             `json:"data,omitempty"`
}

// Payload is OpenClaw's result of browser.proxy.
type Payload struct {
	Result json.RawMessage `json:"result"`
	Files  []File          `json:"files,omitempty"`
}

// A Cancel takes back a call.
type Cancel struct {
	V  int    `json:"v"`
	ID string `json:"id"`
}

// A Question asks all nodes for their [Status].
type Question struct {
	V int `json:"v"`
}

// A Status describes the state of a node. The node also sends it regularly, as a beat.
type Status struct {
	V        int               `json:"v"`
	Name     string            `json:"name"`
	Instance string            `json:"instance"` // a new id at each start of the node
	Beat     uint64            `json:"beat"`     // number of this status; it grows by one each time
	Healthy  bool              `json:"healthy"`
	Reason   string            `json:"reason,omitempty"` // why the node is not healthy
	Draining bool              `json:"draining,omitempty"`
	Load     *Load             `json:"load,omitempty"` // nil: schedulers place no calls on this node
	Tabs     int               `json:"tabs"`
	Labels   map[string]string `json:"labels,omitempty"`
	Profiles []string          `json:"profiles,omitempty"`
	Default  string            `json:"default,omitempty"`  // the profile of calls that name none
	Portable []string          `json:"portable,omitempty"` // portable profiles that the node can take from others
	Version  string            `json:"version"`            // version of chela
}

// Load says how busy a node is.
type Load struct {
	Calls  int `json:"calls"`            // calls in progress
	Placed int `json:"placed,omitempty"` // the part of Calls that schedulers have placed here
	Warm   int `json:"warm,omitempty"`   // empty tabs that are ready for calls
	Slots  int `json:"slots"`            // how many calls the node can do at once
	Queue  int `json:"queue"`            // placed calls that have not begun
}

// Encode returns the bytes of a message.
func Encode(message any) []byte {
	raw, err := json.Marshal(message)
	if err != nil {
		panic(err) // every type of message can be encoded
	}
	return raw
}
