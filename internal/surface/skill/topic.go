package skill

import (
	"embed"
	"path"
	"strings"
)

//go:embed topics/*.md
var topicFiles embed.FS

// A Topic is a page about one part of the work with a browser. It is at most one screen long, so
// that an agent reads only what it needs. SKILL.md has what every agent needs, and names the topics.
//
// The page begins with its title. The first sentence below says when to read the page.
type Topic struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	When  string `json:"when"`           // the sentence that says when to read the topic, for the list of topics
	Text  string `json:"text,omitempty"` // the whole page
}

// Core is the name under which SKILL.md is a topic.
const Core = "core"

// Pages lists SKILL.md and, by name, all topics.
func Pages() []Topic {
	_, body, _ := strings.Cut(string(Text), "\n---\n\n") // body is what follows the YAML front matter
	core := topicOf(Core, body)
	core.Text, core.When = string(Text), "Before the first command. It has what every task needs."
	return append([]Topic{core}, Topics()...)
}

// Topics lists the topics by name.
func Topics() []Topic {
	files, err := topicFiles.ReadDir("topics")
	if err != nil {
		panic(err) // cannot happen: the folder is embedded in the program
	}
	var all []Topic
	for _, file := range files {
		text, err := topicFiles.ReadFile(path.Join("topics", file.Name()))
		if err != nil {
			panic(err)
		}
		all = append(all, topicOf(strings.TrimSuffix(file.Name(), ".md"), string(text)))
	}
	return all
}

func topicOf(name, text string) Topic {
	title, rest, _ := strings.Cut(strings.TrimPrefix(text, "# "), "\n\n")
	when, _, _ := strings.Cut(rest, "\n\n")
	return Topic{Name: name, Title: title, When: strings.ReplaceAll(when, "\n", " "), Text: text}
}
