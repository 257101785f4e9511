//go:build unix

package page_test

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"chela/internal/engine/page"
	"chela/test/pages"
	"chela/test/tab"
)

// While a chooser is being filled, which may take long for a browser elsewhere, the act has begun
// something. The file is a pipe here, so that the test decides when it ends.
func TestFillingIsUnderWay(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<input type=file aria-label=File>`))
	page.SetRemote(tt.Page)
	pipe := filepath.Join(t.TempDir(), "file.txt")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	u := tt.Page.ArmUpload([]string{pipe}, time.Minute, func(bool) {})
	tt.MustAct(func(ctx context.Context) error {
		el, err := tt.Page.Match(ctx, "input")
		if err != nil {
			return err
		}
		return el.Click(ctx, page.Click{})
	})
	content, err := os.OpenFile(pipe, os.O_WRONLY, 0) // waits until the chooser is being filled
	if err != nil {
		t.Fatal(err)
	}
	if !page.BeginsWithin(tt.Ctx, tt.Page, 100*time.Millisecond) {
		t.Error("nothing is under way while a chooser is being filled")
	}
	content.Close()
	if err := u.Wait(tt.Ctx); err != nil {
		t.Fatal(err)
	}
	if page.BeginsWithin(tt.Ctx, tt.Page, 100*time.Millisecond) {
		t.Error("something is under way when the chooser was filled")
	}
	if got := tab.Run[string](tt, "document.querySelector('input').files[0].name"); got != "file.txt" {
		t.Errorf("the input has the file %q", got)
	}
}
