package acts

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"chela/internal/engine/page"
	"chela/internal/reading/pagejs"
	"chela/test/long"
	"chela/test/pages"
	"chela/test/tab"
)

// A slider that is not an input is moved by keys until it says that it has the wanted value.
func TestTypeMovesSliders(t *testing.T) {
	const script = `<script>
		function slider(el, step, page) {
			el.addEventListener('keydown', e => {
				const min = Number(el.ariaValueMin ?? 0), max = Number(el.ariaValueMax ?? 100), now = Number(el.ariaValueNow);
				const by = { ArrowRight: step, ArrowLeft: -step, PageUp: page, PageDown: -page, Home: min - now, End: max - now }[e.key] ?? 0;
				setTimeout(() => { el.ariaValueNow = Math.min(max, Math.max(min, Math.round((Number(el.ariaValueNow) + by) * 100) / 100)); });
			});
		}
		slider(plainSlider, 1, 10); slider(tenthsSlider, .1, .1); slider(coarseSlider, 25, 0); slider(wideSlider, 1, 1);
	</script>`
	tt := tab.Open(t, pages.HTML(`<div id=plainSlider role=slider tabindex=0 aria-label=Plain aria-valuenow=30 aria-valuemin=0 aria-valuemax=100>|</div>
		<div id=tenthsSlider role=slider tabindex=0 aria-label=Tenths aria-valuenow=0 aria-valuemin=-1 aria-valuemax=1>|</div>
		<div id=coarseSlider role=slider tabindex=0 aria-label=Coarse aria-valuenow=0>|</div>
		<div id=wideSlider role=slider tabindex=0 aria-label=Wide aria-valuenow=0 aria-valuemax=5000>|</div>
		<div role=slider tabindex=0 aria-label=Deaf aria-valuenow=0>|</div>
		<div role=slider tabindex=0 aria-label=Percent aria-valuenow="50%">|</div>
		<div role=slider aria-label=Unfocusable aria-valuenow=0>|</div>`+script))
	for _, s := range []struct{ slider, text, want string }{
		{"Plain", "57", "57"},
		{"Plain", "0", "0"},
		{"Plain", "100", "100"},
		{"Plain", "50%", "50"},
		{"Plain", " 25 % ", "25"},
		{"Tenths", "-0.7", "-0.7"},
		{"Coarse", "75", "75"},
		{"Wide", "150", "150"},
	} {
		if err := tt.OnRefFor(20*time.Second, tt.Ref(`slider "`+s.slider+`"`), tab.Typing(s.text)); err != nil {
			t.Errorf("%s to %s: %v", s.slider, s.text, err)
		}
		if is := tab.Run[string](tt, "document.getElementById('"+strings.ToLower(s.slider)+"Slider').ariaValueNow"); is != s.want {
			t.Errorf("%s stands at %s, want %s", s.slider, is, s.want)
		}
	}
	for _, s := range []struct {
		slider, text string
		want         pagejs.Missing
	}{
		{"Plain", "101", pagejs.Format},
		{"Plain", "fifty", pagejs.Slider},
		{"Plain", "0x10", pagejs.Slider},
		{"Percent", "40", pagejs.Slider},
		{"Coarse", "40", pagejs.Format},
		{"Deaf", "40", page.Refused},
		{"Unfocusable", "40", pagejs.Unfocusable},
	} {
		err := tt.OnRefFor(10*time.Second, tt.Ref(`slider "`+s.slider+`"`), tab.Typing(s.text))
		if lacks, ok := errors.AsType[*page.ElementError](err); !ok || lacks.Missing != s.want {
			t.Errorf("%s to %s: got %v, want %s", s.slider, s.text, err, s.want)
		}
	}
}

