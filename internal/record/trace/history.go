package trace

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
)

// A history shortens the snapshots of one frame. A part that the frame has shown before is written as
// [[n, i]]: node i of the snapshot that came n snapshots earlier. Nodes are counted as the viewer
// does in snapshotNodes of packages/isomorphic/trace/snapshotRenderer.ts. It counts the nodes that
// are written out, including texts, from 0, each after its children. If a count here differed by
// one, the viewer would show another part of the page in this place, without any error.
//
// The page writes whole documents, and the history finds the parts that are the same. So nothing
// has to be kept in the page, which may discard its documents at any time.
type history struct {
	seed maphash.Seed
	last int              // number of the newest snapshot, from 0; -1: there is none
	seen map[uint64]place // nodes by the hash of their text
}

// A place says where a node was written out.
type place struct{ snapshot, node int }

// maxSeen limits how many nodes a history knows. Beyond it, the history forgets all nodes, and the
// next snapshot is written out in full. The count of snapshots goes on.
const maxSeen = 500_000

// shortest is the length in bytes of the shortest node that is worth a reference. A reference to a
// shorter node would hardly be shorter, and the node would take room in history.seen.
const shortest = 24

// newHistory returns the history of a frame that has no snapshot yet.
func newHistory() *history {
	return &history{seed: maphash.MakeSeed(), last: -1, seen: map[uint64]place{}}
}

// A node is a part of a snapshot that is not shortened yet.
type node struct {
	text     []byte // the node as JSON, with its children
	head     []byte // JSON of the node before its first child; for a text node, all of it
	children []node
	hash     uint64
}

// shorten returns the next snapshot of the frame with references to earlier ones. The error is
// errFormat if the page has not described its document in the format of read. Then the snapshot is
// not counted.
func (h *history) shorten(html json.RawMessage) (json.RawMessage, error) {
	root, rest, err := h.read(html)
	if err != nil {
		return nil, err
	}
	if len(bytes.TrimSpace(rest)) > 0 {
		return nil, errFormat
	}
	if len(h.seen) > maxSeen {
		clear(h.seen)
	}
	h.last++
	var out bytes.Buffer
	nodes := 0
	h.write(&out, root, &nodes)
	return out.Bytes(), nil
}

// write writes a node or a reference to it, and counts the nodes that it writes out.
func (h *history) write(out *bytes.Buffer, n node, nodes *int) {
	// A reference names a node by its index among the nodes of a snapshot that were written out in
	// full. Only such nodes are in seen.
	if at, ok := h.seen[n.hash]; ok && len(n.text) >= shortest && at.snapshot < h.last {
		fmt.Fprintf(out, "[[%d,%d]]", h.last-at.snapshot, at.node)
		return
	}
	out.Write(n.head)
	for _, child := range n.children {
		out.WriteByte(',')
		h.write(out, child, nodes)
	}
	if len(n.head) > 0 && n.head[0] == '[' {
		out.WriteByte(']')
	}
	if len(n.text) >= shortest {
		h.seen[n.hash] = place{h.last, *nodes}
	}
	*nodes++
}

var errFormat = errors.New("the page has not described its document")

// read reads the node at the beginning of text: "a text", or ["NAME", {attributes},
// children...]. The text comes from JSON.stringify, so there is no white space in it.
func (h *history) read(text []byte) (n node, rest []byte, err error) {
	if len(text) > 0 && text[0] == '"' {
		end, err := stringEnd(text)
		if err != nil {
			return n, nil, err
		}
		n = node{text: text[:end], head: text[:end]}
		n.hash = h.hashOf(n)
		return n, text[end:], nil
	}
	if len(text) == 0 || text[0] != '[' {
		return n, nil, errFormat
	}
	head, err := headEnd(text)
	if err != nil {
		return n, nil, err
	}
	n.head, rest = text[:head], text[head:]
	for len(rest) > 0 && rest[0] == ',' {
		var child node
		if child, rest, err = h.read(rest[1:]); err != nil {
			return n, nil, err
		}
		n.children = append(n.children, child)
	}
	if len(rest) == 0 || rest[0] != ']' {
		return n, nil, errFormat
	}
	n.text = text[:len(text)-len(rest)+1]
	n.hash = h.hashOf(n)
	return n, rest[1:], nil
}

// hashOf returns the hash of a node, made of its head and the hashes of its children. So no byte of a
// deep tree is read more than once. The texts of nodes with the same hash are not compared: among
// maxSeen nodes, two different ones with the same 64 bits are very unlikely.
func (h *history) hashOf(n node) uint64 {
	var sum maphash.Hash
	sum.SetSeed(h.seed)
	sum.Write(n.head)
	for _, child := range n.children {
		maphash.WriteComparable(&sum, child.hash)
	}
	return sum.Sum64()
}

// headEnd returns the length of the beginning of a node: ["NAME" and, if it has any, its
// attributes. The text begins with [. Attributes have strings as values, and a brace in a string
// does not end them. The error is errFormat.
func headEnd(text []byte) (int, error) {
	name, err := stringEnd(text[1:])
	if err != nil {
		return 0, err
	}
	at := 1 + name
	if at+1 >= len(text) || text[at] != ',' || text[at+1] != '{' {
		return at, nil // no attributes, and no children
	}
	for at += 2; at < len(text) && text[at] != '}'; {
		if text[at] != '"' {
			at++ // skips a colon or comma between strings
			continue
		}
		end, err := stringEnd(text[at:])
		if err != nil {
			return 0, err
		}
		at += end
	}
	if at >= len(text) {
		return 0, errFormat
	}
	return at + 1, nil
}

// stringEnd returns the length of the JSON string at the beginning of text, including the quotes.
// The error is errFormat, if the text begins with no quote, or the string has no end.
func stringEnd(text []byte) (int, error) {
	if len(text) == 0 || text[0] != '"' {
		return 0, errFormat
	}
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1, nil
		}
	}
	return 0, errFormat
}
