package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"chela/internal/base/media"
	"chela/internal/op"
)

// sendFiles sends the files that a call names to the server, and replaces their paths in args by
// references to the received files. It changes args in place. Files are the parameters of the types
// op.Upload and op.Input. A file of type op.Upload is for a page, and an agent may be running this
// command. So it must be in a folder for uploads. A file of type op.Input may be anywhere, since no
// page gets it. This process opens the files, and not the server, which may have other rights and
// another file system.
func (r *remote) sendFiles(ctx context.Context, o *op.Op, args op.Args) error {
	return o.ReplaceGiven(args, func(given op.Given) (string, error) {
		if given.Input {
			return r.sendInput(ctx, given.Path)
		}
		return r.sendFile(ctx, given.Path)
	})
}

// sendFile sends one file, and starts the server if need be. [media.Roots.Upload] checks the path and
// opens the file, without following links. For a path that is not allowed, the error is op.Invalid
// and names the folder to put the file in.
func (r *remote) sendFile(ctx context.Context, path string) (reference string, err error) {
	if strings.HasPrefix(path, "media://") {
		return path, nil // the server can open the file itself
	}
	roots, err := media.Locate(media.Places{Media: r.state.Media()})
	if err != nil {
		return "", err
	}
	f, err := roots.Upload(path)
	if refused, ok := errors.AsType[*media.PathError](err); ok {
		return "", op.Errorf(op.Invalid, "%s", refused.Message).Hinted("%s", refused.Hint())
	}
	if err != nil {
		return "", err
	}
	defer f.Close()
	if err := r.ready(ctx); err != nil {
		return "", err
	}
	return r.client.Send(ctx, filepath.Base(f.Name()), f)
}

// sendInput sends a file that is for the server alone, see [op.Input]; the path - is standard input.
// Errors come from opening the file and from the connection.
func (r *remote) sendInput(ctx context.Context, path string) (reference string, err error) {
	if strings.HasPrefix(path, "media://") {
		return path, nil // the server can open the file itself
	}
	in, name := r.program.In, "input"
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return "", err
		}
		defer f.Close()
		in, name = f, filepath.Base(path)
	}
	if err := r.ready(ctx); err != nil {
		return "", err
	}
	return r.client.Send(ctx, name, in)
}
