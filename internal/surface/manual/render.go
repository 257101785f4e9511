package manual

import (
	"slices"
	"strings"
	"unicode/utf8"

	"chela/internal/base/lazyregexp"
)

// A style is an escape sequence (ECMA-48) that changes how a terminal shows the text after it. The
// sequence plain ends every style.
type style string

const (
	plain   style = "\x1b[0m"
	strong  style = "\x1b[1m"
	code    style = "\x1b[36m"
	heading style = "\x1b[1;4m"
)

// Render returns Markdown as text for a terminal that is width characters wide. It knows the parts of
// Markdown that chela's pages use: headings, paragraphs, lists, tables, examples, code, links and
// strong words.
func Render(markdown string, width int) string {
	var out strings.Builder
	for _, b := range blocks(markdown) {
		for _, line := range b.lines(width) {
			out.WriteString(line + "\n")
		}
	}
	return out.String()
}

// A block is a part of a page whose lines belong together.
type block struct {
	kind blockKind
	text []string // the block's lines in Markdown; an example's lines with ``` are left out
}

type blockKind int

const (
	paragraph blockKind = iota
	empty
	title
	item
	table
	example
)

// blocks divides a page into blocks.
func blocks(markdown string) (all []block) {
	fenced := false
	for line := range strings.Lines(markdown) {
		line = strings.TrimRight(line, "\n")
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
			continue
		}
		kind := kindOf(line)
		if fenced {
			kind = example
		}
		last := len(all) - 1
		switch {
		case strings.HasPrefix(line, "<!--"):
		case last >= 0 && continues(all[last].kind, kind, line):
			all[last].text = append(all[last].text, line)
		default:
			all = append(all, block{kind, []string{line}})
		}
	}
	return all
}

// kindOf returns the kind of block that a line would begin.
func kindOf(line string) blockKind {
	trimmed := strings.TrimSpace(line)
	switch {
	case trimmed == "":
		return empty
	case levelOf(line) > 0:
		return title
	case strings.HasPrefix(trimmed, "|"):
		return table
	case itemMark().MatchString(line):
		return item
	case strings.HasPrefix(line, "    "):
		return example
	}
	return paragraph
}

// itemMark matches the beginning of a list item.
var itemMark = lazyregexp.New(`^\s*([-*]|\d+\.) `)

// continues reports whether a line belongs to the block before it. The parameter before is the kind
// of that block, and kind is the kind of the line.
func continues(before, kind blockKind, line string) bool {
	switch before {
	case paragraph, table, example:
		return kind == before
	case item: // its later lines are indented
		return kind == paragraph || kind == example && strings.HasPrefix(line, "  ")
	}
	return false
}

// lines returns the lines of a block for a terminal.
func (b block) lines(width int) []string {
	switch b.kind {
	case empty:
		return []string{""}
	case example:
		return b.text
	case table:
		return tableLines(b.text, width)
	case title:
		return wrap(styled(titleOf(b.text[0]), heading), width)
	case item:
		mark := itemMark().FindString(b.text[0])
		rest := strings.TrimPrefix(b.text[0], mark) + " " + strings.Join(b.text[1:], " ")
		return hang(mark, wrap(words(rest), width-len(mark)))
	}
	return wrap(words(strings.Join(b.text, " ")), width)
}

// hang puts a mark in front of the first line, and indents the other lines by its width.
func hang(mark string, lines []string) []string {
	for i := range lines {
		lines[i] = mark + lines[i]
		mark = strings.Repeat(" ", len(mark))
	}
	return lines
}

// A word is a piece of text that is never broken across lines.
type word struct {
	text  string
	style style // "" for none
	glued bool  // there is no space between it and the word before it
}

// inline matches the Markdown within a line: code, strong words and links.
var inline = lazyregexp.New("`([^`]+)`" + `|\*\*([^*]+)\*\*|\[([^\]]+)\]\(([^)]+)\)`)

// words divides a text in Markdown into words.
func words(text string) (all []word) {
	text = strings.ReplaceAll(text, `\|`, "|")
	for {
		at := inline().FindStringSubmatchIndex(text)
		if at == nil {
			return appendWords(all, text, "")
		}
		part := func(n int) string {
			if at[2*n] < 0 {
				return ""
			}
			return text[at[2*n]:at[2*n+1]]
		}
		all = appendWords(all, text[:at[0]], "")
		glued := at[0] > 0 && text[at[0]-1] != ' '
		inner, as := part(1), code
		switch {
		case part(2) != "":
			inner, as = part(2), strong
		case part(3) != "":
			inner, as = linkText(part(3), part(4)), strong
		}
		before := len(all)
		all = appendWords(all, inner, as)
		if glued && before > 0 {
			all[before].glued = true
		}
		text = text[at[1]:]
	}
}

