package node

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"os"
	"runtime/debug"
	"time"

	"chela/internal/base/media"
	"chela/internal/base/stage"
	"chela/internal/fleet/wire"
	"chela/internal/op"
	"chela/internal/wall/secret"
)

// Handle answers a message to the subject of the node's calls. It returns at once, and the call
// runs in a goroutine of its own.
func (n *Node) Handle(message []byte, reply func([]byte) error) {
	began := time.Now()
	var c wire.Call
	if err := json.Unmarshal(message, &c); err != nil || c.ID == "" {
		slog.Warn("a message of the fleet could not be read", "error", err)
		return
	}
	refuse := func(why string, err error) {
		r := wire.Reply{V: wire.Version, ID: c.ID, Kind: wire.Refused, Refused: why}
		if err != nil {
			r.Error = op.AsError(op.Masked(err))
		}
		reply(wire.Encode(r))
	}
	if err := wire.Check(c.V); err != nil {
		refuse(wire.Wrong, err)
		return
	}
	if c.Instance != n.instance {
		refuse(wire.Restart, nil)
		return
	}
	if known := n.works.get(c.ID); known == nil && n.beats.isStale(c.Beat, time.Duration(c.Age)*time.Millisecond, time.Now()) {
		refuse(wire.Stale, nil)
		return
	}
	ctx, cancel := context.WithCancel(n.lifetime)
	w, isNew := n.works.enter(c.ID, reply, cancel)
	if !isNew {
		cancel()
		if !w.repeat(wire.Version, n.o.Line.Most()) {
			lost := op.Errorf(op.NodeLost, "the call was made on node %s, and its answer is not kept any more", n.o.Name)
			lost.Sent, lost.Details = true, map[string]any{"sent": "yes"}
			reply(wire.Encode(wire.Reply{V: wire.Version, ID: c.ID, Kind: wire.Answer, Error: lost}))
		}
		return
	}
	o, args, err := n.admit(c)
	if err != nil {
		cancel()
		n.works.drop(w)
		refuse(wire.Wrong, err)
		return
	}
	profile := n.profileOf(o, args)
	if why := n.begin(c, o, args, profile); why != "" {
		cancel()
		n.works.drop(w)
		refuse(why, nil)
		return
	}
	accept := time.AfterFunc(acceptTime, func() { w.say(wire.Reply{V: wire.Version, ID: c.ID, Kind: wire.Accepted}, n.o.Line.Most()) })
	go func() {
		defer n.calls.Done()
		defer cancel()
		defer accept.Stop()
		answer := n.run(ctx, w, c, o, args)
		answer.TookUs = time.Since(began).Microseconds()
		n.ended(c, o, profile)
		n.noteHealth(answer.Error)
		n.works.finish(w, answer, n.o.Line.Most())
	}()
}

// acceptTime is how long a call runs until the node tells the caller that it has the call. Most
// calls end earlier, and for these the message would cost as much as the answer. A caller that
// hears nothing for a second sends the call again.
const acceptTime = 100 * time.Millisecond

// begin counts a call that begins. If the call cannot begin, the result says why; otherwise it is
// "".
func (n *Node) begin(c wire.Call, o *op.Op, args op.Args, profile string) (why string) {
	// The tabs are counted without mu: a browser may delay that, and beats need mu. If the drain begins
	// just now, the call came before it.
	isNew := n.isDraining() && n.isNew(c, o, args)
	n.mu.Lock()
	defer n.mu.Unlock()
	switch {
	case n.lifetime.Err() != nil, n.leaving[profile] && !o.EndsSession(), isNew:
		return wire.Draining
	case c.Placed && n.placed >= 2*n.o.Slots:
		return wire.Busy
	}
	n.running++
	n.calling[profile]++
	if c.Placed {
		n.placed++
	}
	n.calls.Add(1)
	return ""
}

func (n *Node) isDraining() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.draining
}

// isNew reports whether a call begins something new, which a node that shuts down refuses. Sessions
// that have tabs here go on, and any session can be ended.
func (n *Node) isNew(c wire.Call, o *op.Op, args op.Args) bool {
	return !o.EndsSession() && (o.Anywhere(args) || !n.hasTabsOf(c.Session))
}

// hasTabsOf reports whether a session has tabs on this node.
func (n *Node) hasTabsOf(session string) bool { return n.o.Owners()[session] > 0 }

// ended counts a call that has ended. Its session may have tabs here now, for which a drain waits. The
// end of a session is called outside of it, and a placed call leaves no tab.
func (n *Node) ended(c wire.Call, o *op.Op, profile string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.running--
	if n.calling[profile]--; n.calling[profile] == 0 {
		delete(n.calling, profile)
	}
	switch {
	case c.Placed:
		n.placed--
	case !o.EndsSession():
		n.served[c.Session] = time.Now()
	}
}

