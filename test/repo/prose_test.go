package repo

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// maxWords is how long a sentence of a comment or document may be.
const maxWords = 25

// unclear are patterns that a newcomer stumbles over, with what to write instead.
var unclear = []struct{ pattern, instead string }{
	{`, too\b`, `"also", in front of the verb`},
	{`\b(is|are|was|were) (that|those) of\b`, "the noun itself"},
	{`\bthe contract\b`, "OpenClaw, or nothing"},
	{`\bof which\b`, "a sentence of its own"},
	{`\balso (if|when|while)\b`, `"even if", or "even when"`},
	{`\banew\b`, `"again", or what is new`},
	{`\bin vain\b`, "what was not found, or did not come"},
	{`\b([Ww]hat|that|which) (is|are) no [a-km-zA-Z]`, `"that is not a number"`}, // not "no longer"
	{`\bbeside (what|its own fields)\b`, `"besides" or "in addition to"`},
	{`\bwhat (became|becomes|came|comes) of\b`, `"the result", or "what happens to"`},
	{`^Who [^?]*$`, `"whoever", or a noun`},
	{`^of an? [a-z]+:`, `"for a list:"`},
	{`\b(many|most|of) like (items|lines)\b`, `"similar"`},
	{`, as (it|they|one|a|an|the|no|all|this)( [\w']+){0,3} (may|can|cannot|could|might|would|must) [a-z]`, `"because"`},
}

// Comments and documents are read by people who are new to the program, and whose first language
// may be another one.
func TestProseIsPlain(t *testing.T) {
	t.Chdir(root)
	var patterns []*regexp.Regexp
	for _, u := range unclear {
		patterns = append(patterns, regexp.MustCompile(u.pattern))
	}
	for _, path := range slices.Concat(files(t, "*.go"), files(t, "*.js"), files(t, "*.md")) {
		for _, sentence := range proseOf(t, path) {
			if n := len(strings.Fields(sentence)); n > maxWords {
				t.Errorf("%s: %d words: %s", path, n, sentence)
			}
			for i, p := range patterns {
				if found := p.FindString(sentence); found != "" {
					t.Errorf("%s: %q, write %s: %s", path, found, unclear[i].instead, sentence)
				}
			}
		}
	}
}

// proseOf returns the sentences of a file: those of its comments, or of the document.
func proseOf(t *testing.T, path string) (all []string) {
	text := read(t, path)
	switch filepath.Ext(path) {
	case ".md":
		for _, paragraph := range paragraphs(block.ReplaceAllString(text, "")) {
			all = append(all, sentencesOf(paragraph)...)
		}
	case ".js":
		for _, comment := range lineComments.FindAllString(text, -1) {
			all = append(all, ofComment(comment)...)
		}
		for _, comment := range docComments.FindAllStringSubmatch(text, -1) {
			all = append(all, ofComment(docMargin.ReplaceAllString(comment[1], "// "))...)
		}
	case ".go":
		if strings.HasPrefix(text, "// Code generated") { // from texts that the reference has in tables
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), path, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, group := range parsed.Comments {
			var lines strings.Builder
			for _, c := range group.List {
				lines.WriteString(c.Text + "\n")
			}
			all = append(all, ofComment(lines.String())...)
		}
	}
	return all
}

var (
	lineComments = regexp.MustCompile(`(?m)(^[ \t]*//.*\n?)+`)
	docComments  = regexp.MustCompile(`(?s)/\*\*(.*?)(?:\*/|\n[ \t]*\* @)`) // the text before the first tag, such as @param
	docMargin    = regexp.MustCompile(`(?m)^[ \t]*(\*[ \t]?)?`)
	listItem     = regexp.MustCompile(`^\s*([-*]|\d+\.|#+|>)\s`)
	sentenceEnd  = regexp.MustCompile("[.?!:][)\"`]?\\s+(?:[A-Z`\\[\"(]|$)")
)

// ofComment returns the sentences of a comment. What is indented in it is code or a table.
func ofComment(text string) (all []string) {
	var plain strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimPrefix(strings.TrimSpace(line), "//")
		switch {
		case strings.HasPrefix(line, "\t"), strings.HasPrefix(line, "go:"):
			plain.WriteString("\n")
		default:
			plain.WriteString(strings.TrimPrefix(line, " "))
		}
		plain.WriteString("\n")
	}
	for _, paragraph := range paragraphs(plain.String()) {
		all = append(all, sentencesOf(paragraph)...)
	}
	return all
}

// paragraphs separates a text at empty lines and list items. Tables are left out.
func paragraphs(text string) (all []string) {
	var current []string
	end := func() {
		if len(current) > 0 {
			all = append(all, strings.Join(current, " "))
		}
		current = nil
	}
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		if trimmed == "" || strings.HasPrefix(trimmed, "|") || listItem.MatchString(line) {
			end()
		}
		if trimmed != "" && !strings.HasPrefix(trimmed, "|") {
			current = append(current, trimmed)
		}
	}
	end()
	return all
}

// sentencesOf separates a paragraph at full stops and colons.
func sentencesOf(paragraph string) (all []string) {
	for paragraph != "" {
		end := len(paragraph)
		if at := sentenceEnd.FindStringIndex(paragraph); at != nil {
			end = at[0] + 1
		}
		all = append(all, strings.TrimSpace(paragraph[:end]))
		paragraph = strings.TrimSpace(paragraph[end:])
	}
	return all
}
