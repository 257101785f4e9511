package broker

import (
	"chela/internal/base/media"
)

// setFiles passes DOM.setFileInputFiles for files that the session may upload. The page gets
// copies, as from chela's own commands. The page may read the files later, and by then another file
// could be at the same path.
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
	staged, err := cmd.Stage(p.Files)
	if err != nil {
		return err
	}
	go keepStaged(staged, cmd.page().Ended())
	return cmd.set("files", staged.Paths)
}

// keepStaged removes the copies of files when the page that may read them has ended.
func keepStaged(staged *media.Staged, ended <-chan struct{}) {
	<-ended
	staged.Remove()
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
