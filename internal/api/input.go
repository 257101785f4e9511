package api

import (
	"errors"
	"strings"

	"chela/internal/base/media"
	"chela/internal/op"
)

// input reads what a caller gives as an [op.Input]: a file, or the content itself if it begins with
// one of these words. Errors say what is wrong with the file. The bound is in bytes, and for files
// only: a request is bounded as a whole. They must be in a folder for uploads, or have been sent to
// the server for this call; those are removed when they were read. It returns [op.TooLarge], what
// pathError makes of a wrong path, and the errors of the file system.
func (s *Service) input(given op.Input, most int64, words ...string) ([]byte, error) {
	for _, word := range words {
		if strings.HasPrefix(strings.TrimSpace(string(given)), word) {
			return []byte(given), nil
		}
	}
	raw, err := s.files.Input(string(given), most)
	if large, ok := errors.AsType[*media.SizeError](err); ok {
		return nil, op.Errorf(op.TooLarge, "%v", large)
	}
	return raw, pathError(err)
}
