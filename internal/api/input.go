package api

import (
	"errors"
	"strings"

	"chela/internal/media"
	"chela/internal/op"
)

// input reads what a caller gives as an [op.Input]: a file, or the content itself if it
// begins with one of these words. Errors say what is wrong with the file.
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
