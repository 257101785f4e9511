package api

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"slices"

	"chela/internal/api/call"
	"chela/internal/api/words"
	"chela/internal/engine/capture"
	"chela/internal/engine/page"
	"chela/internal/op"
)

// A screenshotRequest is for a picture of the viewport, of the whole page, or of one element. An
// unknown type means png in HTTP requests, and is an error on the command line.
type screenshotRequest struct {
	call.On
	op.Timeout
	call.Seeing
	FullPage bool   `json:"fullPage,omitempty" doc:"the whole page, not only what is in view"`
	Ref      string `json:"ref,omitempty" digits:"true" doc:"only this element"`
	Element  string `json:"element,omitempty" doc:"only the element that this CSS selector matches" tool:"CSS"`
	Labels   bool   `json:"labels,omitempty" doc:"draw the refs of the last snapshot on the picture, or, without a snapshot, all refs"`
	ifChanged
	Type string `json:"type,omitempty" enum:"png,jpeg" lenient:"true" unknown:"Invalid --type: expected png or jpeg" doc:"format of the picture; if it is too large as png, it is saved as jpeg" tool:"+"`
}

// Check refuses a request for both the whole page and an element, or for two elements.
func (r screenshotRequest) Check() error {
	switch {
	case r.FullPage && (r.Ref != "" || r.Element != ""):
		return op.Errorf(op.Invalid, "fullPage is not supported for element screenshots")
	case r.Ref != "" && r.Element != "":
		return op.Errorf(op.Invalid, "ref cannot be combined with element").Hinted("ref alone names the element; element is a CSS selector, for one that has no ref")
	}
	return nil
}

// screenshotResult is a saved picture of the page.
type screenshotResult struct {
	Path      op.File `json:"path,omitempty" doc:"where the picture was saved" tool:"unless unchanged"`
	Unchanged bool    `json:"unchanged,omitempty" doc:"the page looks the same as in the earlier picture at path; no new picture was saved"`
	Scale     float64 `json:"scale,omitempty" doc:"how many pixels the picture has for each CSS pixel; 1 when left out" tool:"-"`
	PartOf    *extent `json:"partOf,omitempty" doc:"size of the page or element, if the picture shows only its top left part" tool:"-"`
	*Labelled
	kind string
}

// An extent is a size in CSS pixels.
type extent struct {
	Width  float64 `json:"width" doc:"width in CSS pixels"`
	Height float64 `json:"height" doc:"height in CSS pixels"`
}

// Note says in which way the picture shows less than was asked for.
func (s screenshotResult) Note() string {
	var scaled, part string
	if s.Scale != 0 && s.Scale < 1 {
		scaled = fmt.Sprintf("the picture is scaled down to %.2g of the size", s.Scale)
	}
	if s.PartOf != nil {
		part = fmt.Sprintf("it shows only the top left part of %.0f x %.0f pixels: scroll or name an element to see the rest", s.PartOf.Width, s.PartOf.Height)
	}
	return words.Lines(scaled, part)
}

// Warning is Note, for the command line.
func (s screenshotResult) Warning() string { return s.Note() }

// Labelled counts the refs that were drawn on a picture.
type Labelled struct {
	Labels      bool         `json:"labels" doc:"refs are drawn on the picture"`
	Count       int          `json:"labelsCount" doc:"how many refs are drawn"`
	Skipped     int          `json:"labelsSkipped" doc:"how many refs are not drawn: outside of the picture, or beyond the limit"`
	Annotations []annotation `json:"annotations" doc:"each drawn ref, with its place on the picture" tool:"-"`
}

// An annotation is a ref that was drawn, with its box.
type annotation struct {
	Ref    string      `json:"ref" doc:"the ref"`
	Number int         `json:"number" doc:"number of the label on the picture, from 1"`
	Role   string      `json:"role" doc:"role of the element"`
	Name   op.PageText `json:"name,omitempty" doc:"name of the element"`
	Box    box         `json:"box" doc:"where the element is in the picture, in pixels"`
}

// Text returns where the picture is.
func (s screenshotResult) Text() string {
	if s.Unchanged {
		return "unchanged since " + string(s.Path)
	}
	return string(s.Path)
}

// AfterDialog says how to get the picture: Chromium takes none while a dialog is open.
func (s screenshotResult) AfterDialog(page.Dialog) string {
	if s.Path != "" {
		return ""
	}
	return "answer the dialog, then call again"
}

