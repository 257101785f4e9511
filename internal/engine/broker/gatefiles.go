package broker

import (
	"context"

	"chela/internal/base/media"
)

// setFiles passes DOM.setFileInputFiles for files that the session may upload. The page gets
// copies, as from chela's own commands. The page may read the files later, and by then another file
// could be at the same path. Copying takes long if the files are large, and the client's other
// commands do not wait for it.
func setFiles(cmd *command) error {
	p, err := read[struct {
		Files []string `json:"files"`
	}](cmd.request)
	if err != nil || len(p.Files) == 0 {
		return err
	}
	if cmd.browser.Describe().Remote() {
		return refused("the browser cannot read the files of this machine")(cmd)
	}
	page := cmd.page()
	cmd.background(cmd.request, func(ctx context.Context) (any, error) {
		staged, err := cmd.Stage(p.Files)
		if err != nil {
			return nil, err
		}
		result, err := cmd.giveFiles(ctx, staged)
		if err != nil && ctx.Err() == nil {
			staged.Remove()
			return nil, err
		}
		staged.HandedOver() // without an answer, the page may have the copies
		go func() {
			<-page.Ended()
			staged.Remove()
		}()
		return result, err
	})
	return errAnswered
}

// giveFiles sends the command with copies in the place of the files.
func (cmd *command) giveFiles(ctx context.Context, copies *media.Staged) (any, error) {
	if err := cmd.set("files", copies.Paths); err != nil {
		return nil, err
	}
	cmd.note(cmd.session.tab, cmd.request)
	return call(ctx, cmd.session.Session, cmd.Method, cmd.Params)
}

// dragNoFiles passes a drag unless it drops files.
func dragNoFiles(cmd *command) error {
	p, err := read[struct {
		Data struct {
			Files []string `json:"files"`
		} `json:"data"`
	}](cmd.request)
	if err == nil && len(p.Data.Files) > 0 {
		err = refused("files are given to pages by DOM.setFileInputFiles, or chela drop")(cmd)
	}
	return err
}
