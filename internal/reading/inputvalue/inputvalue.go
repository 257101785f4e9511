// Package inputvalue reads dates, times, months, weeks and positions as people write them, and
// returns the value that an HTML input takes for them.
//
// What may mean two things is refused: 03/04/2026 is in March or in April. Names of months are
// English.
//
// Chromium accepts only one form of a value from a script. The forms are 2026-03-04 for a date,
// 14:05 or 14:05:30.250 for a time, 2026-03-04T14:05, 2026-03 and 2026-W09. Anything else sets the
// input to "" without an error. Agents copy values as pages and people write them, so the usual
// forms are translated here. These are numbers and month names in each order, 2 pm, noon, 14h30,
// week 9 of 2026, and 40%.
//
// Some forms are refused: years of two digits (26 may be 1926), and dates without a year or
// relative to today (tomorrow). Days that a month does not have, months in other languages and
// offsets of time zones are also refused.
package inputvalue

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// An Input has the attributes of an input element that decide which values it takes. Min, Max and
// Step are "" if the element lacks the attribute. Only the type range uses them here; for dates and
// times, the element itself checks whether a value is within its bounds.
type Input struct {
	Type           string // date, time, datetime-local, month, week or range
	Min, Max, Step string
}

// ErrFormat says that a text means no value of the input. The caller reports this to the agent,
// with the formats that the input accepts.
var ErrFormat = errors.New("the text is no such value")

// An AmbiguousError says that a text may mean several values. Readings are values in
// the form of the input, so the caller can repeat the call with one of them.
type AmbiguousError struct{ Readings []string }

func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("the text may mean %s", strings.Join(e.Readings, " or "))
}

// Read returns the value that text means in the input. It returns ErrFormat or an [AmbiguousError].
// White space and upper case make no difference. Readings that are the same value count once:
// 03/03/2026 is clear. For an input of a type that has no case here, no text is accepted.
func (in Input) Read(text string) (string, error) {
	text = strings.ToLower(strings.Join(strings.Fields(text), " "))
	var values []string
	switch in.Type {
	case "date":
		values = dates(text)
	case "time":
		values = times(text)
	case "datetime-local":
		values = datesWithTime(text)
	case "month":
		values = months(text)
	case "week":
		values = weeks(text)
	case "range":
		values = in.positions(text)
	}
	switch values = slices.Compact(values); len(values) {
	case 0:
		return "", ErrFormat
	case 1:
		return values[0], nil
	}
	return "", &AmbiguousError{values}
}
