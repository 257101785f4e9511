package inputvalue

import (
	"math"
	"strconv"
	"strings"

	"chela/internal/base/lazyregexp"
)

// decimal matches a plain decimal number. The function strconv.ParseFloat would also accept inf,
// nan, hexadecimal numbers and exponents, which nobody writes for a position.
var decimal = lazyregexp.New(`^[+-]?(?:\d+\.?\d*|\.\d+)$`)

// positions returns the value of a range input that text means. The text is a number, or a
// percentage of the way from the lowest value to the highest. A percentage gives the nearest step.
// Chromium moves a value that is out of range or between two steps to the nearest one, without an
// error. If the caller gave a number, it is returned as it is, so that the caller learns of the
// difference. The result is rounded to nine decimals, which removes the errors of binary fractions:
// 0.1 times 3 is 0.3.
func (in Input) positions(text string) []string {
	share, percent := strings.CutSuffix(text, "%")
	share = strings.TrimSpace(share)
	if !decimal().MatchString(share) {
		return nil
	}
	value, err := strconv.ParseFloat(share, 64)
	if err != nil || percent && (value < 0 || value > 100) {
		return nil
	}
	if percent {
		value = in.at(value / 100)
	}
	return []string{strconv.FormatFloat(math.Round(value*1e9)/1e9, 'f', -1, 64)}
}

// at returns the value at a share of the range. Steps count from the lowest value, as in HTML. So a
// range from 1 to 10 by 2 has the positions 1, 3, 5, 7 and 9. There 100% is 9, the last step that
// is not above the highest value. Without attributes, HTML's defaults hold: from 0 to 100 by 1. The
// 1e-9 allows for the errors of binary fractions.
func (in Input) at(share float64) float64 {
	low, high, step := or(in.Min, 0), or(in.Max, 100), or(in.Step, 1)
	value := low + (high-low)*share
	if strings.EqualFold(in.Step, "any") {
		return value
	}
	if step <= 0 {
		step = 1
	}
	steps := math.Round((value - low) / step)
	if low+steps*step > high+1e-9 {
		steps--
	}
	return low + steps*step
}

// or returns the number in an attribute, or the default. Like HTML, it ignores an attribute that is
// not a number.
func or(attribute string, otherwise float64) float64 {
	if value, err := strconv.ParseFloat(attribute, 64); err == nil {
		return value
	}
	return otherwise
}
