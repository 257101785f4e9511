package api

import (
	"errors"

	"chela/internal/api/call"
	"chela/internal/base/media"
	"chela/internal/engine/page"
	"chela/internal/op"
)

// readInput reads the file that an [op.Input] names. The parameter most is its largest size in
// bytes. The file must be in a folder for uploads, or have been sent to the server for this call. A
// file that was sent is removed after it was read. Errors say why the file cannot be read:
// [op.TooLarge], the errors of call.ExplainPath for a wrong path, and those of the file system.
func readInput(s *call.Service, given op.Input, most int64) ([]byte, error) {
	raw, err := s.Files.Input(string(given), most)
	if large, ok := errors.AsType[*media.SizeError](err); ok {
		return nil, op.Errorf(op.TooLarge, "%v", large)
	}
	return raw, call.ExplainPath(err)
}

// stageFiles makes copies, for the browser, of files that a caller names. The rules for uploads
// decide which files may be copied.
func stageFiles(s *call.Service, uploads []op.Upload) (*media.Staged, error) {
	paths := make([]string, len(uploads))
	for i, path := range uploads {
		paths[i] = string(path)
	}
	staged, err := s.Files.Stage(paths)
	return staged, call.ExplainPath(err)
}

// removeStaged removes the copies of files that were made for a page. If the page has taken them,
// it may read them at any time, so they stay until its tab has gone.
func removeStaged(p *page.Page, staged *media.Staged, taken bool) {
	if taken {
		<-p.Ended()
	}
	staged.Remove()
}

// downloadPlace returns the place in which a caller wants a download to be saved. A path outside of
// the downloads folder is refused: a caller may be an agent that a page has misled, and could
// overwrite any file.
func downloadPlace(s *call.Service, path op.Place) (*media.Place, error) {
	p, err := s.Files.Download(string(path))
	if err != nil {
		return nil, call.ExplainPath(err)
	}
	return &p, nil
}
