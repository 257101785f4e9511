package secret

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// InUse reports whether there is any value to hide.
func InUse() bool { return inUse.masker() != nil }

// MaskLines does the same as [MaskBytes] for a text in which each line is JSON of its own.
func MaskLines(raw []byte) []byte {
	if !InUse() || bytes.Equal(MaskBytes(raw), raw) {
		return raw
	}
	var out []byte
	for line := range bytes.Lines(raw) {
		out = append(out, MaskBytes(line)...)
	}
	return out
}

// MaskContent masks the content of a file, if it is text. Of anything else, such as a picture or an
// archive, no byte may change.
func MaskContent(raw []byte) []byte {
	if !InUse() || !isText(raw) {
		return raw
	}
	return MaskBytes(raw)
}

// maxText limits the texts of files that are masked, in bytes. They are held in memory.
const maxText = 64 << 20

// ErrTooLarge is the error of a text that is too large to be masked.
var ErrTooLarge = fmt.Errorf("while secrets are in use, a text cannot have more than %d MB", maxText>>20)

// MaskFile masks the content of a file as [MaskContent] does. It takes the size of the file in
// bytes, and returns the masked content with its size. Only texts are held in memory. The errors
// are ErrTooLarge, and those of reading.
func MaskFile(file io.Reader, size int64) (io.Reader, int64, error) {
	if !InUse() {
		return file, size, nil
	}
	begin := make([]byte, min(size, 512)) // http.DetectContentType looks at no more
	if _, err := io.ReadFull(file, begin); err != nil {
		return nil, 0, err
	}
	file = io.MultiReader(bytes.NewReader(begin), file)
	if !isText(begin) {
		return file, size, nil
	}
	if size > maxText {
		return nil, 0, ErrTooLarge
	}
	raw, err := io.ReadAll(io.LimitReader(file, size))
	raw = MaskBytes(raw)
	return bytes.NewReader(raw), int64(len(raw)), err
}

// isText reports whether the content of a file, or its beginning, is text.
func isText(raw []byte) bool { return strings.HasPrefix(http.DetectContentType(raw), "text/") }

// MaskName masks the name of a file. The mark is written without the characters that separate
// folders and drives.
func MaskName(name string) string {
	masked := Mask(name)
	if masked == name {
		return name
	}
	return strings.NewReplacer("/", "-", ":", "-").Replace(masked)
}
