// Package manual shows the documentation on a terminal. The pages are the files of the folder docs,
// which are embedded in the program.
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

// Page returns a page in Markdown; false if no page has this name. The name can also be written as in
// a link: docs/acting.md.
func Page(name string) (string, bool) {
	name = strings.TrimSuffix(path.Base(name), ".md")
	if !slices.Contains(Names(), name) {
		return "", false
	}
	return read(name), true
}

func read(name string) string {
	raw, _ := docs.Files.ReadFile(name + ".md") // cannot fail: the name comes from Names
	return string(raw)
}

// A Heading is a heading of a page. If Title is "", it stands for the whole page.
type Heading struct{ Page, Title string }

// Find lists the pages whose names contain a text, and the headings that contain it. The case of
// letters does not matter. Headings that are equal to the text come before those that contain it.
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

// Section returns the section of a page whose heading is equal to a text or, if there is none, the
// first whose heading contains it. The case of letters does not matter. The section ends before the
// next heading of the same or a higher level. The result is false if no heading contains the text.
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

// headings yields the headings of a page, each with the index of its first byte. A line within an
// example (```) that begins with # is no heading.
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

// titleOf returns the text of a heading, without the characters # and `.
func titleOf(line string) string {
	return strings.TrimSpace(strings.ReplaceAll(strings.TrimLeft(line, "#"), "`", ""))
}
