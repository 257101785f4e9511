package inputvalue

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

var (
	of12Hours = regexp.MustCompile(`^(\d{1,2})(?::(\d{2}))?(?::(\d{2}(?:\.\d{1,3})?))? ?([ap])\.?m\.?$`)
	of24Hours = regexp.MustCompile(`^(\d{1,2}):(\d{2})(?::(\d{2}(?:\.\d{1,3})?))?$`)
	withH     = regexp.MustCompile(`^(\d{1,2})h(\d{2})?()$`)
)

// times returns the time of day that text means. Without am or pm it counts 24 hours.
func times(text string) []string {
	switch text {
	case "noon":
		return []string{"12:00"}
	case "midnight":
		return []string{"00:00"}
	}
	if f := of12Hours.FindStringSubmatch(text); f != nil {
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
	f := of24Hours.FindStringSubmatch(text)
	if f == nil {
		f = withH.FindStringSubmatch(text)
	}
	if f == nil || number(f[1]) > 23 {
		return nil
	}
	return clock(number(f[1]), f[2], f[3])
}

// clock returns a time of day, or none if there is no such minute or second.
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

var between = regexp.MustCompile(`,? at |, | |t`)

// datesWithTime returns the dates with a time of day that text may mean: the date comes
// first or last.
func datesWithTime(text string) []string {
	var all []string
	for _, gap := range between.FindAllStringIndex(text, -1) {
		before, after := text[:gap[0]], text[gap[1]:]
		all = append(all, joined(dates(before), times(after))...)
		all = append(all, joined(dates(after), times(before))...)
	}
	slices.Sort(all)
	return all
}

func joined(dates, times []string) []string {
	var all []string
	for _, date := range dates {
		for _, time := range times {
			all = append(all, date+"T"+time)
		}
	}
	return all
}
