package vision

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"chela/internal/base/lazyregexp"
	"chela/internal/base/media"
	"chela/internal/base/program"
	"chela/internal/reading/picture"
)

// programPath returns the path of the model's program. The error says that there is none.
func (m Model) programPath() (string, error) {
	path, err := exec.LookPath(m.Command)
	if err != nil {
		return "", fmt.Errorf("there is no program %s", m.Command)
	}
	return filepath.Abs(path)
}

// maxOutput limits the output of a program, in bytes. What the program writes beyond the limit is
// dropped.
const maxOutput = 1 << 20

// run starts a program that describes the picture. The program writes the description to its
// standard output. The program runs without a shell, in a folder of its own with the picture, and
// in a process group that ends with it. If this process is killed, the next server removes the folder.
func (m Model) run(ctx context.Context, p picture.Picture) (string, error) {
	path, err := m.programPath()
	if err != nil {
		return "", err
	}
	roots, err := media.Locate(media.Places{Media: m.State.Media()})
	if err != nil {
		return "", err
	}
	defer roots.Close()
	dir, err := roots.Staging()
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "screenshot."+strings.TrimPrefix(p.Type, "image/"))
	if err := os.WriteFile(file, p.Data, 0o600); err != nil {
		return "", err
	}
	out, complaint := &bounded{}, &bounded{}
	cmd := exec.CommandContext(ctx, path, m.arguments(file, p.Type)...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, out, complaint
	if err := program.Run(cmd); err != nil {
		return "", fmt.Errorf("%w%s", err, quoted(complaint.kept.String()))
	}
	return out.kept.String(), nil
}

// placeholder is a word in an argument that stands for a value of the call.
var placeholder = lazyregexp.New(`\{\{\s*(\w+)\s*\}\}`)

// arguments returns the arguments of the program, with values in place of the placeholders. Values
// are not searched for placeholders again. A placeholder of an unknown name stays as it is written.
func (m Model) arguments(file, kind string) []string {
	dir, base := filepath.Dir(file), strings.TrimSuffix(file, filepath.Ext(file))
	address := media.FileURL(file)
	values := map[string]string{
		"AttachmentPath": file, "AttachmentUrl": address, "AttachmentContentType": kind, "AttachmentDir": dir, "AttachmentIndex": "0",
		"MediaPath": file, "MediaUrl": address, "MediaType": kind, "MediaDir": dir, // older names
		"OutputDir": dir, "OutputBase": base,
		"Prompt": m.prompt(), "MaxChars": strconv.Itoa(m.maxChars()),
	}
	var args []string
	for _, arg := range m.Args {
		args = append(args, placeholder().ReplaceAllStringFunc(arg, func(found string) string {
			if value, ok := values[placeholder().FindStringSubmatch(found)[1]]; ok {
				return value
			}
			return found
		}))
	}
	return args
}

// bounded keeps the beginning of what is written to it.
type bounded struct{ kept bytes.Buffer }

func (b *bounded) Write(data []byte) (int, error) {
	b.kept.Write(data[:min(len(data), maxOutput-b.kept.Len())])
	return len(data), nil
}
