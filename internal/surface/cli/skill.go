package cli

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"chela/internal/op"
	"chela/internal/surface/skill"
)

// skillCommand prints the skill for agents, or installs it in a folder where agents find it.
func (p *Program) skillCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "skill",
		Args:    cobra.NoArgs,
		Short:   "Print a page that teaches an agent to use these commands (SKILL.md)",
		Example: "chela skill",
		RunE: func(*cobra.Command, []string) error {
			_, err := p.Out.Write(skill.Text)
			return err
		},
	}
	cmd.AddCommand(p.skillInstallCommand())
	return cmd
}

func (p *Program) skillInstallCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "install [folder]",
		Args:  cobra.MaximumNArgs(1),
		Short: "Put the skill where agents look for skills",
		Long: "Put the skill where agents look for skills: in ~/.agents/skills, which most programs read, and in ~/.claude/skills and\n" +
			"~/.openclaw/skills where these programs are in use. With a folder for skills, it is put there and nowhere else. After an update of\n" +
			"chela, install it again.",
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
