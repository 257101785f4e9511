package page

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"chela/internal/base/lazyregexp"
	"chela/internal/engine/frame"
	"chela/internal/reading/inputvalue"
	"chela/internal/reading/pagejs"
)

// maxSlides limits how often the position of a slider is read while it is moved. A slider that
// follows the keys needs a few readings.
const maxSlides = 40

// manyPresses is the number of arrow key presses above which the key for larger steps is tried.
const manyPresses = 10

// maxPresses is the number of arrow key presses above which the slider is dragged first. Each press
// takes some milliseconds.
const maxPresses = 300

// maxSliderDrags limits how often a slider is dragged towards a position. The first drag mostly
// reaches it, unless the page still moved the thumb when its place was read.
const maxSliderDrags = 4

// A sliderState is the position of a slider and its limits, or says what the element lacks.
type sliderState struct {
	report
	Says          string // value of aria-valuenow
	Shows         string // value of aria-valuetext: the position in words, or ""
	Now, Min, Max float64
	Keys          []string // the keys that move the slider to a greater and to a smaller position
	Middle        Point    // middle of the element in the viewport
}

// A slide is the movement of a slider that is not an input element, with the keys of ARIA's slider
// pattern. No attribute says how far a key moves the slider, so each key is tried once.
type slide struct {
	sliderState
	to      float64
	began   sliderState        // the state before any key
	moves   map[string]float64 // by how much a press of each tried key moves the slider; 0: not at all
	perUnit Point              // by how many pixels the element moves when the position grows by 1
	pressed bool               // keys were pressed
}

// moveSlider moves the slider to the position that text names: a number, a percentage, or the words
// that the slider shows there. It presses keys. If these move the slider in steps that pass the
// position, it drags the slider. It returns the same results as Type. If the slider is only within a
// pixel of the position, or shows it in words without the number, these are holds. An error after a key
// wraps ErrSent.
func (e *Element) moveSlider(ctx context.Context, text string) (holds *string, err error) {
	share, isShare := strings.CutSuffix(strings.TrimSpace(text), "%")
	to, notNumber := strconv.ParseFloat(strings.TrimSpace(share), 64)
	s := slide{to: to, moves: map[string]float64{}}
	defer func() {
		if err != nil && s.pressed {
			err = withSent(err)
		}
	}()
	if err := e.readSlider(ctx, &s, ""); err != nil {
		return nil, err
	}
	s.began = s.sliderState
	if notNumber != nil || math.IsInf(to, 0) || math.IsNaN(to) { // ParseFloat reads such words
		return nil, e.moveSliderToWords(ctx, &s, text)
	}
	if isShare {
		s.to = s.Min + to/100*(s.Max-s.Min)
	}
	if s.to < s.Min || s.to > s.Max {
		return nil, e.failure(s.rangeReport(text))
	}
	if err := e.pressSliderKeys(ctx, &s); err != nil {
		return nil, err
	}
	if err := e.dragSlider(ctx, &s); err != nil {
		return nil, err
	}
	switch {
	case s.near(s.to-s.Now, 0):
		return s.otherWords(), nil
	case s.isWithinPixel():
		return cmp.Or(s.otherWords(), &s.Says), nil
	case s.step() == 0:
		return nil, e.failure(report{Missing: Refused, Holds: s.moved()})
	}
	return nil, e.failure(s.rangeReport(text))
}

// moved returns the position of the slider if keys have changed it, else "".
func (s *slide) moved() string {
	if s.Says == s.began.Says {
		return ""
	}
	return s.Says
}

// otherWords returns what the slider shows, if that does not contain the number of its position.
func (s *slide) otherWords() *string {
	for _, number := range shownNumber().FindAllString(strings.ReplaceAll(s.Shows, ",", ""), -1) {
		if n, err := strconv.ParseFloat(number, 64); err == nil && n == math.Abs(s.Now) {
			return nil
		}
	}
	if s.Shows == "" {
		return nil
	}
	return &s.Shows
}

var shownNumber = lazyregexp.New(`\d+(\.\d+)?`)

// moveSliderToWords moves the slider to the position where it shows the words. Nothing says where that is.
// So if the slider has few positions, it goes through them: up to the end, back, and down to the other
// end. That takes half of the time at most. If no position shows the words, the slider goes back to where
// it began. The error is then an [ElementError] with the words that were shown, or with the numbers that
// the slider takes if not all were seen.
func (e *Element) moveSliderToWords(ctx context.Context, s *slide, words string) error {
	words = strings.Join(strings.Fields(words), " ")
	if strings.EqualFold(s.Shows, words) {
		return nil
	}
	shown, until := []string{s.Shows}, time.Now().Add(remaining(ctx)/2)
	few := func() bool { return s.positions() <= fewPositions && time.Now().Before(until) }
	ends := []float64{s.Max, s.Min}
	for way, arrow := range s.Keys {
		for moves := true; moves && !s.near(s.Now, ends[way]) && few(); {
			before := s.Now
			if err := e.pressSliderKey(ctx, s, arrow, 1); err != nil {
				return err
			}
			if strings.EqualFold(s.Shows, words) {
				return nil
			}
			if !slices.Contains(shown, s.Shows) {
				shown = slices.Insert(shown, len(shown)*(1-way), s.Shows) // in the order of the positions
			}
			moves = s.Now != before
		}
		s.to = s.began.Now
		if err := e.pressSliderKeys(ctx, s); err != nil {
			return err
		}
	}
	if !few() || s.moved() != "" {
		return e.failure(s.rangeReport(words))
	}
	return e.failure(report{Missing: pagejs.Option, Which: words, Options: shown})
}

