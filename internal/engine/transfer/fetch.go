package transfer

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	stdio "io"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/io"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/go-json-experiment/json"

	"chela/internal/engine/cdp"
	"chela/internal/engine/frame"
)

// A FetchError says why a document cannot fetch a file.
type FetchError struct {
	Why    string
	Broken bool // the connection to the file's server failed
}

func (e *FetchError) Error() string { return e.Why }

// Fetch sends a GET from a frame, with the frame's cookies, and writes the body of the response.
// The session must be attached to the frame's process. Errors are a [*FetchError], the error of
// writing, and why the session or ctx ended.
func Fetch(ctx context.Context, s *cdp.Session, frameID, url string, to stdio.Writer) error {
	res, err := CallStream(ctx, s, network.LoadNetworkResource, network.LoadNetworkResourceParams{
		FrameID: protocol.FrameID(frameID), URL: url, Options: &network.LoadNetworkResourceOptions{DisableCache: true, IncludeCredentials: true},
	}, streamOf)
	if err != nil {
		return refusedFetch(err)
	}
	got := res.Resource
	if got == nil || !got.Success {
		failed := &FetchError{Why: "its server does not answer", Broken: true}
		if got != nil {
			failed.Why = fmt.Sprintf("%s, status %d", got.NetErrorName, int(got.HTTPStatusCode))
			failed.Broken = got.NetErrorName != "net::ERR_HTTP_RESPONSE_CODE_FAILURE"
		}
		return failed
	}
	content := NewStream(ctx, s, got.Stream)
	defer content.Close()
	_, err = stdio.Copy(to, content)
	return err
}

// streamOf returns the stream of a fetched file; "" if there is none.
func streamOf(res network.LoadNetworkResourceResult) io.StreamHandle {
	if res.Resource == nil {
		return ""
	}
	return res.Resource.Stream
}

// refusedFetch converts an error of the browser into a [*FetchError].
func refusedFetch(err error) error {
	if refused, ok := errors.AsType[*cdp.Error](err); ok {
		return &FetchError{Why: refused.Message}
	}
	return err
}

// ReadBlob writes the content of a blob: URL of a document. If the page has revoked the URL, the
// error is a [*FetchError]. The document's Content-Security-Policy also holds for the script that reads
// here, and Chromium does not say which of the two it was. Other errors are the same as for [Fetch].
func ReadBlob(ctx context.Context, w *frame.World, url string, to stdio.Writer) error {
	blob, err := callOn(ctx, w, "async function(url){return (await fetch(url)).blob()}", frame.Value(url))
	if _, refused := errors.AsType[thrownError](err); refused {
		return &FetchError{Why: "the page has revoked it, or its Content-Security-Policy forbids scripts to read it"}
	}
	if err != nil {
		return err
	}
	defer frame.Release(w.Session, blob)
	for at := 0; ; at += pieceSize {
		piece, err := readPiece(ctx, w, blob, at)
		if err != nil || len(piece) == 0 {
			return err
		}
		if _, err := to.Write(piece); err != nil {
			return err
		}
	}
}

// blobPiece is a function that runs in the page, and returns some bytes of a blob in base64.
const blobPiece = `async function(blob,at,size){
	const url=await new Promise((ok,no)=>{const r=new FileReader();r.onload=()=>ok(r.result);r.onerror=no;r.readAsDataURL(blob.slice(at,at+size))})
	return url.slice(url.indexOf(',')+1)
}`

func readPiece(ctx context.Context, w *frame.World, blob runtime.RemoteObjectID, at int) ([]byte, error) {
	res, err := cdp.Call(ctx, w.Session, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		FunctionDeclaration: blobPiece, UniqueContextID: w.UniqueID, AwaitPromise: new(true), ReturnByValue: new(true), Silent: new(true),
		Arguments: []*runtime.CallArgument{frame.Object(blob), frame.Value(at), frame.Value(pieceSize)},
	})
	if err != nil {
		return nil, frame.Failure(ctx, err)
	}
	var text string
	if res.ExceptionDetails != nil || json.Unmarshal(res.Result.Value, &text) != nil {
		return nil, &FetchError{Why: "the page does not let it be read"}
	}
	if text == "data:" { // the content is empty: the URL has no comma
		text = ""
	}
	return base64.StdEncoding.DecodeString(text)
}
