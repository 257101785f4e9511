// Package skill has the texts from which agents learn to use chela. The first is a file SKILL.md
// in the format of the Agent Skills standard (agentskills.io). Each further page has one topic.
package skill

import (
	"crypto/sha256"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chela/internal/base/config"
)

// Text is the first page, SKILL.md: YAML front matter, and Markdown below it.
//
//go:embed SKILL.md
var Text []byte

// shared is the folder that the Agent Skills standard names. Most programs that run agents read
// skills in it.
const shared = ".agents"

// others lists the folders of agent programs that read skills from their own folder. Such a folder
// exists if the user has the program.
var others = []string{".claude", ".openclaw"}

// Folders lists the folders for skills below base, which is the user's home directory or the folder
// of a project. One is in the standard's folder, and one in each folder of others that exists.
func Folders(base string) []string {
	folders := []string{filepath.Join(base, shared, "skills")}
	for _, name := range others {
		if info, err := os.Stat(filepath.Join(base, name)); err == nil && info.IsDir() {
			folders = append(folders, filepath.Join(base, name, "skills"))
		}
	}
	return folders
}

// Install writes the skill into a folder for skills, and returns the path of its first page. The
// topics are beside it in the folder references, where the standard wants further pages. Pages of an
// earlier version are replaced. Install removes those that this version no longer has.
func Install(folder string) (string, error) {
	return install(filepath.Join(folder, "chela"), Topics())
}

func install(dir string, topics []Topic) (string, error) {
	references := filepath.Join(dir, "references")
	file := filepath.Join(dir, "SKILL.md")
	if err := refuseLinks(dir, references, file, topics); err != nil {
		return "", err
	}
	if err := os.MkdirAll(references, 0o755); err != nil {
		return "", err
	}
	if err := os.WriteFile(file, Text, 0o644); err != nil {
		return "", err
	}
	written := map[string]string{}
	for _, t := range topics {
		written[t.Name+".md"] = checksum([]byte(t.Text))
		if err := os.WriteFile(filepath.Join(references, t.Name+".md"), []byte(t.Text), 0o644); err != nil {
			return "", err
		}
	}
	if err := removeOld(references, written); err != nil {
		return "", err
	}
	return file, writeList(references, written)
}

// refuseLinks returns an error if a file or folder to be written is a symbolic link. A project's folder
// may come from a stranger. A link in it could make Install overwrite some other file of the user.
func refuseLinks(dir, references, file string, topics []Topic) error {
	places := []string{dir, references, file, filepath.Join(references, listName)}
	for _, t := range topics {
		places = append(places, filepath.Join(references, t.Name+".md"))
	}
	for _, place := range places {
		if info, err := os.Lstat(place); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return fmt.Errorf("%s is a symbolic link, and is not written", place)
		}
	}
	return nil
}

// listName is the file in the folder references that lists the files that chela wrote there, in the
// format of the program sha256sum. The list tells them from files that somebody else put there.
const listName = ".chela"

// removeOld removes the files in the list of an earlier version that this version does not write. A
// file is kept if its checksum is not the one in the list: somebody has changed it.
func removeOld(references string, written map[string]string) error {
	list, err := config.ReadFile(filepath.Join(references, listName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	for line := range strings.Lines(string(list)) {
		sum, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		if _, now := written[name]; now || name != filepath.Base(name) {
			continue
		}
		path := filepath.Join(references, name)
		if text, err := config.ReadFile(path); err != nil || checksum(text) != sum {
			continue
		}
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	return nil
}

// writeList writes the file listName. The map has the checksum of each file, by the file's name.
func writeList(references string, written map[string]string) error {
	var list strings.Builder
	for _, name := range slices.Sorted(maps.Keys(written)) {
		fmt.Fprintf(&list, "%s  %s\n", written[name], name)
	}
	return os.WriteFile(filepath.Join(references, listName), []byte(list.String()), 0o644)
}

func checksum(text []byte) string { return fmt.Sprintf("%x", sha256.Sum256(text)) }
