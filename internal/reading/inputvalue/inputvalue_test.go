package inputvalue

import (
	"errors"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	const none = "none"
	for kind, cases := range map[string]map[string]string{
		"date": {
			"2026-12-24": "2026-12-24", "2026/12/24": "2026-12-24", "2026.12.24": "2026-12-24", "2026-1-2": "2026-01-02",
			"24 Dec 2026": "2026-12-24", "24. December 2026": "2026-12-24", "24th of December 2026": "2026-12-24", "24-Dec-2026": "2026-12-24",
			"Dec 24, 2026": "2026-12-24", "december 24th 2026": "2026-12-24", "Sept. 1, 2026": "2026-09-01", "2026 Dec 24": "2026-12-24",
			"Thu, 24 Dec 2026": "2026-12-24", "Thursday 24 December 2026": "2026-12-24", "Friday, 24 Dec 2026": none,
			"24.12.2026": "2026-12-24", "3.4.2026": "2026-04-03", "24. 12. 2026": "2026-12-24",
			"12/24/2026": "2026-12-24", "24/12/2026": "2026-12-24", "24-12-2026": "2026-12-24", "5/5/2026": "2026-05-05",
			"03/04/2026": "2026-04-03 or 2026-03-04", "3-4-2026": "2026-04-03 or 2026-03-04",
			"30 Feb 2026": none, "29.2.2026": none, "29 Feb 2028": "2028-02-29", "24 Dec": none, "12/24/26": none, "24.12-2026": none,
			"tomorrow": none, "2026-12-24T10:00": none, "24 Dez 2026": none, "December 2026": none, "": none, "1 May 0000": none,
		},
		"time": {
			"21:05": "21:05", "9:05 pm": "21:05", "9:05pm": "21:05", "9:05 P.M.": "21:05", "9:05\u202fPM": "21:05", "9 pm": "21:00", "9:05": "09:05",
			"12 am": "00:00", "12:30 am": "00:30", "12 pm": "12:00", "noon": "12:00", "midnight": "00:00", "21:05:30": "21:05:30",
			"9:05:30.5 pm": "21:05:30.5", "21h05": "21:05", "7h": "07:00",
			"13 pm": none, "0:05 am": none, "24:00": none, "21:60": none, "21.05": none, "2105": none, "9": none, "21:05Z": none,
		},
		"datetime-local": {
			"2026-12-24T21:05": "2026-12-24T21:05", "2026-12-24 9:05 pm": "2026-12-24T21:05", "24 Dec 2026, 21:05": "2026-12-24T21:05",
			"Dec 24, 2026 at 9 pm": "2026-12-24T21:00", "21:05 24.12.2026": "2026-12-24T21:05", "Thu 24 Oct 2024 21:05": "2024-10-24T21:05",
			"03/04/2026 21:05": "2026-03-04T21:05 or 2026-04-03T21:05", "2026-12-24": none, "21:05": none, "2026-12-24T21:05Z": none, "2026-12-24T21:05+01:00": none,
		},
		"month": {
			"2026-12": "2026-12", "Dec 2026": "2026-12", "December, 2026": "2026-12", "12/2026": "2026-12", "12.2026": "2026-12", "2026/12": "2026-12",
			"2026 December": "2026-12", "13/2026": none, "Dec": none, "12/26": none, "24 Dec 2026": none, "Decade 2026": none,
		},
		"week": {
			"2026-W52": "2026-W52", "2026W5": "2026-W05", "week 52 2026": "2026-W52", "Week 52, 2026": "2026-W52", "week 52 of 2026": "2026-W52",
			"W5 2026": "2026-W05", "52/2026": "2026-W52", "2026 week 5": "2026-W05", "2026-W53": "2026-W53", "2027-W53": none, "week 0 2026": none, "week 52": none, "2026-12": none,
		},
	} {
		for text, want := range cases {
			if got := read(Input{Type: kind}, text); got != want {
				t.Errorf("%s %q: got %s, want %s", kind, text, got, want)
			}
		}
	}
	for _, s := range []struct {
		min, max, step, text, want string
	}{
		{"", "", "", "50%", "50"}, {"", "", "", "7", "7"}, {"", "", "", "+7.0", "7"}, {"10", "20", "", "50 %", "15"}, {"0", "10", "4", "100%", "8"}, {"0", "1", "0.1", "30%", "0.3"},
		{"0", "1", "any", "33.3%", "0.333"}, {"-5", "5", "", "0%", "-5"}, {"", "", "", "120%", none}, {"", "", "", "half", none}, {"", "", "", "1e3", none}, {"", "", "", "", none},
	} {
		if got := read(Input{"range", s.min, s.max, s.step}, s.text); got != s.want {
			t.Errorf("range %s–%s by %s, %q: got %s, want %s", s.min, s.max, s.step, s.text, got, s.want)
		}
	}
}

func read(in Input, text string) string {
	value, err := in.Read(text)
	if ambiguous, ok := errors.AsType[*AmbiguousError](err); ok {
		return strings.Join(ambiguous.Readings, " or ")
	}
	if err != nil {
		return "none"
	}
	return value
}
