package cli

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"chela/internal/base/spelling"
	"chela/internal/op"
	"chela/internal/surface/skill"
)

// skillCommand prints the skill, a page that teaches an agent to use chela, or installs it in a folder
// where agents find it.
func (p *Program) skillCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "skill",
		Args:    asUsed,
		Short:   "Print a page that teaches an agent to use these commands (SKILL.md)",
		Example: "chela skill",
		RunE: func(*cobra.Command, []string) error {
			_, err := p.Out.Write(skill.Text)
			return err
		},
	}
	cmd.AddCommand(p.skillGetCommand(), p.skillInstallCommand())
	return cmd
}

// skillGetCommand prints the page of the skill on one topic. With it, an agent can read a page that is
// not installed as a file.
func (p *Program) skillGetCommand() *cobra.Command {
	return &cobra.Command{
		Use:               "get [topic]",
		Args:              asUsed,
		Short:             "Print the page of the skill on a topic, or list the topics",
		Example:           "chela skill get forms",
		ValidArgsFunction: completeTopics,
		RunE: func(cmd *cobra.Command, words []string) error {
			if len(words) == 0 {
				return p.listTopics(cmd)
			}
			topic, err := findTopic(words[0])
			switch {
			case err != nil:
				return err
			case wantsJSON(cmd):
				return p.printJSON(topic)
			}
			_, err = io.WriteString(p.Out, topic.Text)
			return err
		},
	}
}

// listTopics prints the name of each page, and when to read it.
func (p *Program) listTopics(cmd *cobra.Command) error {
	pages := skill.Pages()
	if wantsJSON(cmd) {
		for i := range pages {
			pages[i].Text = ""
		}
		return p.printJSON(pages)
	}
	for _, page := range pages {
		fmt.Fprintf(p.Out, "%-10s  %s\n", page.Name, page.When)
	}
	_, err := fmt.Fprintln(p.Out, "\nchela skill get <topic> prints the page.")
	return err
}

// findTopic finds a page by its name. The error names pages whose names are similar.
func findTopic(name string) (skill.Topic, error) {
	pages, names := skill.Pages(), []string{}
	for _, page := range pages {
		if page.Name == name {
			return page, nil
		}
		names = append(names, page.Name)
	}
	hint := "chela skill get lists the topics"
	if near := spelling.Nearest(name, names); len(near) > 0 {
		hint = fmt.Sprintf("did you mean %s? %s", strings.Join(near, ", "), hint)
	}
	return skill.Topic{}, op.Errorf(op.NotFound, "the skill has no topic %q", name).Hinted("%s", hint)
}

// completeTopics offers a shell the topics for the first word of a command.
var completeTopics = completeFirst(func() (topics []string) {
	for _, page := range skill.Pages() {
		topics = append(topics, page.Name+"\t"+page.When)
	}
	return topics
})

func (p *Program) skillInstallCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "install [folder]",
		Args:  asUsed,
		Short: "Put the skill where agents look for skills",
		Long: "Put the skill where agents look for skills: in ~/.agents/skills, which most programs read, and in ~/.claude/skills and\n" +
			"~/.openclaw/skills where these programs are in use. With a folder for skills, it is put there and nowhere else. The pages on topics\n" +
			"are beside it in references. After an update of chela, install it again.",
		Example: "chela skill install",
	}
	project := cmd.Flags().Bool("project", false, "for this project only: in the same folders of the working directory")
	cmd.RunE = func(_ *cobra.Command, folders []string) (err error) {
		switch {
		case len(folders) == 0:
			folders, err = skillFolders(*project)
		case *project:
			err = op.Errorf(op.Invalid, "a folder and --project exclude each other")
		}
		if err != nil {
			return err
		}
		for _, folder := range folders {
			file, err := skill.Install(folder)
			if err != nil {
				return err
			}
			fmt.Fprintln(p.Out, "installed", file)
		}
		return nil
	}
	return cmd
}

// skillFolders returns the user's folders for skills. If project is true, it returns those of the
// project in the working directory.
func skillFolders(project bool) ([]string, error) {
	base, err := os.UserHomeDir()
	if project {
		base, err = os.Getwd()
	}
	if err != nil {
		return nil, err
	}
	return skill.Folders(base), nil
}
