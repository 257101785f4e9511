package inputvalue

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const (
	dayPattern  = `(\d{1,2})(?:st|nd|rd|th)?\.?`
	namePattern = `([a-z]{3,9})\.?`
	yearPattern = `(\d{4})`
)

var (
	weekday      = regexp.MustCompile(`^(mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,? `)
	yearFirst    = regexp.MustCompile(`^(\d{4})([-/.])(\d{1,2})([-/.])(\d{1,2})$`)
	yearLast     = regexp.MustCompile(`^(\d{1,2})([-/.]) ?(\d{1,2})([-/.]) ?(\d{4})$`)
	dayMonthYear = regexp.MustCompile(`^` + dayPattern + `[ -]?(?:of )?` + namePattern + `,?[ -]?` + yearPattern + `$`)
	monthDayYear = regexp.MustCompile(`^` + namePattern + `[ -]?` + dayPattern + `(?:, ?| |-)` + yearPattern + `$`)
	yearMonthDay = regexp.MustCompile(`^` + yearPattern + `[ -]` + namePattern + `[ -]` + dayPattern + `$`)
)

// dates returns the dates that text may mean. A day of the week must be that of the date.
func dates(text string) []string {
	var day string
	if found := weekday.FindStringSubmatch(text); found != nil {
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

func calendarDays(text string) []time.Time {
	if f := yearFirst.FindStringSubmatch(text); f != nil && f[2] == f[4] {
		return date(f[1], f[3], f[5])
	}
	if f := yearLast.FindStringSubmatch(text); f != nil && f[2] == f[4] {
		return dayAndMonth(f[1], f[3], f[5], f[2] == ".")
	}
	if f := dayMonthYear.FindStringSubmatch(text); f != nil {
		return date(f[3], monthOf(f[2]), f[1])
	}
	if f := monthDayYear.FindStringSubmatch(text); f != nil {
		return date(f[3], monthOf(f[1]), f[2])
	}
	if f := yearMonthDay.FindStringSubmatch(text); f != nil {
		return date(f[1], monthOf(f[2]), f[3])
	}
	return nil
}

// dayAndMonth returns the dates that two numbers before a year may mean: with slashes or
// hyphens either of them is the day, in different countries. Where dots are written, the
// day comes first.
func dayAndMonth(first, second, year string, dots bool) []time.Time {
	dayFirst := date(year, second, first)
	if dots && dayFirst != nil {
		return dayFirst
	}
	return append(dayFirst, date(year, first, second)...)
}

// date returns the date, or none if the month does not have that day.
func date(year, month, day string) []time.Time {
	y, m, d := number(year), number(month), number(day)
	t := time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)
	if y == 0 || t.Year() != y || int(t.Month()) != m || t.Day() != d {
		return nil
	}
	return []time.Time{t}
}

func number(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0
	}
	return n
}

// monthOf returns the number of a month by its English name or the first letters of that, "" if it is none.
func monthOf(name string) string {
	for m := time.January; m <= time.December; m++ {
		if len(name) >= 3 && strings.HasPrefix(strings.ToLower(m.String()), name) {
			return strconv.Itoa(int(m))
		}
	}
	return ""
}

var (
	yearAndMonth = regexp.MustCompile(`^(\d{4})[-/. ](\d{1,2})$`)
	monthAndYear = regexp.MustCompile(`^(\d{1,2})[-/.](\d{4})$`)
	nameAndYear  = regexp.MustCompile(`^` + namePattern + `,?[ -]` + yearPattern + `$`)
	yearAndName  = regexp.MustCompile(`^` + yearPattern + `,?[ -]` + namePattern + `$`)
)

// months returns the months that text may mean.
func months(text string) []string {
	if f := yearAndMonth.FindStringSubmatch(text); f != nil {
		return month(f[1], f[2])
	}
	if f := monthAndYear.FindStringSubmatch(text); f != nil {
		return month(f[2], f[1])
	}
	if f := nameAndYear.FindStringSubmatch(text); f != nil {
		return month(f[2], monthOf(f[1]))
	}
	if f := yearAndName.FindStringSubmatch(text); f != nil {
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
	yearAndWeek = regexp.MustCompile(`^(\d{4})[- ]?w(?:eek)?[ -]?(\d{1,2})$`)
	weekAndYear = regexp.MustCompile(`^(?:w(?:eek)?[ -]?)?(\d{1,2})(?:/|, ?| of | )(\d{4})$`)
)

// weeks returns the week that text means.
func weeks(text string) []string {
	year, week := "", ""
	if f := yearAndWeek.FindStringSubmatch(text); f != nil {
		year, week = f[1], f[2]
	} else if f := weekAndYear.FindStringSubmatch(text); f != nil {
		year, week = f[2], f[1]
	}
	y, w := number(year), number(week)
	_, last := time.Date(y, time.December, 28, 0, 0, 0, 0, time.UTC).ISOWeek() // 28 December is always in the last week
	if y == 0 || w < 1 || w > last {
		return nil
	}
	return []string{fmt.Sprintf("%04d-W%02d", y, w)}
}
