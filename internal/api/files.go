package api

import (
	"errors"
	"strings"

	"chela/internal/api/call"
	"chela/internal/base/media"
	"chela/internal/engine/page"
	"chela/internal/op"
)

// readInput reads an [op.Input]: a file or, if the input begins with one of the given words, the
// content itself. Errors say why the file cannot be read. The bound is in bytes, and for files
// only: a request is bounded as a whole. They must be in a folder for uploads, or have been sent to
// the server for this call; those are removed when they were read. It returns [op.TooLarge], what
// pathError makes of a wrong path, and the errors of the file system.
func readInput(s *call.Service, given op.Input, most int64, words ...string) ([]byte, error) {
	for _, word := range words {
		if strings.HasPrefix(strings.TrimSpace(string(given)), word) {
			return []byte(given), nil
		}
	}
	raw, err := s.Files.Input(string(given), most)
	if large, ok := errors.AsType[*media.SizeError](err); ok {
		return nil, op.Errorf(op.TooLarge, "%v", large)
	}
	return raw, pathError(err)
}

// stageFiles copies files that a caller names for the browser, by the rules for uploads.
func stageFiles(s *call.Service, uploads []op.Upload) (*media.Staged, error) {
	paths := make([]string, len(uploads))
	for i, path := range uploads {
		paths[i] = string(path)
	}
	staged, err := s.Files.Stage(paths)
	return staged, pathError(err)
}

// removeStaged removes staged files that a page was to get. A page that has taken them reads them
// when it wants to, so they stay until its tab has gone.
func removeStaged(p *page.Page, staged *media.Staged, taken bool) {
	if taken {
		<-p.Ended()
	}
	staged.Remove()
}

// downloadPlace returns the place in which a caller wants a download to be saved. A path out of the
// downloads folder is refused: a caller may be an agent that a page has misled, and could overwrite
// any file.
func downloadPlace(s *call.Service, path op.Place) (*media.Place, error) {
	p, err := s.Files.Download(string(path))
	if err != nil {
		return nil, pathError(err)
	}
	return &p, nil
}

// pathError explains why a path is refused, and which folder is allowed. It returns other errors as
// they are.
func pathError(err error) error {
	e, ok := errors.AsType[*media.PathError](err)
	if !ok {
		return err
	}
	return op.Errorf(op.Invalid, "%s", e.Message).Hinted("%s", e.Hint())
}
