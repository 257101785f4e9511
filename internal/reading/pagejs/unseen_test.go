package pagejs_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"chela/internal/reading/snapshot"
)

// The texts of the page that begin with "hid" and a number are hidden, each in another way. Those
// that begin with "see" are seen, or are the name of a control, although something about them looks
// like hiding.
func TestUnseenText(t *testing.T) {
	page, err := os.ReadFile("testdata/unseen.html")
	if err != nil {
		t.Fatal(err)
	}
	t.Run("all", func(t *testing.T) { checkUnseen(t, string(page)) })
	// If no text runs from right to left, many texts are judged without a look at their position.
	t.Run("from left to right", func(t *testing.T) { checkUnseen(t, strings.ReplaceAll(string(page), " dir=rtl", "")) })
}

// checkUnseen checks a page in which the texts that begin with hid are not seen.
func checkUnseen(t *testing.T, page string) {
	t.Helper()
	p := show(t, page)
	p.eval(nil, "document.querySelectorAll('.scrolled').forEach(el => { el.scrollTop = 40; })")
	texts := regexp.MustCompile(`\b(hid|see)\d+[a-z]*\b`)
	all := slices.Compact(slices.Sorted(slices.Values(texts.FindAllString(page, -1))))

	omitted := snapshot.Render(&snapshot.Frame{Walk: p.walk("hidden: 'omit'")}, snapshot.Options{})
	marked := snapshot.Render(&snapshot.Frame{Walk: p.walk("hidden: 'mark'")}, snapshot.Options{}).Text
	hidden := 0
	for _, text := range all {
		word := regexp.MustCompile(`\b` + text + `\b`)
		line := lineWith(marked, word)
		switch {
		case line == "":
			t.Errorf("%s is lost when it is marked", text)
		case strings.HasPrefix(text, "see") && !word.MatchString(omitted.Text):
			t.Errorf("%s was left out: %s", text, line)
		case strings.HasPrefix(text, "see") && strings.Contains(line, "[hidden="):
			t.Errorf("%s was marked: %s", text, line)
		case strings.HasPrefix(text, "hid"):
			hidden++
			if word.MatchString(omitted.Text) || !strings.Contains(line, "[hidden=") {
				t.Errorf("%s is shown: %s", text, line)
			}
		}
	}
	// One more than are marked: a text that names a control is left out at its own place.
	if want := hidden + 1; omitted.Unseen.Texts != want {
		t.Errorf("%d texts were counted, want %d:\n%s", omitted.Unseen.Texts, want, marked)
	}
	if last := omitted.Lines[len(omitted.Lines)-1].Text; !strings.HasPrefix(last, "- hidden: ") {
		t.Errorf("the last line is %q", last)
	}
	var plain struct {
		Text string `json:"text"`
	}
	p.eval(&plain, "chela.text('body', 1e6, 'omit')")
	if left := regexp.MustCompile(`\bhid\d+|hidden:`).FindString(plain.Text); left != "" || !strings.Contains(plain.Text, "see1 ") {
		t.Errorf("the plain text has %s:\n%s", left, plain.Text)
	}
	if shown := p.ai(); strings.Contains(shown, "hidden:") || strings.Contains(shown, "[hidden=") || !strings.Contains(shown, "hid1 ") {
		t.Error("hidden text is looked for unasked")
	}
}

// The same holds if the styles use CSS variables. A text that a variable hides later is found then.
func TestUnseenTextByVariables(t *testing.T) {
	page, err := os.ReadFile("testdata/variables.html")
	if err != nil {
		t.Fatal(err)
	}
	p := show(t, string(page))
	check := func(want map[string]bool) {
		t.Helper()
		shown := snapshot.Render(&snapshot.Frame{Walk: p.walk("hidden: 'omit'")}, snapshot.Options{}).Text
		for text, seen := range want {
			if got := regexp.MustCompile(`\b` + text + `\b`).MatchString(shown); got != seen {
				t.Errorf("%s is shown: %v", text, got)
			}
		}
	}
	all := map[string]bool{}
	for _, text := range regexp.MustCompile(`\b(hid|see)\d+\b`).FindAllString(string(page), -1) {
		all[text] = strings.HasPrefix(text, "see")
	}
	check(all)
	p.eval(nil, "document.documentElement.style.setProperty('--later', 'white')")
	check(map[string]bool{"see15": false, "see1": true})
	p.eval(nil, "document.documentElement.style.setProperty('--later', '#333')")
	check(map[string]bool{"see15": true})
}

