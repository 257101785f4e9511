package inputvalue

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"chela/internal/base/lazyregexp"
)

const (
	// The patterns are for text in lower case with single blanks, as Read makes it. A day may have
	// the ending of its number or a dot (3rd, 3.). The name of a month may be cut to three letters
	// or more, with or without a dot. A year always has four digits.
	dayPattern  = `(\d{1,2})(?:st|nd|rd|th)?\.?`
	namePattern = `([a-z]{3,9})\.?`
	yearPattern = `(\d{4})`
)

// The two separators of numbers must be the same: 2026-03/04 is rather a mistake than a date. Go's
// regular expressions have no back references, so calendarDays compares them.
var (
	weekday      = lazyregexp.New(`^(mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,? `)
	yearFirst    = lazyregexp.New(`^(\d{4})([-/.])(\d{1,2})([-/.])(\d{1,2})$`)
	yearLast     = lazyregexp.New(`^(\d{1,2})([-/.]) ?(\d{1,2})([-/.]) ?(\d{4})$`)
	dayMonthYear = lazyregexp.New(`^` + dayPattern + `[ -]?(?:of )?` + namePattern + `,?[ -]?` + yearPattern + `$`)
	monthDayYear = lazyregexp.New(`^` + namePattern + `[ -]?` + dayPattern + `(?:, ?| |-)` + yearPattern + `$`)
	yearMonthDay = lazyregexp.New(`^` + yearPattern + `[ -]` + namePattern + `[ -]` + dayPattern + `$`)
)

// dates returns the dates that text may mean. A day of the week must fit the date. If it does not,
// the text is refused: either the day of the week or the date is a mistake. The day of the week
// also decides between two readings: "Wed 03/04/2026" means the one that is a Wednesday. The
// results are of the form 2026-03-04.
func dates(text string) []string {
	var day string
	if found := weekday().FindStringSubmatch(text); found != nil {
		day, text = found[1], text[len(found[0]):]
	}
	var all []string
	for _, d := range calendarDays(text) {
		if day == "" || strings.HasPrefix(strings.ToLower(d.Weekday().String()), day) {
			all = append(all, d.Format(time.DateOnly))
		}
	}
	return all
}

// calendarDays returns the days that a text without the day of the week may mean. With the year
// first, the month comes second everywhere; only two numbers before the year can be read as two
// different days.
func calendarDays(text string) []time.Time {
	if f := yearFirst().FindStringSubmatch(text); f != nil && f[2] == f[4] {
		return date(f[1], f[3], f[5])
	}
	if f := yearLast().FindStringSubmatch(text); f != nil && f[2] == f[4] {
		return dayAndMonth(f[1], f[3], f[5], f[2] == ".")
	}
	if f := dayMonthYear().FindStringSubmatch(text); f != nil {
		return date(f[3], monthOf(f[2]), f[1])
	}
	if f := monthDayYear().FindStringSubmatch(text); f != nil {
		return date(f[3], monthOf(f[1]), f[2])
	}
	if f := yearMonthDay().FindStringSubmatch(text); f != nil {
		return date(f[1], monthOf(f[2]), f[3])
	}
	return nil
}

// dayAndMonth returns the dates that two numbers before a year may mean. With slashes or hyphens
// either of them is the day, in different countries. A number above 12 can only be a day, so
// 25/12/2026 has one reading, and 03/04/2026 two. With dots it is a date of central Europe, where
// nobody writes the month first, so the day comes first. But 12.25.2026 is read as 25 December,
// since it can mean nothing else.
func dayAndMonth(first, second, year string, dots bool) []time.Time {
	dayFirst := date(year, second, first)
	if dots && dayFirst != nil {
		return dayFirst
	}
	return append(dayFirst, date(year, first, second)...)
}

// date returns the date, or none if the month does not have that day. The function time.Date does
// not refuse such a day, but goes on to the next month (31 April becomes 1 May). So the result is
// compared with what was asked for. No input takes the year 0.
func date(year, month, day string) []time.Time {
	y, m, d := number(year), number(month), number(day)
	t := time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)
	if y == 0 || t.Year() != y || int(t.Month()) != m || t.Day() != d {
		return nil
	}
	return []time.Time{t}
}

// number returns the value of digits, 0 for no digits or too many. No caller takes 0
// for a valid year, month or day.
func number(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0
	}
	return n
}

// monthOf returns the number of a month by its English name or the first letters of that, or "" if
// there is no such month.
func monthOf(name string) string {
	for m := time.January; m <= time.December; m++ {
		if len(name) >= 3 && strings.HasPrefix(strings.ToLower(m.String()), name) {
			return strconv.Itoa(int(m))
		}
	}
	return ""
}

var (
	yearAndMonth = lazyregexp.New(`^(\d{4})[-/. ](\d{1,2})$`)
	monthAndYear = lazyregexp.New(`^(\d{1,2})[-/.](\d{4})$`)
	nameAndYear  = lazyregexp.New(`^` + namePattern + `,?[ -]` + yearPattern + `$`)
	yearAndName  = lazyregexp.New(`^` + yearPattern + `,?[ -]` + namePattern + `$`)
)

// months returns the months that text may mean. The order never matters, because only the
// year has four digits. The results are of the form 2026-03.
func months(text string) []string {
	if f := yearAndMonth().FindStringSubmatch(text); f != nil {
		return month(f[1], f[2])
	}
	if f := monthAndYear().FindStringSubmatch(text); f != nil {
		return month(f[2], f[1])
	}
	if f := nameAndYear().FindStringSubmatch(text); f != nil {
		return month(f[2], monthOf(f[1]))
	}
	if f := yearAndName().FindStringSubmatch(text); f != nil {
		return month(f[1], monthOf(f[2]))
	}
	return nil
}

func month(year, month string) []string {
	var all []string
	for _, first := range date(year, month, "1") {
		all = append(all, first.Format("2006-01"))
	}
	return all
}

var (
	yearAndWeek = lazyregexp.New(`^(\d{4})[- ]?w(?:eek)?[ -]?(\d{1,2})$`)
	weekAndYear = lazyregexp.New(`^(?:w(?:eek)?[ -]?)?(\d{1,2})(?:/|, ?| of | )(\d{4})$`)
)

// weeks returns the week that text means. An input of the type week takes weeks of ISO 8601, which
// begin on Monday. The first week of a year is the one with its first Thursday, so a year has 52 or
// 53. The result has the form 2026-W09.
func weeks(text string) []string {
	year, week := "", ""
	if f := yearAndWeek().FindStringSubmatch(text); f != nil {
		year, week = f[1], f[2]
	} else if f := weekAndYear().FindStringSubmatch(text); f != nil {
		year, week = f[2], f[1]
	}
	y, w := number(year), number(week)
	_, last := time.Date(y, time.December, 28, 0, 0, 0, 0, time.UTC).ISOWeek() // 28 December is always in the last week
	if y == 0 || w < 1 || w > last {
		return nil
	}
	return []string{fmt.Sprintf("%04d-W%02d", y, w)}
}
