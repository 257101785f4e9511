package page

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	proto "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	"chela/internal/engine/cdp"
	"chela/internal/engine/frame"
	"chela/internal/engine/transfer"
	"chela/internal/reading/pagejs"
)

// An Upload has the files for the next file chooser of a tab.
type Upload struct {
	Replaced int // how many files waited for a chooser before, and were dropped

	page  *Page
	paths []string
	done  chan struct{} // closed when err is final
	err   error         // why the page did not get the files, or nil
}

var (
	// ErrSuperseded says that a later ArmUpload took the place of this upload.
	ErrSuperseded = errors.New("other files wait for the chooser now")

	// ErrNoChooser says that no file chooser asked for the files in time.
	ErrNoChooser = errors.New("no file chooser asked for the files")

	// ErrPicker says that the page opened a picker to which the protocol cannot give files. In a
	// tab that the user works in, it may also be the picker of a document that came after
	// ArmUpload.
	ErrPicker = errors.New("the page opened a picker that takes no files from outside")

	// ErrOneFile says that an input takes one file, but was given several.
	ErrOneFile = errors.New("the file input takes one file")

	// ErrSameNames says that a folder was to be made of several files with the same name.
	ErrSameNames = errors.New("a folder has no two files of one name")

	// ErrRemote says that the browser runs on another machine and cannot read these files. The
	// protocol can then neither drop them nor give an input a folder.
	ErrRemote = errors.New("the browser cannot read the files of this machine")

	// ErrTooLarge says that the files are larger than MaxSent, the limit for a browser on another
	// machine.
	ErrTooLarge = errors.New("the files are too large for a browser elsewhere")
)

// ArmUpload gives files to the next file chooser of the tab, if one opens within armFor. The
// pickers of showOpenFilePicker and showDirectoryPicker also count (picker.js). In a tab that the
// user works in, they count only in documents that are there now. When it is certain whether the
// page has got the files, the function over is called once, from another goroutine.
func (p *Page) ArmUpload(paths []string, armFor time.Duration, over func(taken bool)) *Upload {
	u := &Upload{page: p, paths: paths, done: make(chan struct{})}
	if p.settings.Shared {
		p.sendToMainWorlds(pagejs.Picker, armFor.Milliseconds())
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.upload != nil {
		u.Replaced = len(p.upload.paths)
		p.upload.finish(ErrSuperseded)
	}
	p.upload = u
	p.notifyLocked()
	p.interceptSharedLocked(true)
	go u.awaitEnd(armFor, over)
	return u
}

// sendToMainWorlds calls a function in the main world of each frame, where scripts of the page run.
func (p *Page) sendToMainWorlds(function string, argument any) {
	for _, w := range p.worlds(func(f *frame.Frame) *frame.World { return f.MainWorld }) {
		cdp.Send(w.Session, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
			FunctionDeclaration: function, UniqueContextID: w.UniqueID, Arguments: []*runtime.CallArgument{frame.Value(argument)},
		})
	}
}

// Wait waits until the page has the files, or no chooser can take them any more. The error is one
// that this file declares, the error of filling the input, or the cause of ctx. ErrSent comes with
// that cause if a chooser is just being filled: a dialog that the page opens for the files ends ctx.
func (u *Upload) Wait(ctx context.Context) error {
	select {
	case <-u.done:
		return u.err
	case <-ctx.Done():
	}
	u.page.mu.Lock()
	defer u.page.mu.Unlock()
	select {
	case <-u.done:
		return u.err
	default:
	}
	if u.page.upload != u {
		return withSent(context.Cause(ctx))
	}
	return context.Cause(ctx)
}

// Disarm ends the wait for a chooser. A chooser that is already being filled still gets the files.
func (u *Upload) Disarm() {
	u.page.mu.Lock()
	defer u.page.mu.Unlock()
	if u.page.upload == u {
		u.page.upload = nil
		u.page.notifyLocked()
		u.page.interceptSharedLocked(false)
		u.finish(ErrNoChooser)
	}
}

