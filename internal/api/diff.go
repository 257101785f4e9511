package api

import (
	"context"
	"crypto/sha256"
	"fmt"
	"image"
	"slices"

	"chela/internal/api/call"
	"chela/internal/api/words"
	"chela/internal/engine/page"
	"chela/internal/op"
	"chela/internal/reading/picture"
)

// A diffRequest compares two pictures.
type diffRequest struct {
	call.On
	op.Timeout
	Before op.Input `json:"before" doc:"the earlier picture: a path that screenshot has answered, or a file in the uploads folder"`
	After  op.Input `json:"after" doc:"the later picture, named in the same way"`
}

// A diffResult says where two pictures differ.
type diffResult struct {
	Changed float64   `json:"changed" doc:"share of the pixels that differ, 0 to 1"`
	Boxes   []diffBox `json:"boxes" doc:"places where pixels differ, from top to bottom, at most 20"`
	Path    op.File   `json:"path,omitempty" doc:"the later picture with these places marked; absent if nothing has changed"`
}

// A diffBox is a place where pictures differ.
type diffBox struct {
	box
	Refs []string `json:"refs,omitempty" doc:"refs of the last snapshot for elements that are at this place now, if the later picture is a screenshot of the tab"`
}

// Text says how much has changed, and where.
func (r diffResult) Text() string {
	if len(r.Boxes) == 0 {
		return "nothing has changed"
	}
	lines := []string{fmt.Sprintf("%.2f %% of the pixels have changed", 100*r.Changed)}
	for _, b := range r.Boxes {
		line := fmt.Sprintf("%g,%g %g×%g", b.X, b.Y, b.Width, b.Height)
		for _, ref := range b.Refs {
			line += " " + ref
		}
		lines = append(lines, line)
	}
	return words.Lines(append(lines, string(r.Path))...)
}

// maxCompared limits the bytes of a picture that is compared.
const maxCompared = 50 << 20

// diffPictures compares two pictures, and saves the later one with the changes marked.
func diffPictures(ctx context.Context, t *call.Turn, r diffRequest) (diffResult, error) {
	before, _, err := readCompared(t, r.Before)
	if err != nil {
		return diffResult{Boxes: []diffBox{}}, err
	}
	after, data, err := readCompared(t, r.After)
	if err != nil {
		return diffResult{Boxes: []diffBox{}}, err
	}
	found := picture.Compare(before, after)
	result := diffResult{Changed: found.Share, Boxes: []diffBox{}}
	if len(found.Boxes) == 0 {
		return result, nil
	}
	refs, err := refsOn(ctx, t, r.On, data)
	if err != nil {
		return result, err
	}
	var marks []mark
	for _, place := range found.Boxes {
		b := box{float64(place.Min.X), float64(place.Min.Y), float64(place.Dx()), float64(place.Dy())}
		marks = append(marks, mark{b, ""})
		result.Boxes = append(result.Boxes, diffBox{b, refs.in(place)})
	}
	marked, err := drawMarks(data, false, marks)
	if err != nil {
		return result, err
	}
	path, err := t.Service.Files.SavePicture(marked, "png")
	result.Path = op.File(path)
	return result, err
}

// readCompared reads and decodes a picture.
func readCompared(t *call.Turn, path op.Input) (image.Image, []byte, error) {
	data, err := t.Service.Files.ReadPicture(string(path), maxCompared)
	if err != nil {
		return nil, nil, call.ExplainPath(err)
	}
	decoded, err := picture.Decode(data)
	if err != nil {
		return nil, nil, op.Errorf(op.Invalid, "%s is no picture that can be compared: %v", path, err).Hinted("give a PNG, JPEG, GIF or WebP")
	}
	return decoded, data, nil
}

// refBoxes are the places of elements on a picture, in its pixels.
type refBoxes []refBox

type refBox struct {
	ref string
	at  image.Rectangle
}

// in returns the refs of the elements that overlap a place. An element is left out if it contains
// another one that overlaps the place. So for a change in a list, its items are named and not the
// list.
func (all refBoxes) in(place image.Rectangle) (refs []string) {
	for _, b := range all {
		holds := func(other refBox) bool { return other != b && other.at.In(b.at) && other.at.Overlaps(place) }
		if b.at.Overlaps(place) && !slices.ContainsFunc(all, holds) {
			refs = append(refs, b.ref)
		}
	}
	return refs
}

// refsOn returns where the elements of the last snapshot are on a picture. It returns none if the
// picture is not a screenshot of the tab.
func refsOn(ctx context.Context, t *call.Turn, on call.On, data []byte) (refBoxes, error) {
	of, saved, ok := t.Service.Pictures.With(sha256.Sum256(data))
	if shown, err := pictureOf(t, on, of.View); !ok || err != nil || shown != of {
		return nil, err
	}
	boxes, err := t.Page.Boxes(ctx, t.Page.LastRefs())
	if err != nil {
		return nil, err
	}
	slices.SortFunc(boxes, page.Box.Compare)
	var all refBoxes
	for _, b := range boxes {
		at := image.Rect(
			int((b.X-saved.Area.X)*saved.Per), int((b.Y-saved.Area.Y)*saved.Per),
			int((b.X+b.Width-saved.Area.X)*saved.Per), int((b.Y+b.Height-saved.Area.Y)*saved.Per),
		)
		all = append(all, refBox{b.Ref, at})
	}
	return all, nil
}
