package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"chela/internal/op"
	"chela/internal/surface/manual"
)

// docsCommand shows the documentation, which is embedded in the program.
func (p *Program) docsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "docs [page] [section]",
		Args:  cobra.ArbitraryArgs,
		Short: "Show a page of the documentation, or the list of them",
		Long: "Show a page of the documentation, or only the section below a heading; without a page, show the list of them.\n" +
			"Other words than the name of a page are looked for in the headings of all pages.",
		Example:           "chela docs policy",
		ValidArgsFunction: completeFirst(manual.Names),
		RunE: func(_ *cobra.Command, words []string) error {
			text, err := documentation(words)
			if err != nil {
				return err
			}
			_, err = io.WriteString(p.Out, p.readable(text))
			return err
		},
	}
}

// documentation returns the text for the words behind chela docs. Without words, the text is the
// list of pages. Otherwise it is the page that the first word names, or the section of that page
// that the further words name. If no page has the name, documentation lists the headings that
// contain the words.
func documentation(words []string) (string, error) {
	if len(words) == 0 {
		return manual.Contents(), nil
	}
	section := strings.Join(words[1:], " ")
	page, ok := manual.Page(words[0])
	switch {
	case ok && section == "":
		return page, nil
	case ok:
		if part, ok := manual.Section(page, section); ok {
			return part, nil
		}
		return "", op.Errorf(op.NotFound, "the page %s has no heading with %q", words[0], section).Hinted("chela docs %s shows all of it", words[0])
	}
	text := strings.Join(words, " ")
	found := manual.Find(text)
	if len(found) == 0 {
		return "", op.Errorf(op.NotFound, "no page and no heading of one is called %q", text).Hinted("chela docs lists the pages")
	}
	var all strings.Builder
	fmt.Fprintf(&all, "No page is called %s. Names and headings with that:\n\n", text)
	for _, h := range found {
		words := []string{h.Page}
		if h.Title != "" {
			words = append(words, h.Title)
		}
		fmt.Fprintf(&all, "- `chela docs %s`\n", quoted(words))
	}
	return all.String(), nil
}

// readable renders Markdown for a terminal. If the output is a file, another program, or a terminal
// without styles, it returns the Markdown unchanged.
func (p *Program) readable(markdown string) string {
	const widest = 100 // longer lines are harder to read
	terminal, ok := asTerminal(p.Out)
	if !ok || !showsStyles(terminal) {
		return markdown
	}
	width, _, err := term.GetSize(int(terminal.Fd()))
	if err != nil || width <= 0 || width > widest { // some terminals, such as that of a build server, report the width 0
		width = widest
	}
	return manual.Render(markdown, width)
}
