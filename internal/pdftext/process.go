// Package pdftext reads the text of PDF documents.
//
// Documents come from anywhere, and a library that reads so intricate a format can be made to run
// without an end, to take all memory, or to nest until its stack is full, which ends a Go program
// whatever it recovers. So each document is read in a process of its own, which is this program
// once more: it has limits of its own, and can be killed.
package pdftext

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"time"
)

// Text is the text of a document.
type Text struct {
	Title   string // as the document has it; "" if it has none
	Pages   []string
	Count   int // pages of the document; more than Pages if it has more than is read
	Unknown int // characters for which the document has no letters: of a font without names
}

var (
	// ErrBroken says that a document cannot be read: it is broken, or of a kind that is not known.
	ErrBroken = errors.New("the PDF cannot be read")

	// ErrProtected says that a document is protected by a password.
	ErrProtected = errors.New("the PDF is protected by a password")
)

// Limits of the process.
const (
	readTime  = 20 * time.Second
	maxMemory = 512 << 20 // bytes; where the system does not limit it, the collector works harder above
	maxStack  = 64 << 20  // bytes
	maxText   = 4 << 20   // bytes of text; further pages are not read
)

// child is the name under which this program reads a document.
const child = "chela-reads-pdf"

// Become reads a document and ends this process, if it was started by [Read]. Programs that call that,
// and their tests, call it first.
func Become() {
	if len(os.Args) != 1 || os.Args[0] != child {
		return
	}
	debug.SetMaxStack(maxStack)
	debug.SetMemoryLimit(maxMemory * 3 / 4)
	limit()
	data, err := io.ReadAll(os.Stdin)
	if err != nil {
		os.Exit(1)
	}
	text, err := parse(data)
	answer := reply{Text: text, Protected: errors.Is(err, ErrProtected)}
	if err != nil {
		answer.Fault = err.Error()
	}
	if json.NewEncoder(os.Stdout).Encode(answer) != nil {
		os.Exit(1)
	}
	os.Exit(0)
}

// A reply is what the process answers.
type reply struct {
	Text      *Text
	Fault     string
	Protected bool
}

// Read reads a document. Errors are [ErrBroken], [ErrProtected], those of starting a process, and the
// cause of ctx.
func Read(ctx context.Context, document []byte) (*Text, error) {
	limited, cancel := context.WithTimeout(ctx, readTime)
	defer cancel()
	self, err := program()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(limited, self)
	cmd.Args = []string{child}
	cmd.Env = []string{"GORACE=" + os.Getenv("GORACE")} // by it, programs with Go's race detector end at once; nothing else is inherited
	cmd.Stdin = bytes.NewReader(document)
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	var r reply
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil && cmd.ProcessState == nil:
		return nil, fmt.Errorf("start the process that reads a PDF: %w", err)
	case err != nil || json.Unmarshal(out, &r) != nil:
		return nil, fmt.Errorf("%w: it takes too much time or memory", ErrBroken)
	case r.Protected:
		return nil, ErrProtected
	case r.Text == nil:
		return nil, fmt.Errorf("%w: %s", ErrBroken, r.Fault)
	}
	return r.Text, nil
}

// program is the file of this program, also if another one was installed in its place meanwhile.
func program() (string, error) {
	if runtime.GOOS == "linux" {
		return "/proc/self/exe", nil
	}
	return os.Executable()
}
