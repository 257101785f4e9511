// Package manual shows the documentation on a terminal. Its pages are the files of the folder docs,
// which are part of the program.
//
// manual.go finds a page or a section of it. render.go writes Markdown for a terminal.
package manual

import (
	"path"
	"slices"
	"strings"

	"chela/docs"
)

// contents is the page that lists the others.
const contents = "README"

// Names lists the pages.
func Names() (all []string) {
	entries, _ := docs.Files.ReadDir(".") // an embedded folder can always be read
	for _, e := range entries {
		if name := strings.TrimSuffix(e.Name(), ".md"); name != contents {
			all = append(all, name)
		}
	}
	return all
}

// Contents returns the page that lists the others, in Markdown.
func Contents() string { return read(contents) }

// Page returns a page in Markdown; false if there is none with this name. The name can be written
// as in a link: docs/acting.md.
func Page(name string) (string, bool) {
	name = strings.TrimSuffix(path.Base(name), ".md")
	if !slices.Contains(Names(), name) {
		return "", false
	}
	return read(name), true
}

func read(name string) string {
	raw, _ := docs.Files.ReadFile(name + ".md") // Names has it from the folder
	return string(raw)
}

// A Heading is a heading of a page. Without a title, it stands for the whole page.
type Heading struct{ Page, Title string }

// Find lists the pages whose name has a text, and then the headings that have it, in any case of
// letters. Headings that are equal to the text come first.
func Find(text string) (all []Heading) {
	text = strings.ToLower(text)
	var others []Heading
	for _, page := range Names() {
		if strings.Contains(page, text) {
			all = append(all, Heading{Page: page})
		}
		for line := range headings(read(page)) {
			h := Heading{page, titleOf(line)}
			switch title := strings.ToLower(h.Title); {
			case title == text:
				all = append(all, h)
			case strings.Contains(title, text):
				others = append(others, h)
			}
		}
	}
	return append(all, others...)
}

// Section returns the section of a page whose heading has a text, in any case of letters; false if no
// heading has it. The section ends before the next heading of the same or a higher level. A heading
// that is equal to the text has precedence, and then the first one.
func Section(page, text string) (string, bool) {
	text = strings.ToLower(text)
	begin, level := -1, 0
	for line, at := range headings(page) {
		lower := strings.ToLower(titleOf(line))
		if lower == text || begin < 0 && strings.Contains(lower, text) {
			begin, level = at, levelOf(line)
		}
		if lower == text {
			break
		}
	}
	if begin < 0 {
		return "", false
	}
	for line, at := range headings(page) {
		if at > begin && levelOf(line) <= level {
			return page[begin:at], true
		}
	}
	return page[begin:], true
}

// headings are the lines of a page that are headings, each with where it begins. A line of an
// example that begins with # is none.
func headings(page string) func(yield func(line string, at int) bool) {
	return func(yield func(string, int) bool) {
		at, example := 0, false
		for line := range strings.Lines(page) {
			if strings.HasPrefix(strings.TrimSpace(line), "```") {
				example = !example
			}
			if !example && levelOf(line) > 0 && !yield(line, at) {
				return
			}
			at += len(line)
		}
	}
}

// levelOf returns how many # a heading begins with; 0 if the line is not a heading.
func levelOf(line string) int {
	rest := strings.TrimLeft(line, "#")
	if !strings.HasPrefix(rest, " ") {
		return 0
	}
	return len(line) - len(rest)
}

// titleOf returns the words of a heading, without marks.
func titleOf(line string) string {
	return strings.TrimSpace(strings.ReplaceAll(strings.TrimLeft(line, "#"), "`", ""))
}
