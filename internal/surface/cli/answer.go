package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"chela/internal/api/words"
	"chela/internal/base/lazyregexp"
	"chela/internal/op"
)

// An answer is the JSON that the server has sent as the result of an operation. The command line makes
// the text for people from it. The server does not, so a program that calls the HTTP API gets only
// data.
type answer struct {
	op   *op.Op
	args op.Args
	raw  json.RawMessage

	saying string // template of the sentence that is printed as the result, see [op.Says]; "" if there is none
	saved  string // path of the file to which the result was saved, by --out; "" if it was not
}

// print writes the answer as text for people or, if asJSON is true, as indented JSON for scripts. The
// error comes from writing, or says that the server has another version.
func (a answer) print(w io.Writer, asJSON bool) error {
	if a.saved != "" {
		return a.printSaved(w, asJSON)
	}
	if asJSON {
		return indent(w, a.json())
	}
	text, err := a.text()
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, text)
	return err
}

// A dialog is an open dialog that blocks the page.
type dialog struct {
	ID, Type, Message, DefaultValue string

	opened bool            // this call has opened the dialog; false: the dialog prevented the call
	state  json.RawMessage // the field browserState of the answer, for scripts
}

// openDialog returns the dialog that an answer reports; nil if none is open. A modal dialog (alert,
// confirm, prompt, beforeunload) stops the scripts of a page. So no further action on the page can
// succeed until the dialog is answered. If several are open, the first one must be answered first.
func (a answer) openDialog() *dialog {
	var state struct {
		BlockedByDialog, NotDone bool
		BrowserState             json.RawMessage
	}
	var dialogs struct{ Dialogs struct{ Pending []dialog } }
	if json.Unmarshal(a.raw, &state) != nil || !state.BlockedByDialog || json.Unmarshal(state.BrowserState, &dialogs) != nil || len(dialogs.Dialogs.Pending) == 0 {
		return nil
	}
	d := dialogs.Dialogs.Pending[0]
	d.opened, d.state = !state.NotDone, state.BrowserState
	return &d
}

// text returns the answer for people: the sentence of the operation, the text of the result, and the
// text of the envelope. If there is neither a sentence nor a text of the result, it returns the JSON.
// The envelope is what every action can return beside its result, such as a tab that was opened.
//
// If a part of the operation has failed, [Program.call] prints the failure as an error, and text
// leaves out the result. A result with a text for the command line (see terminal) stays: the text
// of chela doctor, for example, also says what works.
//
// Text of a page is printed without its control characters, but otherwise unchanged. In chela's own
// text, and in the paths of files that it has made, ~ stands for the home directory.
func (a answer) text() (string, error) {
	text, ok, err := a.textOf(a.op.Result)
	failed := a.op.Failure(a.raw) != nil
	switch {
	case err != nil:
		return "", err
	case failed && !isTerminal(a.op.Result):
		text = ""
	case a.saying != "":
		text = strings.TrimSuffix(a.sentence(a.template())+"\n"+text, "\n")
	case ok:
	default:
		var b bytes.Buffer
		err := indent(&b, a.raw)
		return b.String(), err
	}
	more, _, err := a.textOf(a.op.Envelope)
	if err != nil {
		return "", err
	}
	text = strings.TrimPrefix(strings.TrimSuffix(text, "\n")+"\n"+more, "\n")
	if a.op.Untrusted() {
		for _, path := range op.FilesIn(a.op.Result, a.raw) {
			text = strings.ReplaceAll(text, path, shortenHome(path))
		}
	} else {
		text = shortenHome(text)
	}
	if failed && text == "" {
		return "", nil
	}
	return strings.TrimSuffix(op.Plain(text), "\n") + "\n", nil
}

// json returns the answer for scripts. It is the answer of the server, unless OpenClaw's command
// line prints another JSON.
func (a answer) json() json.RawMessage {
	other, ok := op.As[interface{ TerminalJSON() any }](a.op.Result, a.raw)
	if !ok {
		return a.raw
	}
	raw, err := json.Marshal(other.TerminalJSON())
	if err != nil {
		return a.raw
	}
	return raw
}

// A terminal is a result whose text for the command line differs from its text for agents
// ([op.Texter]).
type terminal interface{ Terminal() string }

// isTerminal reports whether a type of results has a text for the command line.
func isTerminal(result reflect.Type) bool { return result.Implements(reflect.TypeFor[terminal]()) }

