// Package skill has the text from which agents learn to use chela: a file SKILL.md, as the
// Agent Skills standard (agentskills.io) describes it.
package skill

import (
	_ "embed"
	"os"
	"path/filepath"
)

// Text is the skill: fields of YAML, and Markdown below them.
//
//go:embed SKILL.md
var Text []byte

// shared is the folder that the Agent Skills standard names. Most programs that run agents read
// skills in it.
const shared = ".agents"

// others lists the folders of programs that have a folder of their own for skills. Such a folder
// exists if the program is used.
var others = []string{".claude", ".openclaw"}

// Folders lists the folders for skills below base, which is the user's home directory or the folder
// of a project. The list has the standard's folder, and the folders in others that exist.
func Folders(base string) []string {
	folders := []string{filepath.Join(base, shared, "skills")}
	for _, name := range others {
		if info, err := os.Stat(filepath.Join(base, name)); err == nil && info.IsDir() {
			folders = append(folders, filepath.Join(base, name, "skills"))
		}
	}
	return folders
}

// Install writes the skill into a folder for skills, and returns the path of the file. The skill of
// an earlier version is replaced.
func Install(folder string) (string, error) {
	dir := filepath.Join(folder, "chela")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	file := filepath.Join(dir, "SKILL.md")
	return file, os.WriteFile(file, Text, 0o644)
}
