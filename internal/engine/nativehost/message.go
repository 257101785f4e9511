package nativehost

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// maxMessage limits the bytes of a message. It is Chromium's limit for messages of a host.
const maxMessage = 1 << 20

// A Request is what the extension asks a host for.
type Request struct {
	Kind string `json:"kind"` // what is asked for; the only kind is pair
	V    int    `json:"v"`    // version of the messages: 1
	Name string `json:"name"` // what to call the browser in lists
}

// ErrRequest means that a host does not know this kind of request.
var ErrRequest = errors.New("the extension asks for something that this chela does not know")

// ReadRequest reads the request that the browser passes on. The error is [ErrRequest], says that
// the request is malformed, or comes from r.
func ReadRequest(r io.Reader) (q Request, err error) {
	var size uint32 // Chromium writes it in the byte order of the machine
	if err := binary.Read(r, binary.NativeEndian, &size); err != nil {
		return q, fmt.Errorf("read the extension's request: %w", err)
	}
	if size > maxMessage {
		return q, fmt.Errorf("the extension's request is of %d bytes: at most %d are read", size, maxMessage)
	}
	raw := make([]byte, size)
	if _, err := io.ReadFull(r, raw); err != nil {
		return q, fmt.Errorf("read the extension's request: %w", err)
	}
	if err := json.Unmarshal(raw, &q); err != nil {
		return q, fmt.Errorf("the extension's request is no JSON: %w", err)
	}
	if q.Kind != "pair" || q.V != 1 {
		return q, ErrRequest
	}
	return q, nil
}

// WriteAnswer writes an answer for the browser to pass on. It does so in one write, because the
// browser may close the pipe when the message is complete.
func WriteAnswer(w io.Writer, answer any) error {
	raw, err := json.Marshal(answer)
	if err != nil {
		return err
	}
	if len(raw) > maxMessage {
		return fmt.Errorf("the answer is of %d bytes: Chromium takes at most %d", len(raw), maxMessage)
	}
	_, err = w.Write(append(binary.NativeEndian.AppendUint32(nil, uint32(len(raw))), raw...))
	return err
}