// awaitEnd disarms the files when armFor has passed or the tab has gone. If a chooser is just being
// filled with them, it waits for that instead.
func (u *Upload) awaitEnd(armFor time.Duration, over func(taken bool)) {
	limit := time.NewTimer(armFor)
	defer limit.Stop()
	select {
	case <-u.done:
	case <-limit.C:
	case <-u.page.ended:
	}
	u.Disarm()
	<-u.done
	over(u.err == nil)
}

// finish makes err final. It is called once, by the function that took u out of Page.upload.
func (u *Upload) finish(err error) {
	u.err = err
	close(u.done)
}

// fileChooserOpened fills the chooser with the files that wait for one. Chromium shows no chooser
// itself, because choosers are intercepted. If no files wait, the chooser is dismissed. Otherwise
// the page would wait for ever for the chooser to close.
func (p *Page) fileChooserOpened(s *cdp.Session, ev proto.EventFileChooserOpened) {
	u := p.upload
	p.upload = nil
	p.interceptSharedLocked(false)
	if u == nil {
		p.recordLocked(Chooser, time.Now())
		go dismissChooser(s, ev.BackendNodeID)
		return
	}
	if ev.BackendNodeID == 0 { // a picker that takes no files, see ErrPicker
		u.finish(ErrPicker)
		return
	}
	node := cdp.SendWithin(s, dom.DescribeNode, dom.DescribeNodeParams{BackendNodeID: ev.BackendNodeID}, frame.MaxDescription)
	p.filling++
	go func() { // the goroutine ends with the replies or the session
		err := u.fill(s, ev, node)
		if err != nil {
			dismissChooser(s, ev.BackendNodeID)
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		p.filling--
		p.notifyLocked()
		u.finish(err)
	}()
}

// dismissChooser dispatches the cancel event of a chooser that was closed without a file. Chromium
// does not do so for an intercepted chooser. dismissChooser waits for the replies, or for the end
// of the session.
func dismissChooser(s *cdp.Session, input protocol.BackendNodeID) {
	ctx := context.Background()
	node, err := cdp.CallWithin(ctx, s, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: input}, frame.MaxDescription)
	if err != nil {
		return // the chooser belongs to no input element, or that element is gone
	}
	cdp.Call(ctx, s, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		ObjectID: node.Object.ObjectID, FunctionDeclaration: "function(){this.dispatchEvent(new Event('cancel',{bubbles:true}))}",
	})
	frame.Release(s, node.Object.ObjectID)
}

// fill gives the files to the input whose chooser has opened. node is the reply to a
// DOM.describeNode of the input.
func (u *Upload) fill(s *cdp.Session, ev proto.EventFileChooserOpened, node *cdp.Reply[dom.DescribeNodeResult]) error {
	ctx := context.Background()
	input, err := node.Wait(ctx)
	if err != nil {
		return err
	}
	files, err := u.page.prepareFiles(ctx, u.paths, hasAttribute(input.Node, "multiple"), hasAttribute(input.Node, "webkitdirectory"))
	if err != nil {
		return err
	}
	if u.page.isRemote() {
		return u.fillRemote(string(ev.FrameID), ev.BackendNodeID, files)
	}
	_, err = cdp.Call(ctx, s, dom.SetFileInputFiles, dom.SetFileInputFilesParams{Files: files, BackendNodeID: ev.BackendNodeID})
	return err
}

// hasAttribute reports whether an element has an attribute. The protocol lists the names and values
// of attributes in turn.
func hasAttribute(n *protocol.Node, name string) bool {
	for pair := range slices.Chunk(n.Attributes, 2) {
		if pair[0] == name {
			return true
		}
	}
	return false
}