// screenshot saves the picture among the media files, which are bounded in age and size.
func screenshot(ctx context.Context, t *call.Turn, r screenshotRequest) (screenshotResult, error) {
	what := capture.Shot{FullPage: r.FullPage, JPEG: r.Type == "jpeg"}
	var err error
	switch {
	case r.Ref != "":
		what.Element, err = t.Page.Element(ctx, r.Ref)
	case r.Element != "":
		what.Element, err = t.Page.Match(ctx, r.Element)
	}
	if err != nil {
		return screenshotResult{}, err
	}
	shot, pic, err := takePicture(ctx, t, what, r.Labels, t.Hidden(r.Seeing))
	if err != nil {
		return screenshotResult{}, err
	}
	of, err := pictureOf(t, r.On, r.view())
	if err != nil {
		return screenshotResult{}, err
	}
	if r.IfChanged {
		if earlier := t.Service.Pictures.Last(of); earlier != "" && r.allows(earlier, pic.Data) {
			shot.Path, shot.Unchanged = op.File(earlier), true
			return shot, nil
		}
	}
	err = shot.save(t, pic)
	t.Service.Pictures.Add(of, call.SavedPicture{Path: string(shot.Path), Sum: sha256.Sum256(pic.Data), Area: pic.Area, Per: pic.Per})
	return shot, err
}

// takePicture takes a picture, with labels if asked for, and does not save it.
func takePicture(ctx context.Context, t *call.Turn, what capture.Shot, labels bool, hidden string) (shot screenshotResult, pic capture.Picture, err error) {
	if labels {
		if err := readForLabels(ctx, t, hidden); err != nil {
			return shot, pic, err
		}
	}
	if pic, err = capture.Screenshot(ctx, t.Page, what); err != nil {
		return shot, pic, err
	}
	shot.kind = "png"
	if pic.Per != 1 {
		shot.Scale = math.Round(pic.Per*1000) / 1000
	}
	if pic.Area != pic.Of {
		shot.PartOf = &extent{math.Round(pic.Of.Width), math.Round(pic.Of.Height)}
	}
	if labels {
		if shot.Labelled, err = drawLabels(ctx, t, &pic); err != nil {
			return shot, pic, err
		}
	}
	if pic.JPEG {
		shot.kind = "jpeg"
	}
	return shot, pic, nil
}

// save saves the picture. A picture that is too large as png was made a jpeg, so the extension
// follows pic.JPEG and not the request.
func (s *screenshotResult) save(t *call.Turn, pic capture.Picture) error {
	ext := "png"
	if pic.JPEG {
		ext = "jpg"
	}
	path, err := t.Service.Files.SavePicture(pic.Data, ext)
	s.Path = op.File(path)
	return err
}

// readForLabels takes a snapshot, unless the last one is of the document that the tab shows now.
// The labels are refs of the last snapshot.
func readForLabels(ctx context.Context, t *call.Turn, hidden string) error {
	if t.Page.ShowsLast() {
		return nil
	}
	_, err := t.Page.Snapshot(ctx, page.View{Purpose: "labels", Hidden: hidden})
	return err
}

// maxLabels bounds how many refs are drawn.
const maxLabels = 150

// drawLabels draws the refs of the last snapshot on the picture, in the order of reading. Refs
// outside of the picture are counted as skipped. The boxes of the page are in CSS pixels. The field
// pic.Per is the number of picture pixels in a CSS pixel. It is not 1 on HiDPI screens, or if the
// picture was made smaller.
func drawLabels(ctx context.Context, t *call.Turn, pic *capture.Picture) (*Labelled, error) {
	boxes, err := t.Page.Boxes(ctx, t.Page.LastRefs())
	if err != nil {
		return nil, err
	}
	slices.SortFunc(boxes, page.Box.Compare)
	l := &Labelled{Labels: true, Annotations: []annotation{}}
	var marks []mark
	for _, b := range boxes {
		at := box{(b.X - pic.Area.X) * pic.Per, (b.Y - pic.Area.Y) * pic.Per, b.Width * pic.Per, b.Height * pic.Per}
		if !pic.Area.Meets(b.Area) || len(marks) == maxLabels {
			l.Skipped++
			continue
		}
		l.Annotations = append(l.Annotations, annotation{b.Ref, len(l.Annotations) + 1, b.Role, op.PageText(b.Name), at})
		marks = append(marks, mark{at, b.Ref})
	}
	l.Count = len(marks)
	pic.Data, err = drawMarks(pic.Data, pic.JPEG, marks)
	return l, err
}