// A slider shows each key some time later. Keys that come meanwhile would move it past the position.
func TestTypeMovesLateSliders(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<div id=late role=slider tabindex=0 aria-label=Late aria-valuenow=10>|</div><script>
		let at = 10
		late.onkeydown = ({ key }) => {
			const now = at = Math.min(100, Math.max(0, at + ({ ArrowRight: 1, ArrowLeft: -1, PageUp: 10, PageDown: -10 }[key] ?? 0)))
			setTimeout(() => { late.ariaValueNow = now }, 600)
		}</script>`))
	err := tt.OnRefFor(20*time.Second, tt.Ref(`slider "Late"`), tab.Typing("33"))
	if got := tab.Run[int](tt, "at"); err != nil || got != 33 {
		t.Errorf("stands at %d, %v", got, err)
	}
}

// Once a slider has moved, a key that does nothing is soon given up: it is known how late the slider is.
func TestKeysThatASliderIgnores(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<div id=plain role=slider tabindex=0 aria-label=Plain aria-valuenow=0 aria-valuemax=20>|</div><script>
		took = {}, last = null
		plain.onkeydown = ({ key, timeStamp }) => {
			if (last) took[last.key] ??= timeStamp - last.timeStamp
			last = { key, timeStamp }
			if (key === 'ArrowRight') plain.ariaValueNow = Number(plain.ariaValueNow) + 1
		}</script>`))
	if err := tt.OnRefFor(20*time.Second, tt.Ref(`slider "Plain"`), tab.Typing("20")); err != nil {
		t.Fatal(err)
	}
	if got := tab.Run[map[string]float64](tt, "took"); got["End"] == 0 || got["PageUp"] == 0 || got["PageUp"] > got["End"]*3/4 {
		t.Errorf("the waits in milliseconds were %v", got)
	}
}

// A spin button without text, and a separator between panes, are moved by the keys that ARIA has for them.
func TestTypeMovesWhatIsLikeASlider(t *testing.T) {
	for _, s := range []struct{ what, attributes, more, less string }{
		{"spinbutton", "", "ArrowUp", "ArrowDown"},
		{"separator", "aria-orientation=vertical", "ArrowRight", "ArrowLeft"},
		{"separator", "", "ArrowUp", "ArrowDown"},
	} {
		t.Run(s.what+" "+s.attributes, func(t *testing.T) {
			tt := tab.Open(t, pages.HTML(`<div id=widget role=`+s.what+` tabindex=0 aria-label=Hour aria-valuenow=10 aria-valuemin=0 aria-valuemax=23 `+s.attributes+`>10</div><script>
				widget.onkeydown = ({ key }) => { widget.ariaValueNow = Number(widget.ariaValueNow) + ({ `+s.more+`: 1, `+s.less+`: -1 }[key] ?? 0) }</script>`))
			err := tt.OnRef(tt.Ref(s.what+` "Hour"`), tab.Typing("7"))
			if got := tab.Run[string](tt, "widget.ariaValueNow"); err != nil || got != "7" {
				t.Errorf("stands at %s, %v", got, err)
			}
		})
	}
}

// What a slider shows may be words. Its position is then named by them, or by the number behind them.
func TestTypeIntoWhatShowsWords(t *testing.T) {
	const month = `<div id=month role=spinbutton tabindex=0 aria-label=Month aria-valuemin=0 aria-valuemax=3></div><script>
		const names = ['January', 'February', 'March', 'April']
		let at = 1
		const show = () => { month.ariaValueNow = at; month.textContent = month.ariaValueText = names[at] }
		month.onkeydown = ({ key }) => { at = turn(at + ({ ArrowUp: 1, ArrowDown: -1 }[key] ?? 0)); show() }
		show()</script>`
	stops, turns := `<script>const turn = n => Math.min(3, Math.max(0, n))</script>`, `<script>const turn = n => (n + 4) % 4</script>`
	for _, s := range []struct{ name, html, text, want, holds, fails string }{
		{"words ahead", stops + month, "april", "April", "", ""},
		{"words behind", stops + month, "January", "January", "", ""},
		{"words behind, all around", turns + month, "January", "January", "", ""},
		{"words that it has already", stops + month, "February", "February", "", ""},
		{"words that are no number", stops + strings.Replace(month, "March", "Infinity", 1), "infinity", "Infinity", "", ""},
		{"other words", stops + month, "May", "February", "", `option: "May", it has ["January" "February" "March" "April"]`},
		{"other words, all around", turns + month, "NaN", "February", "", `option: "NaN", it has ["January" "February" "March" "April"]`},
		{"a number that is shown as words", stops + month, "3", "April", "April", ""},
		{"a number that is shown with a unit", stops + strings.ReplaceAll(month, "names[at]", "`$${at}.0 a month`"), "3", "$3.0 a month", "", ""},
	} {
		t.Run(s.name, func(t *testing.T) {
			tt, holds := tab.Open(t, pages.HTML(s.html)), ""
			err := tt.OnRefFor(10*time.Second, tt.Ref(`spinbutton "Month"`), func(ctx context.Context, el *page.Element) error {
				now, err := el.Type(ctx, s.text)
				if now != nil {
					holds = *now
				}
				return err
			})
			if got := tab.Run[string](tt, "month.textContent"); got != s.want || holds != s.holds {
				t.Errorf("shows %q, holds %q, want %q, %q", got, holds, s.want, s.holds)
			}
			if s.fails == "" && err != nil || s.fails != "" && (err == nil || !strings.Contains(err.Error(), s.fails) || !errors.Is(err, page.ErrSent)) {
				t.Errorf("got %v, want %q", err, s.fails)
			}
		})
	}
}

