package mcp

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"chela/internal/op"
	"chela/internal/reading/picture"
	"chela/internal/reading/vision"
)

// Pictures says how a model is given pictures.
type Pictures struct {
	Models  vision.Models // describe pictures for a model that sees none; empty: it is given the pictures
	MaxSide int           // of pictures that it or they are given, in pixels; 0: no limit

	// Share saves a copy of a picture where the agent's host sends files from, and returns its
	// path; nil: there is no such place.
	Share func(name string, content []byte) (path string, err error)
}

const (
	// maxPicture is how many bytes a picture may have that is sent to a model: the limit of
	// common model interfaces is 5 MB. A larger one is only linked.
	maxPicture = 5 << 20
	// maxFile is how many bytes a file may have that is read to be described.
	maxFile = 50 << 20
)

// resultFiles are the files of a result, as a model gets them.
type resultFiles struct {
	described []string       // descriptions of pictures, with the boundaries around them
	failed    []string       // why others are not described, likewise
	vision    map[string]any // who has described them; nil: nobody
	content   []sdk.Content  // pictures that are not described, and links
}

// around returns the text of a result with two additions. The descriptions of its pictures stand
// before it. The reasons why other pictures are not described stand after it.
func (s resultFiles) around(text string) string {
	all := s.described
	if text != "" {
		all = append(all, text)
	}
	return strings.Join(append(all, s.failed...), "\n")
}

// show gives a model the files of the result.
//
// A picture of the page that is described is in the result in no other way. It is no image, which
// the model could not read. Its path is left out, as by it hosts would send the picture to the
// user's chat. The result is read again without these paths, which may stand in its text. A picture
// that was downloaded keeps its path between the boundaries, as this is what it was downloaded for.
func (r *result) show(ctx context.Context, p Pictures) (all resultFiles) {
	hidden := map[string]string{}
	defer func() { r.offer(p, all) }()
	for _, f := range r.files {
		image, ok := picture.Picture{}, false
		if len(p.Models) > 0 {
			image, ok = readPicture(f.path, maxFile)
		}
		if !ok {
			all.content = append(all.content, file(f, p)...)
			continue
		}
		d, err := p.describe(ctx, image)
		if err != nil {
			all.failed = append(all.failed, undescribed(err))
			all.content = append(all.content, file(f, p)...)
			continue
		}
		all.described = append(all.described, description(d))
		all.vision = map[string]any{
			"provider": d.Provider, "model": d.Model,
			"decision": map[string]any{"capability": "image", "outcome": "success"},
		}
		if !f.named {
			hidden[f.path] = ""
		}
	}
	if len(hidden) > 0 {
		wasText := r.isText
		*r = *read(r.op, op.MoveFiles(r.raw, hidden))
		r.isText = wasText
	}
	return all
}

// offer is for a picture that is the whole result and that the model is given. It says in
// OpenClaw's words where a copy of it can be sent from. The copy is the picture as the model gets
// it. The text does not lead the model to the original, which may be larger than the user wants
// agents to get.
func (r *result) offer(p Pictures, all resultFiles) {
	if p.Share == nil || len(r.files) != 1 || r.text != r.files[0].path || all.described != nil || len(all.content) == 0 {
		return
	}
	image, ok := all.content[0].(*sdk.ImageContent)
	if !ok {
		return
	}
	path, err := p.Share(r.files[0].path, image.Data)
	if err != nil {
		r.text = "[Screenshot sharing is unavailable because an outbound copy could not be prepared.]"
		return
	}
	r.text = fmt.Sprintf("[Screenshot saved to %q. A sanitized outbound copy is ready at this path for explicit sharing.]", path)
}

// describe has a picture described. That models before the one that has done so could not is for
// the user to know, who has configured them.
func (p Pictures) describe(ctx context.Context, image picture.Picture) (vision.Description, error) {
	image, err := image.Fit(p.MaxSide, 0)
	if err != nil {
		return vision.Description{}, err
	}
	d, err := p.Models.Describe(ctx, image)
	if err == nil && len(d.Before) > 0 {
		slog.Warn("models have not described a picture", "errors", d.Before.Error())
	}
	return d, err
}

// readPicture reads a picture of at most maxBytes; false if the file is not a picture, or cannot be
// read. The kind is found from its first bytes and not from its name, which for a download the
// server has chosen.
func readPicture(path string, maxBytes int64) (picture.Picture, bool) {
	data, err := readWithin(path, maxBytes)
	if err != nil {
		return picture.Picture{}, false
	}
	return picture.Read(data)
}

// readWithin reads a file of at most maxBytes. A larger one is an error.
func readWithin(path string, maxBytes int64) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Size() > maxBytes {
		return nil, fmt.Errorf("%s has more than %d bytes", path, maxBytes)
	}
	return os.ReadFile(path)
}

// description returns a model's description of a picture, under its name. A model that has read the
// page wrote the words, so they are the page's.
func description(d vision.Description) string {
	return sanitise(fmt.Sprintf("[analyzed by %s/%s]", d.Provider, d.Model)) + "\n" + warning + newFence().around(d.Text)
}

// undescribed says why a picture was not described. The reason may quote a provider or a program,
// and so the page. It is sanitised by itself, as its first line is not the beginning of a line
// here.
func undescribed(reason error) string {
	return newFence().around("[browser screenshot vision failed: " + sanitise(reason.Error()) + "]")
}

// file is a file that an operation made: the picture if it is one, and a link to it. A file that
// cannot be read is only linked: the operation itself has succeeded. A file that the page has named
// is not linked, as hosts show links to the model as chela's words. Its path is between the
// boundaries.
func file(f madeFile, p Pictures) (content []sdk.Content) {
	image, ok := readPicture(f.path, maxPicture)
	if small, err := image.Fit(p.MaxSide, maxPicture); ok && err == nil {
		content = append(content, &sdk.ImageContent{Data: small.Data, MIMEType: small.Type})
	}
	if !f.named {
		content = append(content, link(f.path, image.Type))
	}
	return content
}

// link is a link to a file, of a MIME type that may be unknown.
func link(path, kind string) *sdk.ResourceLink {
	return &sdk.ResourceLink{URI: (&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String(), Name: "file", MIMEType: kind}
}