// A CSS rule may be for text in elements that the page does not have yet. It hides the text once
// such an element is there.
func TestUnseenTextLater(t *testing.T) {
	p := show(t, `<!doctype html><style>.gone p, .gone + div i, .a .b .c { opacity: 0 } .left { direction: rtl }</style>
		<section><p>in it</p></section><div><i>beside it</i><u class=b><s class=c>deep in it</s></u></div>`)
	for _, step := range []struct{ change, hidden string }{
		{"", ""},
		{"document.querySelector('section').className = 'gone'", "in it, beside it"},
		{"document.querySelector('section').className = ''", ""},
		{"document.querySelector('div').className = 'A'; document.body.className = 'a'", "deep in it"},
		{"document.querySelector('p').style.cssText = 'background: #333; color: #333'", "in it, deep in it"},
	} {
		p.eval(nil, step.change)
		shown := snapshot.Render(&snapshot.Frame{Walk: p.walk("hidden: 'mark'")}, snapshot.Options{}).Text
		hidden := regexp.MustCompile(`\[hidden=\w+\]: (.*)`).FindAllStringSubmatch(shown, -1)
		var got []string
		for _, line := range hidden {
			got = append(got, line[1])
		}
		if strings.Join(got, ", ") != step.hidden {
			t.Errorf("after %q hidden are %q, want %q", step.change, got, step.hidden)
		}
	}
}

// A page with very many classes and variables does not make the page script forget rules that wait for them.
func TestUnseenTextAfterManyRules(t *testing.T) {
	css := strings.Builder{}
	css.WriteString(":root { --a: 1 } .h .p { opacity: 0 } .v { opacity: var(--a) } ")
	for i := range 20_001 {
		fmt.Fprintf(&css, ".c%d .p { opacity: var(--v%[1]d, 0) } ", i)
	}
	css.WriteString(".x { box-shadow: " + strings.Repeat("var(--v0, 0) ", 61) + "var(--last) }")
	p := show(t, `<!doctype html><style>`+css.String()+`</style><p class=p>first</p><p class=v>second</p>`)
	p.walk("hidden: 'omit'")
	p.eval(nil, "document.body.className = 'h'; document.body.style.setProperty('--a', '0')")
	if shown := snapshot.Render(&snapshot.Frame{Walk: p.walk("hidden: 'omit'")}, snapshot.Options{}).Text; regexp.MustCompile("first|second").MatchString(shown) {
		t.Error(shown)
	}
}

// A script may hide a text by a rule that a reading has found harmless.
func TestUnseenTextByRulesChangedInPlace(t *testing.T) {
	for _, change := range []string{"rules[0].style.opacity = 0", "rules[0].style.cssText = 'left: auto; color: white'", "rules[1].selectorText = 'p'"} {
		p := show(t, `<!doctype html><style>.p { left: auto } .q { font-size: 0 }</style><p class=p>Secret orders</p>`)
		p.walk("hidden: 'omit'")
		p.eval(nil, "{ const rules = document.styleSheets[0].cssRules; "+change+" }")
		if shown := snapshot.Render(&snapshot.Frame{Walk: p.walk("hidden: 'omit'")}, snapshot.Options{}).Text; strings.Contains(shown, "Secret") {
			t.Errorf("after %s: %s", change, shown)
		}
	}
}

// In some iframes nothing can be seen, because of styles of the iframe or of an element around it.
func TestUnseenFrames(t *testing.T) {
	p := show(t, `<!doctype html><body></body>`)
	for _, c := range []struct {
		style string
		seen  bool
	}{
		{"", true}, {"opacity: 0", false},
		{"filter: blur(60px)", false}, {"filter: blur(1px)", true},
		{"filter: contrast(0)", false}, {"filter: brightness(0)", false}, {"filter: invert(1)", true}, {"filter: contrast(.5)", true},
		{"mix-blend-mode: multiply", true},
		{"zoom: .001", false}, {"zoom: .5", true},
		{"clip-path: circle(5px at 9000px 5px)", false}, {"clip-path: circle(50px at 60px 60px)", true},
	} {
		for _, markup := range []string{`<iframe style="%s" srcdoc=Text></iframe>`, `<div style="%s"><iframe srcdoc=Text></iframe></div>`} {
			p.put(trick{markup: fmt.Sprintf(markup, c.style)})
			if got := len(p.walk("hidden: 'omit'").Veiled) == 0; got != c.seen {
				t.Errorf("%s of %s: the frame is seen: %v", c.style, markup, got)
			}
		}
	}
}