// cancel cancels a call. Calls and cancellations have subjects of their own, so the cancellation
// may arrive first. Then the call is recorded as ended, and is not run when it arrives.
func (n *Node) cancel(message []byte) {
	var c wire.Cancel
	if json.Unmarshal(message, &c) != nil {
		return
	}
	w, isNew := n.works.enter(c.ID, nil, func() {})
	if isNew {
		n.works.finish(w, wire.Reply{V: wire.Version, ID: c.ID, Kind: wire.Answer, Error: op.Errorf(op.Canceled, "the call was cancelled")}, n.o.Line.Most())
		return
	}
	w.cancel()
}

// run runs a call and returns its answer.
func (n *Node) run(ctx context.Context, w *work, c wire.Call, o *op.Op, args op.Args) wire.Reply {
	answer := wire.Reply{V: wire.Version, ID: c.ID, Kind: wire.Answer}
	limit := time.Duration(c.Params.TimeoutMs) * time.Millisecond
	if !c.Placed { // a placed call may have waited in the caller's queue, and has less time left than its operation allows
		limit += wire.Slack // the operation has its own deadline: this is time for the files of the call
	}
	ctx, end := context.WithTimeoutCause(ctx, limit, op.ErrDeadline)
	defer end()
	ctx = op.WithSurface(op.WithSession(op.WithCaller(ctx, c.Caller), c.Session), op.SurfaceNamed(c.Surface))
	ctx = stage.WithParent(op.WithProfiles(ctx, n.o.Policy().Profiles), c.TraceParent)
	if c.Progress {
		ctx = op.WithProgress(ctx, func(done, total int, doing string) {
			report := &op.ProgressReport{Done: done, Total: total, Doing: doing}
			w.say(wire.Reply{V: wire.Version, ID: c.ID, Kind: wire.Progress, Progress: report}, n.o.Line.Most())
		})
	}
	result, err := n.do(ctx, c, o, args)
	if err != nil {
		answer.Error = op.FailureOf(ctx, err)
		return answer
	}
	answer.Payload = &wire.Payload{Result: result, Files: n.pack(ctx, o, result)}
	return answer
}

// do does what a call asks for. After a panic it returns an error, as the server of this machine
// does. Otherwise one call would end the node, with the browsers of all its callers.
func (n *Node) do(ctx context.Context, c wire.Call, o *op.Op, args op.Args) (result json.RawMessage, err error) {
	defer func() {
		if p := recover(); p != nil {
			slog.Error("panic", "panic", p, "stack", string(debug.Stack()))
			result, err = nil, op.Errorf(op.Internal, "an internal error")
		}
	}()
	if c.Hosts != nil {
		if err := n.o.Service.Confine(ctx, c.Hosts); err != nil {
			return nil, err
		}
	}
	if err := n.checkFrom(ctx, c, o, args); err != nil {
		return nil, err
	}
	if err := n.receive(ctx, c, o, args); err != nil {
		return nil, err
	}
	return n.o.Service.Run(ctx, o, args)
}

// receive stores the files of a call, and replaces their names in its arguments by the references
// that the service gives them. Other paths are refused: they are paths of another machine.
func (n *Node) receive(ctx context.Context, c wire.Call, o *op.Op, args op.Args) error {
	return o.ReplaceGiven(args, func(given op.Given) (string, error) {
		for _, f := range c.Files {
			if f.Path == given.Path {
				return n.keep(ctx, f)
			}
		}
		return "", op.Errorf(op.Invalid, "the call does not have its file %s with it", op.BaseName(given.Path))
	})
}

// keep stores a file of a call. It is streamed, because it may be large.
func (n *Node) keep(ctx context.Context, f wire.File) (reference string, err error) {
	in, out := io.Pipe()
	go func() { out.CloseWithError(f.Write(ctx, n.o.Objects, out)) }()
	defer in.Close()
	return n.o.Service.Receive(cmp.Or(f.Name, op.BaseName(f.Path)), in)
}

// pack returns the files that a result names. If a file cannot be sent, its entry has an error
// text, since the call itself has succeeded. A file that does not exist, such as that of an
// unfinished download, is left out.
func (n *Node) pack(ctx context.Context, o *op.Op, result json.RawMessage) []wire.File {
	p := wire.Packer{Objects: n.o.Objects}
	for _, path := range o.Files(result) {
		f, err := media.OpenMade(path)
		if err != nil {
			continue
		}
		err = addFile(ctx, &p, path, f)
		f.Close()
		if err != nil {
			p.Files = append(p.Files, wire.File{Path: path, Error: err.Error()})
		}
	}
	return p.Files
}

// addFile adds a file of an answer. The secrets that this node knows are masked in it.
func addFile(ctx context.Context, p *wire.Packer, path string, f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	content, size, err := secret.MaskFile(f, info.Size())
	if err != nil {
		return err
	}
	return p.Add(ctx, path, op.BaseName(path), size, content)
}
