package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/titanous/json5"
)

// A FileError says what is wrong with a configuration file.
type FileError struct {
	File    string
	Line    int    // 0: not known
	Problem string // begins with the key, if the problem is about a key
}

func (e *FileError) Error() string { return placeInFile(e.File, e.Line) + ": " + e.Problem }

// keyFileError returns the error about a key of the file.
func (c *Config) keyFileError(e *keyError) *FileError {
	return &FileError{c.File, c.lines[e.key], e.Error()}
}

// Wrong returns the error about the value of a key, with the file and the line of the key.
func (c *Config) Wrong(key string, err error) error {
	return &FileError{c.File, c.lines[key], key + ": " + err.Error()}
}

// placeInFile writes a place in a file for a message, as file:line, or without the line if it is 0.
func placeInFile(file string, line int) string {
	if line == 0 {
		return file
	}
	return fmt.Sprintf("%s:%d", file, line)
}

// readFile merges the configuration file into c, and returns the lines of its keys. If there is no
// file, c stays as it is, unless the file must exist. Errors are those that the file system
// reports, a [*FileError] and a [*NewerError].
func (c *Config) readFile(mustExist bool) (lines map[string]int, err error) {
	tree, text, err := readTree(c.File)
	switch {
	case err != nil:
		return nil, err
	case tree == nil && mustExist:
		return nil, missingFileError(c.File)
	}
	saved, err := c.State.savedProfiles()
	if err != nil {
		return nil, err
	}
	c.fileRead, c.savedRead = tree != nil, saved != nil
	return c.merge(c.File, tree, text, saved)
}

// readTree reads the configuration file, or the profiles file, as a tree of JSON values. The tree
// is nil if the file does not exist. Errors come from the file system or are a [*FileError].
func readTree(file string) (tree map[string]any, text []byte, err error) {
	text, err = ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, checkNoLink(file)
	}
	if err != nil {
		return nil, nil, &FileError{File: file, Problem: "it cannot be read: " + pathless(err)}
	}
	tree, err = parse(file, text)
	return tree, text, err
}

// checkNoLink returns a [*FileError] if a file that does not exist is a symbolic link.
func checkNoLink(file string) error {
	if _, err := os.Lstat(file); err != nil {
		return nil
	}
	return &FileError{File: file, Problem: "it is a link to a file that is not there"}
}

// pathless returns the text of an error of the file system without the name of the file.
func pathless(err error) string {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err.Error()
	}
	return err.Error()
}

// merge merges the tree of a file, and the profiles that chela has saved, into c. The parameters
// tree and text are the results of [parse] and its input; both are nil if there is no file. Like
// OpenClaw's configuration, the file is JSON5 (comments, trailing commas). A key that chela does
// not know is a warning and no error, because the file may belong to a later version of OpenClaw. A
// key that is absent keeps its value in c. The error is a [*FileError], the first in the file.
func (c *Config) merge(file string, tree map[string]any, text []byte, saved map[string]any) (lines map[string]int, err error) {
	if tree == nil {
		tree = map[string]any{}
	}
	lines = positions(string(text))
	addSaved(tree, saved)
	if len(tree) == 0 {
		return lines, nil // most users have no file, and decoding an empty one would only delay each command
	}
	var r treeCheck
	r.object("", tree, reflect.TypeFor[Config]())
	if len(r.wrongTypes) > 0 {
		first := slices.MinFunc(r.wrongTypes, func(a, b keyError) int { return lines[a.key] - lines[b.key] })
		return nil, &FileError{file, lines[first.key], first.Error()}
	}
	for _, key := range r.unknown {
		warning := fmt.Sprintf("%s: chela does not know the key %s", placeInFile(file, lines[key]), key)
		if meant := didYouMean(key); meant != "" {
			warning += fmt.Sprintf(": did you mean %s?", meant)
		}
		c.Warnings = append(c.Warnings, warning)
	}
	c.notInEffect = append(c.notInEffect, r.notInEffect...)
	c.weakened = append(c.weakened, r.weakened...)
	plain, err := json.Marshal(tree)
	if err == nil {
		err = json.Unmarshal(plain, c)
	}
	if err != nil { // an error that the checks above have not found
		return nil, &FileError{File: file, Problem: err.Error()}
	}
	return lines, nil
}

// byteOrderMark stands before the text in files of some editors on Windows. In JSON5 it is white
// space, but neither of the libraries accepts it.
var byteOrderMark = []byte("\ufeff")

// parse reads a file's text. An empty text is an error. A full disk and some editors leave a file
// empty. If that meant the defaults, they would allow what the user has forbidden. The error is a
// [*FileError].
func parse(file string, text []byte) (map[string]any, error) {
	text = bytes.TrimPrefix(text, byteOrderMark)
	if strings.TrimSpace(string(text)) == "" {
		return nil, &FileError{file, 1, "the file is empty: remove it to have the defaults, or write {} into it"}
	}
	var value any
	if err := json5.Unmarshal(text, &value); err != nil {
		return nil, &FileError{file, lineOf(text, err), err.Error()}
	}
	tree, ok := value.(map[string]any)
	if !ok {
		return nil, &FileError{file, 1, "it must be an object, not " + inWords(value)}
	}
	return tree, nil
}

// lineOf returns the line of a syntax error, or 0. The offset of the error is in bytes
// from the start.
func lineOf(text []byte, err error) int {
	e, ok := errors.AsType[*json5.SyntaxError](err)
	if !ok {
		return 0
	}
	before := text[:min(int(e.Offset), len(text))]
	return 1 + strings.Count(string(before), "\n")
}