// fewPositions is the number of positions of a slider up to which words are sought on it. Each takes some
// 50 ms.
const fewPositions = 24

// positions returns how many positions the slider has. Until an arrow key has moved it, steps of 1 are
// assumed.
func (s *slide) positions() float64 { return (s.Max-s.Min)/cmp.Or(s.step(), 1) + 1 }

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

// pressSliderKeys presses keys until no key brings the slider nearer to the position. If that would
// take too many, it once drags the slider first.
func (e *Element) pressSliderKeys(ctx context.Context, s *slide) (err error) {
	dragged := false
	for range maxSlides {
		key, times := s.next()
		many := times > maxPresses
		switch {
		case times == 0, many && s.isWithinPixel():
			return nil
		case many && s.pixels() >= 1 && !dragged:
			dragged = true
			err = e.dragSlider(ctx, s)
		default:
			err = e.pressSliderKey(ctx, s, key, times)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// pressSliderKey presses a key the given number of times, and records how far one press moves the
// slider.
func (e *Element) pressSliderKey(ctx context.Context, s *slide, name string, times int) error {
	before := s.sliderState
	if err := e.pressOnSlider(ctx, s, name, times); err != nil {
		return err
	}
	if err := e.readSlider(ctx, s, before.Says); err != nil {
		return err
	}
	if _, tried := s.moves[name]; !tried || s.Now == before.Now {
		s.moves[name] = s.Now - before.Now
	}
	s.measure(before)
	return nil
}

// pressOnSlider presses a key the given number of times. All documents are guarded meanwhile, so
// that only the slider gets the key: the page may move the focus at any time.
func (e *Element) pressOnSlider(ctx context.Context, s *slide, name string, times int) error {
	w, _, err := askDocument[struct{}](ctx, e, "guardSlider", guardTime(ctx).Milliseconds(), ScriptDeadline(ctx))
	if err != nil {
		return err
	}
	e.guardOthers(ctx)
	before, err := e.inputMark(ctx, w)
	if err != nil {
		return err
	}
	s.pressed = true
	for i := 0; i < times && !e.hasLeft(before); i++ {
		if err := e.page.pressChord(ctx, key(name), 0); err != nil {
			return err
		}
	}
	v, err := e.takeVerdict(ctx, before)
	switch {
	case errors.Is(err, frame.ErrGone): // the key made the page load another document
		return e.stale()
	case err == nil && !v.Passed:
		return e.missed("type", v)
	}
	return err
}

// dragSlider drags the slider to the position, if it is not there yet and keys have moved it. How
// far to drag follows from how far the keys have moved the element.
func (e *Element) dragSlider(ctx context.Context, s *slide) error {
	for range maxSliderDrags {
		if s.near(s.to-s.Now, 0) || s.pixels() < 1 {
			return nil
		}
		before, away := s.sliderState, s.to-s.Now
		err := e.Drag(ctx, DragEnd{By: &Point{away * s.perUnit.X, away * s.perUnit.Y}})
		if isUnreachable(err) {
			return nil
		}
		if err == nil {
			err = e.readSlider(ctx, s, before.Says)
		}
		if err != nil || s.Now == before.Now {
			return err
		}
		s.measure(before)
	}
	return nil
}

// isUnreachable reports whether a drag failed since the mouse reaches its beginning or end nowhere.
func isUnreachable(err error) bool {
	_, lacks := errors.AsType[*ElementError](err)
	_, outside := errors.AsType[*OutsideError](err)
	return lacks || outside
}

// measure sets perUnit from the state before the slider was moved, and the state now.
func (s *slide) measure(before sliderState) {
	if moved := s.Now - before.Now; moved != 0 {
		s.perUnit = Point{(s.Middle.X - before.Middle.X) / moved, (s.Middle.Y - before.Middle.Y) / moved}
	}
}

// pixels returns how far the element is from the place where it should be, as far as that is known.
func (s *slide) pixels() float64 {
	away := s.to - s.Now
	return math.Hypot(away*s.perUnit.X, away*s.perUnit.Y)
}

// isWithinPixel reports whether the element is known to be within a pixel of where it should be.
func (s *slide) isWithinPixel() bool { return s.perUnit != Point{} && s.pixels() < 1 }

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
	arrows, page := slices.Clone(s.Keys), "PageUp"
	if away < 0 {
		slices.Reverse(arrows)
		page = "PageDown"
	}
	for _, name := range append(arrows, page) {
		if n := s.presses(s.moves[name], away); n > 0 && (times == 0 || n < times) {
			key, times = name, n
		}
	}
	if _, tried := s.moves[page]; times > manyPresses && !tried {
		return page, 1
	}
	for _, end := range []string{"End", "Home"} { // a move to the end shows best how far to drag
		if _, tried := s.moves[end]; times > maxPresses && !tried {
			return end, 1
		}
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
func (s *slide) step() (most float64) {
	for _, arrow := range s.Keys {
		most = max(most, math.Abs(s.moves[arrow]))
	}
	return most
}

// rangeReport returns a report that says which positions the slider takes.
func (s *slide) rangeReport(text string) report {
	number := func(f float64) string { return strconv.FormatFloat(math.Round(f*1e9)/1e9, 'f', -1, 64) } // a difference of decimals is not exact
	in := inputvalue.Input{Type: "range", Min: number(s.Min), Max: number(s.Max), Step: "any"}
	if step := s.step(); step > 0 {
		in.Step = number(step)
	}
	return report{Missing: pagejs.Format, Which: text, Input: in, Holds: s.moved()}
}