// prepareFiles prepares the tab for an input that gets files, and returns what acceptedPaths returns.
// A browser on another machine cannot be given a folder: the error is then [ErrRemote]. Chromium
// refuses a folder for a tab that is behind another one: it tells the page that nothing was chosen.
// So the tab is brought to the front.
func (p *Page) prepareFiles(ctx context.Context, paths []string, multiple, folder bool) ([]string, error) {
	if folder && p.isRemote() {
		return nil, ErrRemote
	}
	files, err := acceptedPaths(paths, multiple, folder)
	if err == nil && folder && p.mayBeBehind() {
		_, err = cdp.Call(ctx, p.session, proto.BringToFront, protocol.Empty{})
	}
	return files, err
}

// acceptedPaths returns the paths to give to an input. An input that takes folders gets the folder
// that all files are in. The error is ErrOneFile if there are several files for an input that takes
// one. Files with the same name are staged in different folders: then no folder has all files, and
// the error is ErrSameNames.
func acceptedPaths(paths []string, multiple, folder bool) ([]string, error) {
	dir := filepath.Dir(paths[0])
	elsewhere := func(path string) bool { return filepath.Dir(path) != dir }
	switch {
	case folder && slices.ContainsFunc(paths, elsewhere):
		return nil, ErrSameNames
	case folder:
		return []string{dir}, nil
	case !multiple && len(paths) > 1:
		return nil, ErrOneFile
	}
	return paths, nil
}

// MaxSent limits the total size of files given together, in bytes.
const MaxSent = 50 << 20

// CheckFiles returns [ErrTooLarge] if these files are too large for the browser, or an error of the
// file system.
func (p *Page) CheckFiles(paths []string) error {
	if !p.isRemote() {
		return nil
	}
	total := int64(0)
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		if total += info.Size(); total >= MaxSent {
			return ErrTooLarge
		}
	}
	return nil
}

func (p *Page) isRemote() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.settings.Remote
}

// SetFiles puts files into a file input, or into the file input of a label. The error is an
// [ElementError], a [StaleRefError], ErrOneFile, ErrSameNames, ErrBusy, or why the turn ended.
// ErrSent comes with an error after which the page has the files. Chromium answers when the page has
// handled their change event, in which it may open a dialog.
func (e *Element) SetFiles(ctx context.Context, paths []string) error {
	is, err := ask[struct {
		report
		File, Multiple, Folder bool
		Number                 int // ref number of the file input
	}](ctx, e, "fileInput")
	switch {
	case err != nil:
		return err
	case is.Missing != "":
		return e.failure(is.report)
	case !is.File:
		return e.failure(report{Missing: NoFileInput})
	}
	files, err := e.page.prepareFiles(ctx, paths, is.Multiple, is.Folder)
	if err != nil {
		return err
	}
	w, err := e.world(ctx)
	if err != nil {
		return err
	}
	defer releaseElement(w.Session)
	input, err := e.related(is.Number).object(ctx, w)
	if err != nil {
		return err
	}
	if e.page.isRemote() {
		sent, sendErr := transfer.SendFiles(ctx, w, files)
		if sendErr != nil {
			return sendErr
		}
		defer sent.Release()
		err = sent.GiveTo(ctx, input)
	} else {
		_, err = cdp.Call(ctx, w.Session, dom.SetFileInputFiles, dom.SetFileInputFilesParams{Files: files, ObjectID: input})
	}
	switch err = frame.Failure(ctx, err); {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		err = withSent(err)
	}
	return fmt.Errorf("set the files: %w", err)
}

// fillRemote sends the files to an input, as fill does, for a browser that cannot read files of
// this machine.
func (u *Upload) fillRemote(frameID string, input protocol.BackendNodeID, paths []string) error {
	ctx := context.Background()
	w := u.page.ourWorld(frameID)
	if w == nil {
		return frame.ErrGone
	}
	node, err := cdp.CallWithin(ctx, w.Session, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: input, ExecutionContextID: w.ID}, frame.MaxDescription)
	if err != nil {
		return frame.Failure(ctx, err)
	}
	defer frame.Release(w.Session, node.Object.ObjectID)
	sent, err := transfer.SendFiles(ctx, w, paths)
	if err != nil {
		return err
	}
	defer sent.Release()
	return sent.GiveTo(ctx, node.Object.ObjectID)
}