// linkText returns the text for a link. A link to a page of the documentation is shown with the command
// that prints the page. Any other link is shown with its address.
func linkText(text, to string) string {
	text = strings.Trim(text, "`")
	page, _, _ := strings.Cut(to, "#")
	name, isPage := strings.CutSuffix(page, ".md")
	switch {
	case strings.Contains(to, "://"):
		return text + " (" + to + ")"
	case isPage && !strings.Contains(name, "/") && text == page:
		return name
	case isPage && !strings.Contains(name, "/"):
		return text + " (chela docs " + name + ")"
	}
	return text
}

// appendWords splits a text that has one style into words, and appends them to all. The first word
// of a plain text is glued to the word before it if the text does not begin with a space.
func appendWords(all []word, text string, as style) []word {
	glued := len(all) > 0 && text != "" && text[0] != ' '
	for i, w := range strings.Fields(text) {
		all = append(all, word{w, as, glued && i == 0 && as == ""})
	}
	return all
}

func styled(text string, as style) []word { return appendWords(nil, text, as) }

// wrap puts words into lines that are at most width characters long. A longer word gets a line of its
// own.
func wrap(all []word, width int) (lines []string) {
	var line strings.Builder
	length := 0
	for i := 0; i < len(all); {
		n := 1 // words that stay together
		for i+n < len(all) && all[i+n].glued {
			n++
		}
		size := 0
		for _, w := range all[i : i+n] {
			size += utf8.RuneCountInString(w.text)
		}
		if length > 0 && length+1+size > width {
			lines = append(lines, line.String())
			line.Reset()
			length = 0
		}
		if length > 0 {
			line.WriteByte(' ')
			length++
		}
		for _, w := range all[i : i+n] {
			w.write(&line)
		}
		length += size
		i += n
	}
	return append(lines, line.String())
}

func (w word) write(out *strings.Builder) {
	if w.style == "" {
		out.WriteString(w.text)
		return
	}
	out.WriteString(string(w.style) + w.text + string(plain))
}

// tableLines returns the lines of a table. If the table is too wide, shrink makes its widest columns
// narrower, and their cells are wrapped.
func tableLines(rows []string, width int) (lines []string) {
	var cells [][][]word
	var widths []int
	for i, row := range rows {
		if i == 1 { // the line of dashes between the titles and the rows
			continue
		}
		var columns [][]word
		for n, cell := range cellsOf(row) {
			columns = append(columns, words(cell))
			if n == len(widths) {
				widths = append(widths, 0)
			}
			widths[n] = max(widths[n], lengthOf(columns[n]))
		}
		cells = append(cells, columns)
	}
	shrink(widths, width)
	for _, row := range cells {
		lines = append(lines, rowLines(row, widths)...)
	}
	if isBlank(rows[0]) {
		return lines[1:]
	}
	return lines
}

const columnGap = 2

// shrink makes columns narrower until a row fits into width. It always takes from the widest column,
// and makes none narrower than minColumn.
func shrink(widths []int, width int) {
	const minColumn = 12
	total := columnGap * (len(widths) - 1)
	for _, w := range widths {
		total += w
	}
	for ; total > width; total-- {
		widest := slices.Index(widths, slices.Max(widths))
		if widths[widest] <= minColumn {
			return
		}
		widths[widest]--
	}
}

// rowLines returns the lines of one row of a table. A row has as many lines as its highest cell.
func rowLines(row [][]word, widths []int) (lines []string) {
	indent := 0
	for n, cell := range row {
		for i, text := range wrap(cell, widths[n]) {
			if i == len(lines) {
				lines = append(lines, "")
			}
			space := max(indent-visible(lines[i]), min(n, 1)) // a long word can reach into the next column
			lines[i] += strings.Repeat(" ", space) + text
		}
		indent += widths[n] + columnGap
	}
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return lines
}

// cellsOf divides a row of a table at its bars. A bar that belongs to a cell is written \|.
func cellsOf(row string) (cells []string) {
	row = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(row), "|"), "|")
	for cell := range strings.SplitSeq(strings.ReplaceAll(row, `\|`, "\x00"), "|") {
		cells = append(cells, strings.TrimSpace(strings.ReplaceAll(cell, "\x00", "|")))
	}
	return cells
}

func isBlank(row string) bool { return strings.Trim(row, "| ") == "" }

// lengthOf returns how many characters words take on one line.
func lengthOf(all []word) (n int) {
	for i, w := range all {
		if i > 0 && !w.glued {
			n++
		}
		n += utf8.RuneCountInString(w.text)
	}
	return n
}

var escapes = lazyregexp.New("\x1b\\[[0-9;]*m")

// visible returns how many characters of a line a terminal shows.
func visible(line string) int {
	return utf8.RuneCountInString(escapes().ReplaceAllString(line, ""))
}
