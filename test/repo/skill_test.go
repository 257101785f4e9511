package repo

import (
	"regexp"
	"strings"
	"testing"

	"chela/internal/api"
	"chela/internal/surface/cli"
	"chela/internal/surface/skill"
)

// What the pages of the skill may cost a model. The first is read before each task, a topic when it
// is needed.
const (
	maxCoreTokens  = 1350
	maxTopicTokens = 900
	maxTopicLines  = 60
)

func TestSkillBudget(t *testing.T) {
	t.Chdir(root)
	for _, page := range skill.Pages() {
		n, lines, most := tokens(t, page.Text), strings.Count(page.Text, "\n"), maxTopicTokens
		if page.Name == skill.Core {
			most = maxCoreTokens
		}
		if n > most || page.Name != skill.Core && lines > maxTopicLines {
			t.Errorf("%s has %d tokens and %d lines, want at most %d and, of a topic, %d lines", page.Name, n, lines, most, maxTopicLines)
		}
		t.Logf("%s: %d tokens, %d lines", page.Name, n, lines)
	}
}

// An agent learns of the topics by the first page.
func TestSkillNamesItsTopics(t *testing.T) {
	t.Chdir(root)
	_, list, found := strings.Cut(string(skill.Text), "topics are ")
	list, _, ended := strings.Cut(list, ".")
	if !found || !ended {
		t.Fatal("SKILL.md does not list the topics")
	}
	listed := map[string]bool{}
	for _, name := range regexp.MustCompile("`([a-z]+)`").FindAllStringSubmatch(list, -1) {
		listed[name[1]] = true
	}
	for _, topic := range skill.Topics() {
		if !listed[topic.Name] {
			t.Errorf("SKILL.md does not name the topic %s", topic.Name)
		}
		delete(listed, topic.Name)
	}
	if len(listed) > 0 {
		t.Errorf("SKILL.md names topics that do not exist: %v", listed)
	}
}

// skillCommand is a command in a page of the skill: in backticks, or on a line of its own.
var skillCommand = regexp.MustCompile("(?m)(?:^|`|then: )chela (?:--session [a-z]+ )?([a-z-]+(?: [a-z]+)?)")

// Each command that a page of the skill names exists, and each page names some.
func TestSkillNamesCommands(t *testing.T) {
	t.Chdir(root)
	for _, page := range skill.Pages() {
		named := 0
		for _, match := range skillCommand.FindAllStringSubmatch(page.Text, -1) {
			named++
			if words := strings.Fields(match[1]); words[0] != "help" && !cli.Names(api.Table(), words...) {
				t.Errorf("%s names chela %s, which does not exist", page.Name, match[1])
			}
		}
		if named == 0 {
			t.Errorf("%s names no command", page.Name)
		}
	}
}

var (
	quotedErrors = regexp.MustCompile("(?m)^- (`.*?`): ")             // an item about errors: "- `is gone`: take a snapshot"
	quoted       = regexp.MustCompile("`([^`]+)`")                    // each of them
	variable     = regexp.MustCompile(`\.\.\.|[0-9]+|"[^"]*"|[\[\]]`) // what differs in each message
)

// The messages that a topic explains are messages of the program.
func TestSkillExplainsRealErrors(t *testing.T) {
	t.Chdir(root)
	var messages strings.Builder
	for place, text := range writtenTexts(t) {
		if strings.Contains(place, ".go:") {
			messages.WriteString(text + "\n")
		}
	}
	explained := 0
	for _, topic := range skill.Topics() {
		for _, item := range quotedErrors.FindAllStringSubmatch(topic.Text, -1) {
			for _, message := range quoted.FindAllStringSubmatch(item[1], -1) {
				explained++
				for _, part := range variable.Split(message[1], -1) {
					if part = strings.Trim(part, " ;:"); !strings.Contains(messages.String(), part) {
						t.Errorf("%s explains %q, which no message has", topic.Name, part)
					}
				}
			}
		}
	}
	if explained < 30 {
		t.Errorf("only %d messages were found", explained)
	}
}