// A slider that does not show the words stands where it stood, even if it shows the same words elsewhere.
// The words are not sought on a slider with many positions, and no longer than half of the time.
func TestWordsThatASliderDoesNotShow(t *testing.T) {
	const slider = `<div id=slider role=slider tabindex=0 aria-label=Level aria-valuemin=0>|</div><script>
		const move = (by, max) => { slider.ariaValueNow = Math.min(max, Math.max(0, Number(slider.ariaValueNow) + by)); slider.ariaValueText = ['Low', 'Medium', 'High'][Math.floor(slider.ariaValueNow / max * 2.9)] }
		const make = (at, step, max, late) => {
			slider.ariaValueMax = max
			move(at, max)
			slider.onkeydown = ({ key }) => setTimeout(() => move(({ ArrowRight: step, ArrowLeft: -step }[key] ?? 0), max), late)
		}
		`
	for _, s := range []struct {
		name, html   string
		seconds      time.Duration
		fails, holds string
		sent         bool
	}{
		{"few positions", "make(2, 1, 10, 0)", 60, `option: "2:00", it has ["Low" "Medium" "High"]`, "2", true},
		{"many positions", "make(30, 1, 300, 0)", 60, "format", "30", false},
		{"many positions, of less than 1", "make(2, .125, 20, 0)", 60, "format", "2", true},
		{"positions that come late", "make(2, 1, 20, 200)", 5, "format", "2", true},
		{"no way back", "make(2, 1, 4, 0); const { onkeydown } = slider; slider.onkeydown = event => event.key === 'ArrowLeft' || onkeydown(event)", 60, "format", "4", true},
	} {
		t.Run(s.name, func(t *testing.T) {
			tt := tab.Open(t, pages.HTML(slider+s.html+"</script>"))
			err := tt.OnRefFor(s.seconds*time.Second, tt.Ref(`slider "Level"`), tab.Typing("2:00"))
			if err == nil || !strings.Contains(err.Error(), s.fails) || errors.Is(err, page.ErrSent) != s.sent {
				t.Errorf("got %v, want %q, sent %v", err, s.fails, s.sent)
			}
			lacks, _ := errors.AsType[*page.ElementError](err)
			if got := tab.Run[string](tt, "slider.ariaValueNow"); got != s.holds || lacks != nil && lacks.Holds != "" != (s.holds == "4") {
				t.Errorf("stands at %s, want %s; the error is %+v", got, s.holds, lacks)
			}
		})
	}
}

