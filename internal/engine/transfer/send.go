package transfer

import (
	"context"
	"encoding/base64"
	"io"
	"mime"
	"os"
	"path/filepath"
	"strings"

	"github.com/chromedp/cdproto/runtime"

	"chela/internal/engine/cdp"
	"chela/internal/engine/frame"
)

// A browser on another machine cannot open a file of this machine by its path. The content is sent
// instead, and a script in the page makes File objects from it.

// A sentFile is a file that the page puts together from pieces.
type sentFile struct {
	Name     string `json:"name"`
	Type     string `json:"type"`
	Modified int64  `json:"modified"` // ms since 1970
	Pieces   int    `json:"pieces"`   // how many of the sent pieces belong to this file
}

// These functions run in the page. The first makes an array of pieces, and the second appends a
// piece, which comes as base64. The third makes files from the pieces and gives them to an input.
const (
	noPieces = "function(){return []}"
	addPiece = "function(pieces,text){const s=atob(text),a=new Uint8Array(s.length);for(let i=0;i<s.length;i++)a[i]=s.charCodeAt(i);pieces.push(a)}"

	// The events have isTrusted false, so a page can recognize them. A script cannot dispatch
	// trusted ones.
	setPieces = `function(pieces,input,files){
		const all=new DataTransfer()
		for(const f of files)all.items.add(new File(pieces.splice(0,f.pieces),f.name,{type:f.type,lastModified:f.modified}))
		input.files=all.files
		input.dispatchEvent(new Event('input',{bubbles:true,composed:true}))
		input.dispatchEvent(new Event('change',{bubbles:true}))
	}`
)

// Sent are files whose content is in a document.
type Sent struct {
	world  *frame.World
	files  []sentFile
	pieces runtime.RemoteObjectID
}

// SendFiles sends the content of files to a document. Errors come from reading the files and from
// [frame.Failure]. The caller must release what it returns.
func SendFiles(ctx context.Context, w *frame.World, paths []string) (sent *Sent, err error) {
	sent = &Sent{world: w, files: make([]sentFile, len(paths))}
	if sent.pieces, err = callOn(ctx, w, noPieces); err != nil {
		return nil, err
	}
	for i, path := range paths {
		if sent.files[i], err = sendFile(ctx, w, frame.Object(sent.pieces), path); err != nil {
			sent.Release()
			return nil, err
		}
	}
	return sent, nil
}

// GiveTo gives the files to an input of the document, which may handle the change for long. Errors
// come from [frame.Failure]. It is called once.
func (s *Sent) GiveTo(ctx context.Context, input runtime.RemoteObjectID) error {
	_, err := callOn(ctx, s.world, setPieces, frame.Object(s.pieces), frame.Object(input), frame.Value(s.files))
	return err
}

// Release releases the content.
func (s *Sent) Release() { frame.Release(s.world.Session, s.pieces) }

// A thrownError is the text of what a function in the page threw.
type thrownError string

func (e thrownError) Error() string { return string(e) }

// callOn calls a function in the page, and returns the object that it returns, which the caller
// must release; "" if it returns none. If the function throws, the error is a thrownError.
func callOn(ctx context.Context, w *frame.World, function string, args ...*runtime.CallArgument) (runtime.RemoteObjectID, error) {
	res, err := cdp.Call(ctx, w.Session, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		FunctionDeclaration: function, UniqueContextID: w.UniqueID, Arguments: args,
		AwaitPromise: new(true), Silent: new(true),
	})
	switch {
	case err != nil:
		return "", frame.Failure(ctx, err)
	case res.ExceptionDetails != nil:
		return "", thrownError(frame.ExceptionText(res.ExceptionDetails))
	}
	return res.Result.ObjectID, nil
}

func sendFile(ctx context.Context, w *frame.World, pieces *runtime.CallArgument, path string) (sent sentFile, err error) {
	f, err := os.Open(path)
	if err != nil {
		return sent, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return sent, err
	}
	kind, _, _ := strings.Cut(mime.TypeByExtension(filepath.Ext(path)), ";")
	sent = sentFile{Name: filepath.Base(path), Type: kind, Modified: info.ModTime().UnixMilli()}
	for piece := make([]byte, pieceSize); ; sent.Pieces++ {
		n, err := io.ReadFull(f, piece)
		if err == io.EOF {
			return sent, nil
		}
		if err != nil && err != io.ErrUnexpectedEOF {
			return sent, err
		}
		if _, err := callOn(ctx, w, addPiece, pieces, frame.Value(base64.StdEncoding.EncodeToString(piece[:n]))); err != nil {
			return sent, err
		}
	}
}
