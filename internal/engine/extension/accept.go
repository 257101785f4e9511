package extension

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/coder/websocket"
)

// accept accepts the WebSocket of an extension, does the handshake, and serves the connection until
// it ends.
func (r *Relay) accept(w http.ResponseWriter, req *http.Request) {
	proved := sync.OnceFunc(r.exit)
	defer proved()
	// ServeHTTP has already compared the Origin exactly.
	conn, err := websocket.Accept(w, req, &websocket.AcceptOptions{InsecureSkipVerify: true, CompressionMode: websocket.CompressionDisabled})
	if err != nil {
		r.refused.Refused("no WebSocket", r.origin(), time.Now())
		return
	}
	conn.SetReadLimit(maxOpening)
	err = r.handshake(conn, proved)
	if refused, ok := errors.AsType[*refusal](err); ok {
		r.refused.Refused(refused.Reason, r.origin(), time.Now())
	} else if errors.Is(err, websocket.ErrMessageTooBig) {
		r.refused.Refused("a frame is too long", r.origin(), time.Now())
	}
	end(conn, err)
}

// handshake exchanges the first frames of a connection, and then serves it until it ends. The error
// is a [*refusal], or says how the connection ended.
func (r *Relay) handshake(conn *websocket.Conn, proved func()) error {
	ctx, cancel := context.WithTimeout(context.Background(), openTime)
	defer cancel()
	first, err := receive(ctx, conn, "hello", "pair")
	if err != nil {
		return err
	}
	if first.Kind == "pair" {
		return r.pair(ctx, conn, first)
	}
	key, ok := r.keys.get(first.KeyID)
	if !ok {
		return refuse(http.StatusUnauthorized, "not paired")
	}
	asked := newChallenge(key, first, time.Now())
	if err := send(ctx, conn, asked.frame()); err != nil {
		return err
	}
	answer, err := receive(ctx, conn, "proof")
	if err != nil {
		return err
	}
	if err := asked.check(answer, time.Now()); err != nil {
		return err
	}
	proved()
	return r.serve(ctx, conn, key, answer)
}

// serve serves a connection whose extension has proved that it has the key.
func (r *Relay) serve(ctx context.Context, conn *websocket.Conn, key Key, answer opening) error {
	p, l := r.peer(key), newLink(conn, answer)
	if p == nil {
		return errRevoked
	}
	if err := p.admit(ctx, l); err != nil {
		return err
	}
	conn.SetReadLimit(maxFrame)
	l.out.put(encode(map[string]string{"kind": "ok"}))
	return p.serve(l)
}

// pair pairs a browser. The parameter first is the first frame from the extension, which asks for
// the pairing.
func (r *Relay) pair(ctx context.Context, conn *websocket.Conn, first opening) error {
	offer, err := r.pairings.try(time.Now())
	if err != nil {
		return err
	}
	agreed, err := agree(offer.Digits, first.Share)
	if err != nil {
		return err
	}
	if err := send(ctx, conn, map[string]string{"kind": "share", "share": agreed.server}); err != nil {
		return err
	}
	answer, err := receive(ctx, conn, "confirm")
	if err != nil {
		return err
	}
	key, frame, err := agreed.confirm(answer, first.Name, time.Now())
	if err != nil {
		return err
	}
	r.pairings.close(offer)
	if err := r.keys.add(key); err != nil {
		return err
	}
	return send(ctx, conn, frame)
}

// receive receives one frame of the handshake, which must have one of the given kinds. The error is
// errMalformed for any other frame, or comes from the connection or ctx.
func receive(ctx context.Context, conn *websocket.Conn, kinds ...string) (opening, error) {
	_, frame, err := conn.Read(ctx)
	if err != nil {
		return opening{}, err
	}
	return readOpening(frame, kinds...)
}

func send(ctx context.Context, conn *websocket.Conn, v any) error {
	return conn.Write(ctx, websocket.MessageText, encode(v))
}