// A slider that keys have moved, but not to the position, is reported with where it is now.
func TestSliderReportsWhereItIs(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<div id=coarse role=slider tabindex=0 aria-label=Coarse aria-valuenow=0>|</div><script>
		coarse.onkeydown = ({ key }) => { coarse.ariaValueNow = Number(coarse.ariaValueNow) + ({ ArrowRight: 25, ArrowLeft: -25 }[key] ?? 0) }</script>`))
	err := tt.OnRefFor(10*time.Second, tt.Ref(`slider "Coarse"`), tab.Typing("40"))
	if lacks, ok := errors.AsType[*page.ElementError](err); !ok || lacks.Missing != pagejs.Format || lacks.Holds != "25" {
		t.Errorf("got %+v", err)
	}
}

// If the keys of a slider pass the wanted position, the slider is dragged there. How far follows
// from how far the keys have moved it.
func TestTypeDragsSliders(t *testing.T) {
	long.Test(t)
	for _, s := range []struct{ name, style, text, want, holds string }{
		{"to the right", "", "35", "35", ""},
		{"to the left", "", "4", "4", ""},
		{"upright", "transform:rotate(90deg) translate(40px)", "35", "35", ""},
		{"with a thumb that is moved slowly", "--time:.2s", "35", "35", ""},
		{"to a position between two pixels", "", "35.25", "35.5", "35.5"},
	} {
		t.Run(s.name, func(t *testing.T) {
			tt := tab.Open(t, pages.HTML(`<div style="position:relative;width:200px;height:20px;margin:90px;background:#ddd;`+s.style+`">
				<div id=thumb role=slider tabindex=0 aria-label=Price style="position:absolute;width:20px;height:20px;background:#00f;transition:left var(--time, 0s)"></div></div>
				<script>
					const set = value => { thumb.ariaValueNow = Math.min(100, Math.max(0, Math.round(value * 2) / 2)); thumb.style.left = thumb.ariaValueNow * 2 - 10 + 'px' }
					thumb.onkeydown = ({ key }) => set(Number(thumb.ariaValueNow) + ({ ArrowRight: 10, ArrowLeft: -10 }[key] ?? 0))
					thumb.onpointerdown = down => {
						const began = Number(thumb.ariaValueNow), upright = getComputedStyle(thumb.parentElement).transform !== 'none'
						thumb.setPointerCapture(down.pointerId)
						thumb.onpointermove = move => set(began + (upright ? move.clientY - down.clientY : move.clientX - down.clientX) / 2)
						thumb.onpointerup = () => { thumb.onpointermove = null }
					}
					set(20)
				</script>`))
			holds := ""
			err := tt.OnRefFor(10*time.Second, tt.Ref(`slider "Price"`), func(ctx context.Context, el *page.Element) error {
				now, err := el.Type(ctx, s.text)
				if now != nil {
					holds = *now
				}
				return err
			})
			if got := tab.Run[string](tt, "thumb.ariaValueNow"); err != nil || got != s.want || holds != s.holds {
				t.Errorf("stands at %s, holds %q, %v, want %s, %q", got, holds, err, s.want, s.holds)
			}
		})
	}
}

// A slider that takes very many keys is dragged first. Keys only finish what the mouse cannot do.
func TestTypeDragsSlidersOfManySteps(t *testing.T) {
	long.Test(t)
	for _, s := range []struct{ max, text string }{{"5000", "2501"}, {"200000", "120300"}} {
		t.Run(s.max, func(t *testing.T) {
			tt := tab.Open(t, pages.HTML(`<div style="position:relative;width:200px;height:20px;margin:90px;background:#ddd">
				<div id=thumb role=slider tabindex=0 aria-label=Price aria-valuemax=`+s.max+` style="position:absolute;width:20px;height:20px;background:#00f"></div></div>
				<script>
					let keys = 0
					const max = Number(thumb.ariaValueMax), set = value => { thumb.ariaValueNow = Math.min(max, Math.max(0, Math.round(value))); thumb.style.left = thumb.ariaValueNow * 200 / max - 10 + 'px' }
					thumb.onkeydown = ({ key }) => { keys++; set(Number(thumb.ariaValueNow) + ({ ArrowRight: 1, ArrowLeft: -1, Home: -max, End: max }[key] ?? 0)) }
					thumb.onpointerdown = down => {
						const began = Number(thumb.ariaValueNow)
						thumb.setPointerCapture(down.pointerId)
						thumb.onpointermove = move => set(began + (move.clientX - down.clientX) * max / 200)
						thumb.onpointerup = () => { thumb.onpointermove = null }
					}
					set(20)
				</script>`))
			holds := ""
			err := tt.OnRefFor(20*time.Second, tt.Ref(`slider "Price"`), func(ctx context.Context, el *page.Element) error {
				now, err := el.Type(ctx, s.text)
				if now != nil {
					holds = *now
				}
				return err
			})
			got, keys := tab.Run[string](tt, "thumb.ariaValueNow"), tab.Run[int](tt, "keys")
			if want := cmp.Or(holds, s.text); err != nil || got != want || keys > 350 {
				t.Errorf("stands at %s after %d keys, holds %q, %v, want %s", got, keys, holds, err, want)
			}
		})
	}
}

// Only the slider gets its keys, even if the focus comes late or the page moves it elsewhere.
func TestKeysOfASliderGoNowhereElse(t *testing.T) {
	long.Test(t)
	const slider = `<div id=slider role=slider tabindex=0 aria-label=Plain aria-valuenow=0>|</div><script>
		slider.onkeydown = ({ key }) => { slider.ariaValueNow = Number(slider.ariaValueNow) + ({ ArrowRight: 1, ArrowLeft: -1 }[key] ?? 0); }</script>`
	const other = `<script src="log.js"></script><button id=other onkeydown="log(event.key)">Other</button>`
	for _, s := range []struct{ name, html, fails string }{
		{"in a frame of another site", other + `<script>other.focus()</script><iframe src="` + tab.Elsewhere() + pages.HTML(slider) + `"></iframe>`, ""},
		{"if a key moves the focus", other + slider + `<script>slider.addEventListener('keydown', () => other.focus())</script>`, `elsewhere by button "Other"`},
		{"if the focus is moved on at once", other + slider + `<script>slider.addEventListener('focus', () => other.focus())</script>`, `refocused by button "Other"`},
	} {
		t.Run(s.name, func(t *testing.T) {
			tt := tab.Open(t, pages.HTML(s.html))
			err := tt.OnRefFor(5*time.Second, tt.Ref(`slider "Plain"`), tab.Typing("7"))
			if s.fails == "" && err != nil || s.fails != "" && (err == nil || !strings.Contains(err.Error(), s.fails) || !errors.Is(err, page.ErrSent)) {
				t.Errorf("got %v, want %q", err, s.fails)
			}
			if got := tt.Logged(); got != "" {
				t.Errorf("page told %q", got)
			}
		})
	}
}

// A key makes the page load another document. The error says that the key was sent.
func TestSliderThatLeaves(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<div role=slider tabindex=0 aria-label=Page aria-valuenow=0 onkeydown="location = 'press.html'">|</div>`))
	err := tt.OnRefFor(5*time.Second, tt.Ref(`slider "Page"`), tab.Typing("7"))
	if _, stale := errors.AsType[*page.StaleRefError](err); !stale || !errors.Is(err, page.ErrSent) {
		t.Errorf("got %v", err)
	}
}

// Many presses follow each other. When one of them makes the page load another document, that
// document gets no key.
func TestSliderThatLeavesInTheMiddle(t *testing.T) {
	next := pages.HTML(`<script src="log.js"></script><body onkeydown="log(event.key)">`)
	tt := tab.Open(t, pages.HTML(`<div id=slider role=slider tabindex=0 aria-label=Price aria-valuenow=0 aria-valuemax=250>|</div><script>
		slider.onkeydown = () => { slider.ariaValueNow = Number(slider.ariaValueNow) + 1; if (slider.ariaValueNow === '20') location = '`+next+`'; }</script>`))
	err := tt.OnRefFor(10*time.Second, tt.Ref(`slider "Price"`), tab.Typing("240"))
	if _, stale := errors.AsType[*page.StaleRefError](err); !stale || !errors.Is(err, page.ErrSent) {
		t.Errorf("got %v", err)
	}
	if got := tt.Logged(); got != "" {
		t.Errorf("the next document got %q", got)
	}
}
