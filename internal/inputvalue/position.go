package inputvalue

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

var decimal = regexp.MustCompile(`^[+-]?(?:\d+\.?\d*|\.\d+)$`)

// positions returns the value of a range input that text means: a number, or a share
// of the way from its lowest value to its highest, at the nearest step. A number
// that the input would move is returned as it is, for the input to be seen to do so.
func (in Input) positions(text string) []string {
	share, percent := strings.CutSuffix(text, "%")
	share = strings.TrimSpace(share)
	if !decimal.MatchString(share) {
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

// at returns the value at a share of the range.
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

func or(attribute string, otherwise float64) float64 {
	if value, err := strconv.ParseFloat(attribute, 64); err == nil {
		return value
	}
	return otherwise
}
