package child

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"time"
)

// A message consists of the size of its head, the size of its body, the head and the body. Each
// size has four bytes. The head is JSON. The body is not a part of it, so that a document need not
// be quoted and copied.

// A request asks a child for work.
type request struct {
	head requestHead
	body []byte
}

type requestHead struct {
	Work   string
	Params json.RawMessage
	Left   time.Duration
}

// A replyHead stands before a result.
type replyHead struct {
	Fault string `json:",omitempty"` // why there is no result, or ""
	Last  bool   `json:",omitempty"` // the child ends after this
}

// send writes a message.
func send(w io.Writer, head any, body []byte) error {
	raw, err := encode(head)
	if err != nil {
		return err
	}
	sizes := binary.BigEndian.AppendUint32(nil, uint32(len(raw)))
	sizes = binary.BigEndian.AppendUint32(sizes, uint32(len(body)))
	if _, err := w.Write(append(sizes, raw...)); err != nil {
		return err
	}
	_, err = w.Write(body)
	return err
}

var errLarge = errors.New("a message is too large")

// receive reads a message, which has two parts: a head in JSON, and a body. It returns errLarge if
// one of them has more than maxBytes.
func receive(r *bufio.Reader, head any, body *[]byte, maxBytes int) error {
	var sizes [8]byte
	if _, err := io.ReadFull(r, sizes[:]); err != nil {
		return err
	}
	headSize, bodySize := int(binary.BigEndian.Uint32(sizes[:])), int(binary.BigEndian.Uint32(sizes[4:]))
	if headSize > maxBytes || bodySize > maxBytes {
		return errLarge
	}
	raw := make([]byte, headSize)
	if _, err := io.ReadFull(r, raw); err != nil {
		return err
	}
	if err := json.Unmarshal(raw, head); err != nil {
		return err
	}
	*body = make([]byte, bodySize)
	_, err := io.ReadFull(r, *body)
	return err
}

// encode returns a value as compact JSON.
func encode(value any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(value)
	return b.Bytes(), err
}
