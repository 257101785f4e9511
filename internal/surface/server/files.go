package server

import (
	"container/list"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"

	"chela/internal/base/media"
	"chela/internal/op"
	"chela/internal/wall/secret"
)

// madeFiles has the files that operations have made. Callers on another machine cannot open the paths
// of these files, and fetch them by id. The id of a file is only in the answers that name the file to
// its owner. These all have the same id, as long as it is the same file.
type madeFiles struct {
	mu      sync.Mutex // guards the rest
	byID    map[string]*madeFile
	byName  map[fileName]*madeFile
	inOrder list.List // the files; the one that an answer has named last is at the end
}

// A fileName is how answers name a file.
type fileName struct {
	path  string
	owner string // who may fetch the file, see ownerOf
}

// A madeFile is a file that an answer has named, in its state at that time.
type madeFile struct {
	fileName
	id    string
	info  fs.FileInfo
	until time.Time     // end of the time in which the file can be fetched
	place *list.Element // place in madeFiles.inOrder
}

// fileLife is how long a file can be fetched after an answer has named it. If there are more than
// maxMade files, those that were named the longest ago cannot be fetched any more. Package media
// decides when the files themselves are removed, which may be earlier.
const (
	fileLife = time.Hour
	maxMade  = 10_000
)

// FileIDs is the name of the field that the server adds to an answer for the ids of its files, see
// [op.Added].
const FileIDs = "fileIds"

// ownerOf returns who may fetch the files of a call: the session of the call or, without a session,
// the caller's name. Callers can choose both freely. The protection of a file is its id, which cannot
// be guessed.
func ownerOf(ctx context.Context) string {
	if session := op.Session(ctx); session != "" {
		return "session " + session
	}
	return "caller " + op.Caller(ctx)
}

// withFiles adds to an answer an object that maps the path of each file in it to the file's id. A
// caller on the Unix socket can open the paths itself, so it gets the ids only if it asks for them. A
// file that does not exist yet, such as an unfinished download, has no id.
func (s *Server) withFiles(r *http.Request, o *op.Op, answer json.RawMessage) (json.RawMessage, error) {
	if isLocal(r) && r.Header.Get(op.FileIDsHeader) == "" {
		return answer, nil
	}
	ids := map[string]string{}
	for _, path := range o.Files(answer) {
		if id := s.files.add(path, ownerOf(r.Context())); id != "" {
			ids[path] = id
		}
	}
	if len(ids) == 0 {
		return answer, nil
	}
	return op.Merge(answer, op.Object{FileIDs: ids})
}

// isLocal reports whether a request came over the Unix socket.
func isLocal(r *http.Request) bool {
	_, unix := connOf(r).Conn.(*net.UnixConn)
	return unix
}

// add returns the id of a file; "" if there is no such file.
func (m *madeFiles) add(path, owner string) string {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	made := m.byName[fileName{path, owner}]
	if made == nil || !made.isSame(info) {
		made = m.newLocked(fileName{path, owner}, info, now)
	}
	made.until = now.Add(fileLife)
	m.inOrder.MoveToBack(made.place)
	return made.id
}

// newLocked adds a file. It forgets those whose time is over and, if there are too many, the first one.
func (m *madeFiles) newLocked(name fileName, info fs.FileInfo, now time.Time) *madeFile {
	if m.byID == nil {
		m.byID, m.byName = map[string]*madeFile{}, map[fileName]*madeFile{}
	}
	for first := m.inOrder.Front(); first != nil; first = m.inOrder.Front() {
		old := first.Value.(*madeFile)
		if len(m.byID) < maxMade && !now.After(old.until) {
			break
		}
		m.inOrder.Remove(first)
		delete(m.byID, old.id)
		if m.byName[old.fileName] == old { // otherwise it is another file at the same path
			delete(m.byName, old.fileName)
		}
	}
	made := &madeFile{fileName: name, id: rand.Text(), info: info}
	made.place = m.inOrder.PushBack(made)
	m.byID[made.id], m.byName[name] = made, made
	return made
}

// open opens the file with an id, if the file at the path is still the one that the answer has named.
// By now, a later download of the same name may be there. The file is compared before it is opened,
// since opening a named pipe would block.
func (m *madeFiles) open(id, owner string) (*os.File, fs.FileInfo, error) {
	m.mu.Lock()
	made := m.byID[id]
	open := made != nil && made.owner == owner && !time.Now().After(made.until)
	m.mu.Unlock()
	if !open {
		return nil, nil, op.Errorf(op.NotFound, "no such file").
			Hinted("the id is in the answer that names the file, for an hour, and for the session or the caller of that call")
	}
	gone := op.Errorf(op.NotFound, "the file is not there any more").Hinted("do again what made it")
	if info, err := os.Lstat(made.path); err != nil || !made.isSame(info) {
		return nil, nil, gone
	}
	f, err := media.OpenMade(made.path)
	if err != nil {
		return nil, nil, gone
	}
	info, err := f.Stat()
	if err != nil || !made.isSame(info) {
		f.Close()
		return nil, nil, gone
	}
	return f, info, nil
}

// isSame reports whether info describes the same file, and the file has not changed.
func (f *madeFile) isSame(info fs.FileInfo) bool {
	return os.SameFile(f.info, info) && f.info.Size() == info.Size() && f.info.ModTime().Equal(info.ModTime())
}

// file answers with the content of a file that an operation has made. The media type is always
// application/octet-stream.
func (s *Server) file(w http.ResponseWriter, r *http.Request) error {
	f, info, err := s.files.open(r.PathValue("id"), ownerOf(r.Context()))
	if err != nil {
		return err
	}
	defer f.Close()
	content, size, err := secret.MaskFile(f, info.Size())
	if errors.Is(err, secret.ErrTooLarge) {
		return op.Errorf(op.TooLarge, "%s", err).Hinted("open the file on the machine of the server")
	} else if err != nil {
		return err
	}
	contentType(w.Header(), "application/octet-stream")
	w.Header().Set("Content-Length", strconv.FormatInt(size, 10))
	http.NewResponseController(w).SetWriteDeadline(time.Now().Add(fileTime))
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		io.CopyN(w, content, size)
	}
	return nil // the answer has begun: an error cannot be answered any more
}
