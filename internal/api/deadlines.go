package api

import (
	"time"

	"chela/internal/op"
)

// Units in which the rows write their deadlines. The names are short because each row has up to
// three deadlines.
const (
	ms = time.Millisecond
	s  = time.Second
)

// The limits of most acts: the deadline by default, and the shortest and longest that a caller can
// ask for.
var (
	brief  = op.Limit(8*s, 500*ms, 60*s)
	longer = op.Limit(20*s, 500*ms, 120*s)
)

// timeOf returns the time that a caller asks for in milliseconds, but not more than most. The number
// may be too large for a [time.Duration].
func timeOf(milliseconds int, most time.Duration) time.Duration {
	return time.Duration(min(int64(milliseconds), most.Milliseconds())) * time.Millisecond
}