// textOf returns the text of a part of the answer. The parameter part is the type of the result or
// of the envelope. If that type has no text, ok is false. The error is for an answer whose JSON
// does not fit the type, as may happen between two versions.
func (a answer) textOf(part reflect.Type) (text string, ok bool, err error) {
	if part == nil {
		return "", false, nil
	}
	result := reflect.New(part)
	short, isTerminal := result.Interface().(terminal)
	long, isText := result.Interface().(op.Texter)
	if !isTerminal && !isText {
		return "", false, nil
	}
	if err := json.Unmarshal(a.raw, result.Interface()); err != nil {
		return "", true, fmt.Errorf("the server's answer is of another version: %w", err)
	}
	if isTerminal {
		return short.Terminal(), true, nil
	}
	return long.Text(), true, nil
}

var (
	named   = lazyregexp.New(`\{(arg\.)?\w+\}`)
	partial = lazyregexp.New(`\[[^\]]*\]`)
)

// template returns the sentence of the operation, with names in place of values. A result that the
// usual sentence does not fit has another one.
func (a answer) template() string {
	if other, ok := op.As[interface{ Sentence(usual string) string }](a.op.Result, a.raw); ok {
		return other.Sentence(a.saying)
	}
	return a.saying
}

// sentence returns a template with values in place of the names in it. In a template,
// {name} is a field of the result or, without such a field, an argument; {arg.name} is always the
// argument. A part in brackets is left out if one of the names in it has no value: "pressed {key}[
// on {ref}]".
func (a answer) sentence(template string) string {
	var result map[string]json.RawMessage
	json.Unmarshal(a.raw, &result) // an answer that is not an object has no fields
	value := func(name string) string {
		name, isArg := strings.CutPrefix(strings.Trim(name, "{}"), "arg.")
		if raw, ok := result[name]; ok && !isArg {
			return inSentence(raw)
		}
		return a.argument(name)
	}
	saying := partial().ReplaceAllStringFunc(template, func(part string) string {
		if slices.ContainsFunc(named().FindAllString(part, -1), func(name string) bool { return value(name) == "" }) {
			return ""
		}
		return strings.Trim(part, "[]")
	})
	return named().ReplaceAllStringFunc(saying, value)
}

// argument returns an argument as the user wrote it. The value in a.args may differ from that:
// people count tabs from 1, for example, but requests to the server count them from 0. The type of
// such an argument has a String method that returns what the user wrote.
func (a answer) argument(name string) string {
	if p, ok := a.op.Param(name); ok {
		if typed, ok := op.As[fmt.Stringer](p.Type, a.args[name]); ok {
			return typed.String()
		}
	}
	return inSentence(a.args[name])
}

// inSentence writes a JSON value as a part of a sentence. A list is separated by commas. null, numbers
// and objects are written as JSON.
func inSentence(raw json.RawMessage) string {
	var s string
	var list []string
	switch {
	case json.Unmarshal(raw, &s) == nil:
		return s
	case json.Unmarshal(raw, &list) == nil:
		return strings.Join(list, ", ")
	}
	return string(raw)
}

// indent writes JSON with indentation, for people.
func indent(w io.Writer, raw json.RawMessage) error {
	var b bytes.Buffer
	if err := json.Indent(&b, op.PlainJSON(raw), "", "  "); err != nil {
		return fmt.Errorf("the server's answer is not JSON: %w", err)
	}
	b.WriteByte('\n')
	_, err := b.WriteTo(w)
	return err
}

// shortenHome replaces the user's home directory by ~, which a shell understands. The paths that
// commands print are long, and most are in that directory.
func shortenHome(text string) string {
	home, err := os.UserHomeDir()
	if err != nil || home == "/" {
		return text
	}
	return strings.ReplaceAll(text, home+string(filepath.Separator), "~"+string(filepath.Separator))
}

// isOurs reports whether --out is the flag that addFlags adds to each command whose result can be
// saved. Otherwise --out is a parameter of the operation, and its value is a *flagTexts.
func isOurs(out *pflag.Flag) bool {
	_, param := out.Value.(*flagTexts)
	return !param
}

