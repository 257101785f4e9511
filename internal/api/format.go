package api

import (
	"cmp"
	"fmt"
	"strings"

	"chela/internal/engine/page"
	"chela/internal/reading/inputvalue"
)

// misread says that a field refused the format of a value; where that is because it may mean
// several values, which. The first sentences are OpenClaw's.
func misread(e *page.ElementError) string {
	text := "rejected the value format. Use a value supported by this input type."
	if len(e.Options) > 0 {
		text += fmt.Sprintf(" %q may mean %s.", e.Which, strings.Join(e.Options, " or "))
	}
	return text
}

// dueFormat is the hint for a value that an input refuses: the formats that it takes. HTML's own
// format comes first. Brackets contain some of the formats that package inputvalue converts to it.
// HTML itself has no error for a wrong format: an input that a script sets to another text is empty
// then, or holds its default.
func dueFormat(in inputvalue.Input) string {
	switch in.Type {
	case "date":
		return "it takes a date: 2026-12-24 (or 24 Dec 2026, 24.12.2026, 12/24/2026)"
	case "time":
		return "it takes a time of day: 21:05 (or 9:05 pm)"
	case "datetime-local":
		return "it takes a date and a time of day, without a time zone: 2026-12-24 21:05 (or 24 Dec 2026 9:05 pm)"
	case "month":
		return "it takes a month of a year: 2026-12 (or Dec 2026)"
	case "week":
		return "it takes a week of a year: 2026-W52 (or week 52 2026)"
	case "color":
		return "it takes an opaque color: #ff0000 (or red, rgb(255, 0, 0))"
	case "range":
		// HTML's own values for a slider that has none of these attributes
		return fmt.Sprintf("it takes a number from %s to %s in steps of %s, or a share such as 50%%",
			cmp.Or(in.Min, "0"), cmp.Or(in.Max, "100"), cmp.Or(in.Step, "1"))
	}
	return "take a new snapshot to see what the page looks like now"
}
