package wire

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"mime"
	"path/filepath"

	"chela/internal/op"
)

// Bounds of the files of one call or answer.
const (
	MaxInline = 512 << 10 // bytes of all files whose content is in the message itself
	MaxFiles  = 256       // number of files
	maxObject = 4 << 30   // bytes of one file
)

// A Packer puts files into a message.
type Packer struct {
	Objects Objects // stores the files that are too large for a message; nil: such files cannot be sent
	Files   []File

	inline int64 // bytes of the files whose content is in the message
}

// Add adds a file. The parameter path is how the message names the file. The error says which file
// cannot be sent.
func (p *Packer) Add(ctx context.Context, path, name string, size int64, content io.Reader) (err error) {
	switch {
	case len(p.Files) >= MaxFiles:
		return op.Errorf(op.TooLarge, "%s is one file too many: %d travel with a call", name, MaxFiles)
	case size > maxObject:
		return op.Errorf(op.TooLarge, "%s has %d bytes, and a file may have %d", name, size, int64(maxObject))
	}
	file := File{Path: path, Name: name, Size: size, Type: mime.TypeByExtension(filepath.Ext(name))}
	if p.inline+size <= MaxInline {
		if file.Data, err = io.ReadAll(io.LimitReader(content, size)); err != nil {
			return err
		}
		p.inline += int64(len(file.Data))
		p.Files = append(p.Files, file)
		return nil
	}
	if p.Objects == nil {
		return tooLarge(name, size, fmt.Errorf("this line keeps no files"))
	}
	file.Object = rand.Text()
	if err := p.Objects.Put(ctx, file.Object, io.LimitReader(content, size)); err != nil {
		return tooLarge(name, size, err)
	}
	p.Files = append(p.Files, file)
	return nil
}

func tooLarge(name string, size int64, why error) error {
	return op.Errorf(op.TooLarge, "%s has %d bytes, and only %d travel with a message: %v", name, size, MaxInline, why).
		Hinted("files between machines that are larger need JetStream, see docs/fleet.md")
}

// Write writes the content of a file of a message.
func (f File) Write(ctx context.Context, objects Objects, to io.Writer) error {
	if f.Error != "" {
		return op.Errorf(op.TooLarge, "%s", f.Error)
	}
	if f.Object == "" {
		_, err := io.Copy(to, bytes.NewReader(f.Data))
		return err
	}
	if objects == nil {
		return fmt.Errorf("this line keeps no files")
	}
	if err := objects.Get(ctx, f.Object, to); err != nil {
		return op.Errorf(op.FileFailed, "NATS did not deliver the file %s: %v", f.Name, err).Hinted("call again")
	}
	return nil
}
