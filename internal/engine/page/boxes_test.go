package page_test

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"image"
	"math"
	"slices"
	"testing"
	"time"

	"chela/internal/engine/capture"
	"chela/internal/engine/page"
	"chela/test/long"
	"chela/test/tab"
)

// Boxes are where the elements are, even in frames that are turned and scaled. It makes no
// difference whether the frames are of the same site.
func TestBoxesInTransformedFrames(t *testing.T) {
	long.Test(t)
	buttons := func(other string) (*tab.Tab, []page.Box) {
		tt := tab.Open(t, "/transformed.html?blue&other="+other)
		found := slices.DeleteFunc(boxes(tt), func(b page.Box) bool { return b.Name != "Press" })
		slices.SortFunc(found, func(a, b page.Box) int { return cmp.Compare(a.Y, b.Y) })
		return tt, found
	}
	tt, near := buttons("")
	if len(near) != 5 {
		t.Errorf("%d buttons, want 5: the sixth is cut off by its frame", len(near))
	}
	if wrong := misplaced(tt, near); wrong != "" {
		t.Error(wrong)
	}
	_, far := buttons(tab.Elsewhere()) // not compared with pictures, because nobody knows when Chromium paints frames of other sites
	for i := range near {
		if i >= len(far) || math.Abs(far[i].X-near[i].X) > 2 || math.Abs(far[i].Y-near[i].Y) > 2 || math.Abs(far[i].Width-near[i].Width) > 2 {
			t.Errorf("of another site %v, of the same %v", far, near)
			break
		}
	}
}

// misplaced says which of the boxes has no blue middle in a picture of the whole page. Boxes
// further down than the page are cut off.
func misplaced(t *tab.Tab, boxes []page.Box) string {
	t.Helper()
	var pic capture.Picture
	err := t.InTurn(10*time.Second, func(ctx context.Context) (err error) {
		pic, err = capture.Screenshot(ctx, t.Page, capture.Shot{FullPage: true})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	img, _, err := image.Decode(bytes.NewReader(pic.Data))
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range boxes {
		at := image.Pt(int((b.X+b.Width/2-pic.Area.X)*pic.Per), int((b.Y+b.Height/2-pic.Area.Y)*pic.Per))
		if r, g, blue, _ := img.At(at.X, at.Y).RGBA(); at.In(img.Bounds()) && (r>>8 > 40 || g>>8 > 40 || blue>>8 < 200) {
			return fmt.Sprintf("no button at %v of %s, there is %x %x %x", at, b.Ref, r>>8, g>>8, blue>>8)
		}
	}
	return ""
}

// Frames that have gone or crashed have no boxes; the others do.
func TestBoxesWithoutLostFrames(t *testing.T) {
	long.Test(t)
	for name, lose := range map[string]func(*tab.Tab){
		"left":    func(t *tab.Tab) { tab.Run[any](t, "document.querySelector('[title=other]').remove()") },
		"crashed": func(t *tab.Tab) { page.CrashFrame(t.Ctx, t.Page, tab.Elsewhere()+"/frame.html?name=other") },
		"left its parent": func(t *tab.Tab) {
			tab.Run[any](t, "document.querySelector('[title=other]').style.display = 'none'")
		},
	} {
		t.Run(name, func(t *testing.T) {
			tt := tab.Open(t, "/frames.html?other="+tab.Elsewhere())
			tt.Text()
			var before, after []page.Box
			err := tt.InTurn(10*time.Second, func(ctx context.Context) (err error) {
				before, err = tt.Boxes(ctx, tt.LastRefs())
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			lose(tt)
			err = tt.InTurn(10*time.Second, func(ctx context.Context) (err error) {
				after, err = tt.Boxes(ctx, tt.LastRefs())
				return err
			})
			if err != nil || len(after) == 0 || len(after) >= len(before) {
				t.Errorf("%d boxes, before %d, %v", len(after), len(before), err)
			}
		})
	}
}

func boxes(t *tab.Tab) (boxes []page.Box) {
	t.Helper()
	t.Text()
	err := t.InTurn(10*time.Second, func(ctx context.Context) (err error) {
		boxes, err = t.Boxes(ctx, t.LastRefs())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return boxes
}
