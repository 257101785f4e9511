package remote

import (
	"context"
	"encoding/json"
	"io"
	"slices"

	"chela/internal/base/media"
	"chela/internal/fleet/wire"
	"chela/internal/op"
)

// send returns the files that the arguments of a call name, for the message to the node. A file in
// the message has the same path as in the arguments, so the node can match them.
func (r Runner) send(ctx context.Context, o *op.Op, args op.Args) ([]wire.File, error) {
	p := wire.Packer{Objects: r.Objects}
	err := o.ReplaceGiven(args, func(given op.Given) (string, error) {
		if slices.ContainsFunc(p.Files, func(f wire.File) bool { return f.Path == given.Path }) {
			return given.Path, nil
		}
		content, name, size, err := r.Files.Given(given)
		if err != nil {
			return "", err
		}
		defer content.Close()
		return given.Path, p.Add(ctx, given.Path, name, size, content)
	})
	return p.Files, err
}

// takePlace checks the path at which the caller wants a file to be saved on this machine. The node has
// no such path. A record is saved there under a name of the node's own, which the node removes after a
// time. Other files get a name that no file on the node has, so no file there is replaced. It returns
// nil if the caller names no path.
func (r Runner) takePlace(o *op.Op, args op.Args) (*media.Place, error) {
	saved := o.Saved(args)
	if saved.Path == "" {
		return nil, nil
	}
	place, err := r.Files.Place(saved)
	if err != nil {
		return nil, err
	}
	delete(args, saved.Name)
	if !saved.Record {
		args[saved.Name], _ = json.Marshal(media.UniqueName(op.BaseName(saved.Path))) // a string can be encoded
	}
	return &place, nil
}

// keep saves the files of an answer on this machine, and returns the answer with their paths here.
func (r Runner) keep(ctx context.Context, o *op.Op, payload *wire.Payload, place *media.Place) (json.RawMessage, error) {
	return o.CopyFiles(payload.Result, func(there string) (string, error) {
		i := slices.IndexFunc(payload.Files, func(f wire.File) bool { return f.Path == there })
		if i < 0 {
			return "", nil // the file does not exist yet, for example that of an unfinished download
		}
		name := op.BaseName(there)
		here, err := r.Files.Keep(name, func(w io.Writer) error { return payload.Files[i].Write(ctx, r.Objects, w) })
		if err != nil {
			e := op.Errorf(op.AsError(err).Code, "the call was made on node %s, but its file %s did not come with the answer: %v", r.Node, name, err)
			return "", unanswered(e, r.Node, "yes")
		}
		if place == nil {
			return here, nil
		}
		return place.Path(), place.Put(here)
	})
}
