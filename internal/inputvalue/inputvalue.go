// Package inputvalue reads dates, times, months, weeks and positions as people write
// them, and returns the value that an HTML input takes for them.
//
// What may mean two things is refused: 03/04/2026 is in March or in April. Names of
// months are English.
package inputvalue

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// An Input is an input element, as far as its values depend on it. Min, Max and Step
// are its attributes, "" where it has none.
type Input struct {
	Type           string // date, time, datetime-local, month, week or range
	Min, Max, Step string
}

// ErrFormat says that a text is nothing that the input takes.
var ErrFormat = errors.New("the text is no such value")

// An AmbiguousError says that a text may mean several values.
type AmbiguousError struct{ Readings []string }

func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("the text may mean %s", strings.Join(e.Readings, " or "))
}

// Read returns the value that text means in the input. It returns ErrFormat or an
// [AmbiguousError].
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
