package vault

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"time"

	"chela/internal/base/config"
	"chela/internal/base/program"
	"chela/internal/base/regular"
)

// The limits of reading a source.
const (
	commandTime = 10 * time.Second
	maxRead     = 64 << 10 // bytes of a file, or of the output of a command
)

// valueOf reads the value of a secret that the configuration names. A line break at the end is not
// a part of the value. Errors are a [*SourceError] and the cause of ctx.
func valueOf(ctx context.Context, name string, s config.SecretSource) (value string, err error) {
	switch {
	case s.Variable != "":
		if value = os.Getenv(s.Variable); value == "" {
			err = errors.New("the server has no such variable")
		}
	case s.File != "":
		value, err = readFile(s.File)
	default:
		value, err = output(ctx, s.Command)
	}
	if err != nil {
		return "", &SourceError{name, s.String(), err}
	}
	return strings.TrimSuffix(strings.TrimSuffix(value, "\n"), "\r"), nil
}

// readFile returns the content of a file. It does not wait for a pipe that nobody writes to. Errors
// are without the path, which SourceError has in From.
func readFile(path string) (string, error) {
	raw, err := regular.ReadFile(path, maxRead)
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		err = failed.Err
	}
	return string(raw), err
}

// output returns what a program writes. Errors do not quote what the program writes to its standard
// error, because that may have a part of the value.
func output(ctx context.Context, command []string) (string, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, commandTime, fmt.Errorf("it did not end within %s", commandTime))
	defer cancel()
	out := &bounded{}
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Stdout = out
	err := program.Run(cmd)
	switch {
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case err != nil:
		return "", err
	}
	return out.kept.String(), nil
}

// A bounded is a writer that keeps the first maxRead bytes.
type bounded struct{ kept bytes.Buffer }

func (b *bounded) Write(data []byte) (int, error) {
	b.kept.Write(data[:min(len(data), maxRead-b.kept.Len())])
	return len(data), nil
}