// A frame whose document has no room is left out. A frame without room for a line of text stays, and
// what is in it is left out.
func TestSmallFrames(t *testing.T) {
	p := show(t, `<!doctype html><body></body>`)
	for _, c := range []struct {
		style          string
		shown, legible bool
	}{
		{"padding: 50px; width: 0; height: 0", false, false}, {"padding: 50px", true, true},
		{"width: 4px; height: 4px; border: 0", true, false}, {"width: 200px; height: 20px", true, true},
		{"width: 0", false, false},
	} {
		p.put(trick{markup: fmt.Sprintf(`<iframe style="%s" scrolling=no srcdoc=Text></iframe>`, c.style)})
		walk := p.walk("hidden: 'omit'")
		if shown, legible := len(walk.Iframes) == 1, len(walk.Iframes) > len(walk.Veiled); shown != c.shown || legible != c.legible {
			t.Errorf("%s: the frame is shown: %v, legible: %v", c.style, shown, legible)
		}
	}
}

// A hidden text counts as seen only if an animation that may show it ends within moments.
func TestUnseenTextInMotion(t *testing.T) {
	for _, c := range []struct {
		name, script string
		seen         bool
	}{
		{"an animation that shows it", "el.animate({ opacity: [0, 1] }, 1500)", true},
		{"an animation that takes for ever", "el.animate({ opacity: [0, 1] }, 1500).playbackRate = 1e-6", false},
		{"an animation that runs back for ever", "el.animate({ opacity: [0, 1] }, 1500).updatePlaybackRate(-1e-6)", false},
		{"an animation of something else", "el.animate({ outlineOffset: ['0px', '1px'] }, 1500)", false},
		{"an animation of the letters", "el.style.cssText = '-webkit-text-fill-color: #fff; animation: k 1.5s'", true},
		{"other keyframes of the same name", `el.style.cssText = 'animation: k 9s both'; el.getAnimations()[0].effect.setKeyframes([{opacity: 0}, {opacity: 0}])`, false},
		{"other keyframes in a shadow tree", `el.style.cssText = ''; const root = el.attachShadow({mode: 'open'});
			root.innerHTML = '<style>@keyframes k { from, to { opacity: 0 } }</style><div style="animation: k 9s both"><slot></slot></div>'`, false},
	} {
		p := show(t, `<!doctype html><style>@keyframes k { to { -webkit-text-fill-color: #000 } }</style><b style="animation: k 9s">First</b><p style="opacity: 0">Secret orders</p>`)
		p.eval(nil, "{ const el = document.querySelector('p'); "+c.script+" }")
		shown := snapshot.Render(&snapshot.Frame{Walk: p.walk("hidden: 'omit'")}, snapshot.Options{}).Text
		if strings.Contains(shown, "Secret") != c.seen {
			t.Errorf("%s: the text is shown: %v", c.name, !c.seen)
		}
	}
}

// Without a doctype, the case of classes and ids does not matter.
func TestUnseenTextOfOldPages(t *testing.T) {
	p := show(t, `<style>.Gone, #GONE { opacity: 0 }</style><p class=gone>by a class<p id=gone>by an id<p>seen`)
	shown := snapshot.Render(&snapshot.Frame{Walk: p.walk("hidden: 'omit'")}, snapshot.Options{}).Text
	if strings.Contains(shown, "by a") || !strings.Contains(shown, "seen") {
		t.Error(shown)
	}
}

// lineWith returns the line of a snapshot that has a word, "" if none has.
func lineWith(text string, word *regexp.Regexp) string {
	for line := range strings.Lines(text) {
		if word.MatchString(line) {
			return strings.TrimSpace(line)
		}
	}
	return ""
}