// checkWritable returns an error if a file cannot be written. It changes nothing. An existing file is
// only opened. In the place of a new one, a file with another name is made and removed. Devices and
// pipes are not opened, because opening a pipe waits for its reader.
func checkWritable(path string) error {
	info, err := os.Stat(path)
	var f *os.File
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if f, err = os.CreateTemp(filepath.Dir(path), ".chela-*"); err == nil {
			defer os.Remove(f.Name())
		}
	case err == nil && (info.Mode().IsRegular() || info.IsDir()):
		f, err = os.OpenFile(path, os.O_WRONLY, 0)
	case err == nil:
		return nil
	}
	if in, ok := errors.AsType[*fs.PathError](err); ok {
		return &fs.PathError{Op: "open", Path: path, Err: in.Err}
	}
	if err != nil {
		return err
	}
	return f.Close()
}

// save saves the result as the file that --out names. It saves a document or the text that was read
// from the page, or copies the file that the operation has made. It returns the answer to print,
// which has the path of the saved file. Errors come from the file system, or are op.NotFound if
// there is nothing to save. A new file has the mode 0600, since the content may come from pages where
// the user is logged in. An existing file keeps its mode, unless a document is saved.
//
// The file may be anywhere: --out is the user's own choice. For a path in a request, the server
// allows only some folders. The path is absolute, and the printed answer has it.
func (a answer) save(path string) (answer, error) {
	made := op.FilesIn(a.op.Result, a.raw)
	switch document, ok := op.As[op.Document](a.op.Result, a.raw); {
	case ok:
		a.saved = path
		return a, writeDocument(path, document.Document())
	case a.op.Untrusted() && !a.isFile(made):
		a.saved = path
		return a, a.saveText(path, made)
	case len(made) == 0:
		return a, op.Errorf(op.NotFound, "the answer has no file to save as %s", path)
	}
	a.raw = op.MoveFiles(a.raw, map[string]string{made[0]: path})
	return a, copyFile(path, made[0])
}

// isFile reports whether the text of the result is only the path of a file that the operation made.
func (a answer) isFile(made []string) bool {
	text, _, err := a.textOf(a.op.Result)
	return err == nil && len(made) == 1 && text == made[0]
}

// A structured result has a text for people that is made from data; --out saves the data.
type structured interface{ Structured() bool }

// saveText saves the text of an answer, without the paths of files that the operation has made. For
// a structured result it saves the data.
func (a answer) saveText(path string, made []string) error {
	if s, ok := op.As[structured](a.op.Result, a.raw); ok && s.Structured() {
		return writeDocument(path, a.raw)
	}
	without := map[string]string{}
	for _, file := range made {
		without[file] = ""
	}
	a.saved, a.raw = "", op.MoveFiles(a.raw, without)
	text, err := a.text()
	if err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o600)
}

// printSaved prints the answer for a result that was saved as a file. It prints the path of that file
// and the paths of further files. For a document it also prints the text, which says what the
// document contains.
func (a answer) printSaved(w io.Writer, asJSON bool) error {
	made := op.FilesIn(a.op.Result, a.raw)
	switch {
	case a.op.IsDocument() && asJSON:
		return indent(w, a.raw)
	case a.op.IsDocument():
		text, _, err := a.textOf(a.op.Result)
		_, written := fmt.Fprintln(w, op.Plain(shortenHome(a.saved)+"\n"+text))
		return errors.Join(err, written)
	case !asJSON:
		_, err := fmt.Fprintln(w, op.Plain(shortenHome(strings.TrimSuffix(a.saved+"\n"+strings.Join(made, "\n"), "\n"))))
		return err
	}
	about := op.Object{"ok": true, "out": a.saved}
	var result map[string]json.RawMessage
	json.Unmarshal(a.raw, &result) // an answer that is not an object has no files
	for name, raw := range result {
		if slices.ContainsFunc(made, func(path string) bool { return inSentence(raw) == path }) {
			about[name] = raw
		}
	}
	raw, err := json.Marshal(about)
	return errors.Join(err, indent(w, raw))
}

// writeDocument writes a value to a file as JSON. If the file exists, its mode is changed before
// anything is written, so that only its owner can read it: the value may hold secrets.
func writeDocument(path string, value any) error {
	text, err := words.JSON(value, "  ")
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		if err := errors.Join(f.Chmod(0o600), f.Truncate(0)); err != nil {
			return errors.Join(err, f.Close())
		}
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// copyFile copies a file, and overwrites an existing one, unless both are the same file. The
// original stays: it belongs to the server, which removes it by its own rules.
func copyFile(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	if there, err := os.Stat(to); err == nil && os.SameFile(info, there) {
		return nil
	}
	out, err := os.OpenFile(to, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
