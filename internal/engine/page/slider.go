package page

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"chela/internal/reading/inputvalue"
	"chela/internal/reading/pagejs"
)

// maxSlides limits how often the position of a slider is read while it is moved. A slider that
// follows the keys needs a few readings.
const maxSlides = 40

// manyPresses is the number of arrow key presses above which the key for larger steps is tried.
const manyPresses = 10

// A sliderState is the position of a slider and its limits, or says what the element lacks.
type sliderState struct {
	report
	Says          string // value of aria-valuenow
	Now, Min, Max float64
}

// A slide is the movement of a slider that is not an input element, with the keys of ARIA's slider
// pattern. No attribute says how far a key moves the slider, so each key is tried once.
type slide struct {
	sliderState
	to    float64
	moves map[string]float64 // by how much a press of each tried key moves the slider; 0: not at all
}

// moveSlider moves the slider to the position that text names: a number, or a percentage. It
// returns the same results as Type.
func (e *Element) moveSlider(ctx context.Context, text string) (*string, error) {
	share, isShare := strings.CutSuffix(strings.TrimSpace(text), "%")
	to, err := strconv.ParseFloat(strings.TrimSpace(share), 64)
	if err != nil {
		return nil, err // cannot happen: the page script has checked that the text is a number
	}
	s := slide{to: to, moves: map[string]float64{}}
	if err := e.readSlider(ctx, &s, ""); err != nil {
		return nil, err
	}
	if isShare {
		s.to = s.Min + to/100*(s.Max-s.Min)
	}
	if s.to < s.Min || s.to > s.Max {
		return nil, e.failure(s.rangeReport(text))
	}
	for range maxSlides {
		key, times := s.next()
		if times == 0 {
			break
		}
		if err := e.pressSliderKey(ctx, &s, key, times); err != nil {
			return nil, withSentIfBusy(err)
		}
	}
	switch {
	case s.near(s.to-s.Now, 0):
		return nil, nil
	case s.step() == 0:
		return nil, e.failure(report{Missing: Refused})
	}
	return nil, fmt.Errorf("%w: %w", ErrSent, e.failure(s.rangeReport(text)))
}

// readSlider reads the position of the slider, and focuses it. The parameter before is the position
// (aria-valuenow) when keys were pressed, or "" if none were. readSlider waits until the slider has
// left that position.
func (e *Element) readSlider(ctx context.Context, s *slide, before string) error {
	at, err := ask[sliderState](ctx, e, "sliderAt", before, ScriptDeadline(ctx))
	if err == nil && at.Missing != "" {
		err = e.failure(at.report)
	}
	s.sliderState = at
	return err
}

// pressSliderKey presses a key the given number of times, and records how far one press moves the
// slider.
func (e *Element) pressSliderKey(ctx context.Context, s *slide, name string, times int) error {
	before := s.sliderState
	for range times {
		if err := e.page.pressChord(ctx, key(name), 0); err != nil {
			return err
		}
	}
	if err := e.readSlider(ctx, s, before.Says); err != nil {
		return err
	}
	if _, tried := s.moves[name]; !tried || s.Now == before.Now {
		s.moves[name] = s.Now - before.Now
	}
	return nil
}

// next returns which key to press, and how often. The result times is 0 if the slider is where it
// should be, or no key leads there.
func (s *slide) next() (key string, times int) {
	away := s.to - s.Now
	if s.near(away, 0) {
		return "", 0
	}
	for end, key := range map[float64]string{s.Min: "Home", s.Max: "End"} {
		if _, tried := s.moves[key]; s.near(s.to, end) && !tried {
			return key, 1
		}
	}
	arrows, page := []string{"ArrowRight", "ArrowLeft"}, "PageUp"
	if away < 0 {
		arrows, page = []string{"ArrowLeft", "ArrowRight"}, "PageDown"
	}
	for _, name := range append(arrows, page) {
		if n := s.presses(s.moves[name], away); n > 0 && (times == 0 || n < times) {
			key, times = name, n
		}
	}
	if _, tried := s.moves[page]; times > manyPresses && !tried {
		return page, 1
	}
	for _, name := range arrows {
		if _, tried := s.moves[name]; times == 0 && !tried {
			return name, 1
		}
	}
	return key, times
}

// presses returns how often to press a key so that the slider comes as close as possible to a
// position, without passing it. The parameter away is the distance to that position, and move is
// how far each press moves the slider. The result is 0 if the key moves the slider in the other
// direction.
func (s *slide) presses(move, away float64) int {
	if move == 0 || math.Signbit(move) != math.Signbit(away) {
		return 0
	}
	n := math.Floor(away / move)
	if s.near((n+1)*move, away) {
		n++
	}
	return int(n)
}

// near reports whether two positions are the same, except for rounding.
func (s *slide) near(a, b float64) bool { return math.Abs(a-b) <= 1e-6*math.Max(1e-3, s.Max-s.Min) }

// step returns how far an arrow key moves the slider; 0 if none does.
func (s *slide) step() float64 {
	return max(math.Abs(s.moves["ArrowRight"]), math.Abs(s.moves["ArrowLeft"]))
}

// rangeReport returns a report that says which positions the slider takes.
func (s *slide) rangeReport(text string) report {
	number := func(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
	in := inputvalue.Input{Type: "range", Min: number(s.Min), Max: number(s.Max)}
	if step := s.step(); step > 0 {
		in.Step = number(step)
	}
	return report{Missing: pagejs.Format, Which: text, Input: in}
}
