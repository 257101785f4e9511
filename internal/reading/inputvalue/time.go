package inputvalue

import (
	"fmt"
	"slices"
	"strings"

	"chela/internal/base/lazyregexp"
)

var (
	// All three patterns have the groups hour, minute and second, so that times reads them alike.
	// French times (14h, 14h30) have no seconds, so withH has an empty group for them. A time
	// without am or pm needs its minutes: 2 alone may be anything. Seconds may have up to three
	// digits after the point, as many as an input takes.
	of12Hours = lazyregexp.New(`^(\d{1,2})(?::(\d{2}))?(?::(\d{2}(?:\.\d{1,3})?))? ?([ap])\.?m\.?$`)
	of24Hours = lazyregexp.New(`^(\d{1,2}):(\d{2})(?::(\d{2}(?:\.\d{1,3})?))?$`)
	withH     = lazyregexp.New(`^(\d{1,2})h(\d{2})?()$`)
)

// times returns the time of day that text means. Without am or pm, the hours go from 0 to 23. With
// am or pm the hour must be 1 to 12: 14:30 pm is refused, since either part may be the mistake.
// Midnight is 12 am and noon is 12 pm. The time 24:00 is refused; it is the beginning of another
// day.
func times(text string) []string {
	switch text {
	case "noon":
		return []string{"12:00"}
	case "midnight":
		return []string{"00:00"}
	}
	if f := of12Hours().FindStringSubmatch(text); f != nil {
		hour := number(f[1])
		if hour < 1 || hour > 12 {
			return nil
		}
		hour %= 12
		if f[4] == "p" {
			hour += 12
		}
		return clock(hour, f[2], f[3])
	}
	f := of24Hours().FindStringSubmatch(text)
	if f == nil {
		f = withH().FindStringSubmatch(text)
	}
	if f == nil || number(f[1]) > 23 {
		return nil
	}
	return clock(number(f[1]), f[2], f[3])
}

// clock returns a time of day, or none if there is no such minute or second. Seconds
// are left out unless the text has some, as inputs without seconds would show them as
// an error of their step.
func clock(hour int, minute, second string) []string {
	whole, _, _ := strings.Cut(second, ".")
	if number(minute) > 59 || number(whole) > 59 {
		return nil
	}
	value := fmt.Sprintf("%02d:%02d", hour, number(minute))
	if second != "" {
		value += ":" + second
	}
	return []string{value}
}

// between matches the text between a date and a time. In ISO 8601 that is a T (2026-03-04T14:05),
// here in lower case.
var between = lazyregexp.New(`,? at |, | |t`)

// datesWithTime returns the dates with a time of day that text may mean; the date comes first or
// last. A blank or a t may also be inside a date (3 Oct 2026), so it tries each place where the
// text could be divided. It keeps those for which one side is a date and the other a time. The
// results are sorted, so that Read finds equal ones beside each other.
func datesWithTime(text string) []string {
	var all []string
	for _, gap := range between().FindAllStringIndex(text, -1) {
		before, after := text[:gap[0]], text[gap[1]:]
		all = append(all, joined(dates(before), times(after))...)
		all = append(all, joined(dates(after), times(before))...)
	}
	slices.Sort(all)
	return all
}

// joined returns each date with each time, in the form of an input of the type datetime-local. If
// one of the lists is empty, so is the result.
func joined(dates, times []string) []string {
	var all []string
	for _, date := range dates {
		for _, time := range times {
			all = append(all, date+"T"+time)
		}
	}
	return all
}
