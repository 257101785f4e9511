package mcp

import (
	"context"
	"fmt"
	"log/slog"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"chela/internal/base/media"
	"chela/internal/base/regular"
	"chela/internal/op"
	"chela/internal/reading/picture"
	"chela/internal/reading/vision"
)

// Pictures says how the pictures of a result are given to a model.
type Pictures struct {
	Models  vision.Models // describe pictures in words; empty: the model gets the pictures
	MaxSide int           // longest side of a picture for a model, in pixels; 0: no limit

	// Share saves a copy of a picture, and returns the path of the copy. The copy is in a folder
	// from which the agent's host (the program that runs the agent) may send files to the user's
	// chat. If Share is nil, no copies are made.
	Share func(name string, content []byte) (path string, err error)
}

const (
	// maxPicture limits the bytes of a picture for a model, since common APIs of models accept 5 MB.
	// For a larger picture, the result has only a link.
	maxPicture = 5 << 20
	// maxFile limits the bytes of a picture that a vision model describes.
	maxFile = 50 << 20
)

// resultFiles has the files of a result in the forms that a model gets.
type resultFiles struct {
	described []string       // texts that describe pictures, with the boundaries around them
	failed    []string       // texts that say why a picture could not be described, with boundaries
	vision    map[string]any // which vision model has described the last picture; nil: none was described
	content   []sdk.Content  // pictures that are not described, and links
}

// around returns the text of a result with more text around it. The descriptions of its pictures come
// before it, and the reasons why pictures could not be described after it.
func (s resultFiles) around(text string) string {
	all := s.described
	if text != "" {
		all = append(all, text)
	}
	return strings.Join(append(all, s.failed...), "\n")
}

// show prepares the files of the result for a model.
//
// If a picture of the page is described in words, the result has only the description. The result
// does not have the image, since the user has configured descriptions for a model that cannot read
// images. It does not have the path, because a host would send the file with that path to the
// user's chat. Since the text of the result may contain the path, show reads the result again
// without it. The path of a downloaded picture stays, between the boundaries, because the caller
// wants the file.
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

// offer handles a result that consists of one picture that the model gets. It saves a copy that can be
// sent to the user's chat, and writes its path as the text of the result, in OpenClaw's words. The
// copy has the size in which the model gets the picture: the original may be larger than the user
// wants agents to get.
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

// describe returns the description of a picture by the first configured model that succeeds. It logs
// the failures of the models before that one, for the user who has configured them.
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

// readPicture reads a picture of at most maxBytes. It returns false if the file is not a picture,
// or cannot be read. The type comes from the first bytes of the file, and not from its name: for a
// download, the web server has chosen the name.
func readPicture(path string, maxBytes int64) (picture.Picture, bool) {
	data, err := regular.ReadFile(path, maxBytes)
	if err != nil {
		return picture.Picture{}, false
	}
	return picture.Read(data)
}

// description returns a model's description of a picture, with the name of the model. The description
// counts as text of the page and is put between boundaries, as the model has read the page.
func description(d vision.Description) string {
	return sanitise(fmt.Sprintf("[analyzed by %s/%s]", d.Provider, d.Model)) + "\n" + warning + newFence().around(d.Text)
}

// undescribed returns a text that says why a picture was not described. The reason may quote the answer
// of a vision model, and so the page. It is sanitised before other words are put in front of it, since
// sanitise finds directives only at the beginning of a line.
func undescribed(reason error) string {
	return newFence().around("[browser screenshot vision failed: " + sanitise(reason.Error()) + "]")
}

// file returns the content for a file that an operation has made: a link to the file and, for a
// picture, the image. A file that cannot be read is only linked, since the operation itself has
// succeeded. A file whose name the page has chosen is not linked, since hosts show links to the model
// as words of chela. The path of such a file is between the boundaries.
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

// A fileLink is a link to a file, with the path of the file.
type fileLink struct {
	*sdk.ResourceLink
	path string
}

// link returns a link to a file. The parameter kind is its MIME type; "": not known.
func link(path, kind string) fileLink {
	return fileLink{&sdk.ResourceLink{URI: media.FileURL(path), Name: "file", MIMEType: kind}, path}
}
