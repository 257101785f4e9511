package api

import (
	"context"

	"chela/internal/api/call"
	"chela/internal/op"
)

// A dropRequest drops files on an element, as from a file manager.
type dropRequest struct {
	onRef
	Paths []op.Upload `json:"paths" doc:"files to drop, in the uploads folder"`
}

// Check does not look at the files. The function stageFiles, which copies them, checks that they
// exist and are in an uploads folder.
func (r dropRequest) Check() error {
	if err := requiresRef("drop", r.Ref); err != nil {
		return err
	}
	return requires("drop requires paths", len(r.Paths) > 0)
}

// dropResult says how the page handled the dropped files.
type dropResult struct {
	Files      int    `json:"files" doc:"how many files were dropped"`
	DropEffect string `json:"dropEffect,omitempty" doc:"what the page does with the dropped files: copy, move or link" tool:"-"`
}

// drop waits until the element can be acted on, as click does. It is an error if the page does not
// take the files. The page gets copies of them. If the drop has failed, the copies are removed.
// Otherwise the page may read them at any time, so they stay until its tab has gone.
func drop(ctx context.Context, t *call.Turn, r dropRequest) (done dropResult, err error) {
	staged, err := stageFiles(t.Service, r.Paths)
	if err != nil {
		return done, err
	}
	err = t.Page.Act(ctx, func(ctx context.Context) error {
		el, err := t.Page.Element(ctx, r.Ref)
		if err != nil {
			return err
		}
		done.DropEffect, err = el.Drop(ctx, staged.Paths)
		return err
	})
	taken := done.DropEffect != ""
	if taken {
		done.Files = len(staged.Paths)
		staged.HandedOver()
	}
	go removeStaged(t.Page, staged, taken)
	return done, err
}
