package secret

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"math/rand/v2"
	"net/url"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// samples are values as people choose them, and values with every character that some encoding
// escapes.
var samples = []string{
	"hunter2hunter2", "p@ss w0rd+1/2?", `q"uo'te\back`, "<b>&amp;</b>#%25", "пароль-日本-é", "emoji😀pass", "line\nbreak\ttab\x01", "a_b*c[d]e~f",
	"12345678", `C:\new\table`, "{\"key\":\"abcd\"}", "----------", `\\\\\\\\`, "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
}

func maskerOf(namesAndValues ...string) *masker {
	var k known
	for i := 0; i < len(namesAndValues); i += 2 {
		k.add(namesAndValues[i], namesAndValues[i+1], time.Time{})
	}
	return k.masker()
}

// encodings has the ways in which programs and pages encode a text.
var encodings = map[string]func(string) string{
	"as it is":           func(s string) string { return s },
	"query":              url.QueryEscape,
	"query, lower case":  func(s string) string { return lowerEscapes(url.QueryEscape(s)) },
	"path":               url.PathEscape,
	"encodeURIComponent": func(s string) string { return escapedBut(s, "-_.!~*'()") },
	"encodeURI":          func(s string) string { return escapedBut(s, "-_.!~*'();/?:@&=+$,#") },
	"form":               func(s string) string { return strings.ReplaceAll(escapedBut(s, "*-._ "), " ", "+") },
	"query of a query":   func(s string) string { return url.QueryEscape("https://a.example/?x=" + url.QueryEscape(s)) },
	"JSON":               func(s string) string { return inside(asJSON(s, false)) },
	"JSON for HTML":      func(s string) string { return inside(asJSON(s, true)) },
	"JSON in ASCII":      func(s string) string { return inAllASCII(inside(asJSON(s, false))) },
	"JSON with \\/":      func(s string) string { return strings.ReplaceAll(inside(asJSON(s, false)), "/", `\/`) },
	"JSON in JSON":       func(s string) string { return inside(asJSON(asJSON(s, true), false)) },
	"JSON in JSON, HTML": func(s string) string { return inside(asJSON(asJSON(s, true), true)) },
	"JSON three times":   func(s string) string { return inside(asJSON(asJSON(asJSON(s, false), false), false)) },
	"HTML":               html.EscapeString,
	"HTML by names": func(s string) string {
		return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&apos;").Replace(s)
	},
	"HTML decimal":       func(s string) string { return perRune(s, "&#%d;") },
	"HTML hex":           func(s string) string { return perRune(s, "&#x%x;") },
	"HTML hex upper":     func(s string) string { return perRune(s, "&#x%X;") },
	"HTML in JSON":       func(s string) string { return inside(asJSON(html.EscapeString(s), true)) },
	"percent, all":       func(s string) string { return escapedBut(s, "\x00") },
	"unicode, all":       func(s string) string { return perUnit(s) },
	"Markdown":           markdown,
	"Markdown in JSON":   func(s string) string { return inside(asJSON(markdown(s), false)) },
	"lower case":         strings.ToLower,
	"upper case in JSON": func(s string) string { return inside(asJSON(strings.ToUpper(s), true)) },
	"hex":                func(s string) string { return hex.EncodeToString([]byte(s)) },
	"hex upper":          func(s string) string { return strings.ToUpper(hex.EncodeToString([]byte(s))) },
	"UTF-16 LE":          littleEndian,
	"UTF-16 BE":          bigEndian,
	"base64":             func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) },
	"base64url":          func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) },
	"base64 of UTF-16":   func(s string) string { return base64.StdEncoding.EncodeToString([]byte(littleEndian(s))) },
	"base64 of JSON":     func(s string) string { return base64.StdEncoding.EncodeToString([]byte(asJSON(s, false))) },
	"base64 in a query":  func(s string) string { return url.QueryEscape(base64.StdEncoding.EncodeToString([]byte(s))) },
}

func asJSON(s string, forHTML bool) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(forHTML)
	_ = e.Encode(s)
	return strings.TrimSpace(b.String())
}

func inside(quoted string) string { return quoted[1 : len(quoted)-1] }

func inAllASCII(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r < 0x80 {
			b.WriteRune(r)
		} else {
			b.WriteString(perUnit(string(r)))
		}
	}
	return b.String()
}

func perUnit(s string) string {
	var b strings.Builder
	for wide := littleEndian(s); wide != ""; wide = wide[2:] {
		fmt.Fprintf(&b, `\u%02x%02x`, wide[1], wide[0])
	}
	return b.String()
}

func perRune(s, format string) string {
	var b strings.Builder
	for _, r := range s {
		fmt.Fprintf(&b, format, r)
	}
	return b.String()
}

func escapedBut(s, safe string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		if c >= '0' && c <= '9' && safe != "\x00" || c|0x20 >= 'a' && c|0x20 <= 'z' && safe != "\x00" || strings.IndexByte(safe, c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

func lowerEscapes(s string) string {
	parts := strings.Split(s, "%")
	for i := 1; i < len(parts); i++ {
		parts[i] = strings.ToLower(parts[i][:2]) + parts[i][2:]
	}
	return strings.Join(parts, "%")
}

func markdown(s string) string {
	return strings.NewReplacer("_", `\_`, "*", `\*`, "[", `\[`, "]", `\]`, `\`, `\\`, "<", `\<`, "#", `\#`).Replace(s)
}

func TestEveryEncodingIsMasked(t *testing.T) {
	for _, value := range samples {
		m := maskerOf("a/password", value)
		for name, encode := range encodings {
			encoded := encode(value)
			for _, around := range [][2]string{{"", ""}, {"x ", " y"}, {"abc=", "&d=e"}} {
				got := m.maskText(around[0] + encoded + around[1])
				if !strings.Contains(strings.ReplaceAll(got, "\x00", ""), "secret:a/password") && !strings.Contains(got, "s\x00e") {
					t.Errorf("%q as %s: %q is not masked: %q", value, name, encoded, got)
				}
				if len(encoded) > 8 && strings.Contains(got, encoded) || strings.Contains(got, value) {
					t.Errorf("%q as %s: got %q", value, name, got)
				}
			}
		}
	}
}

// Surfaces remove invisible characters from texts of pages, after these were masked.
func TestInvisibleCharactersSplitNoValue(t *testing.T) {
	const value = "S3cretPassw0rdXYZ"
	m := maskerOf("s", value)
	for _, between := range []string{"\u200b", "\u00ad", "\ufe0f", "\u034f", "\u2060\ufeff", "\U000e0041"} {
		split := strings.Join(strings.Split(value, ""), between)
		if got, want := m.maskText("é a"+split+"z"), "é a«secret:s»z"; got != want {
			t.Errorf("%+q: got %+q, want %+q", between, got, want)
		}
		if got, want := m.maskText(asJSON("\n"+split, false)), `"\n«secret:s»"`; got != want {
			t.Errorf("%+q in JSON: got %+q, want %+q", between, got, want)
		}
		if got, want := m.beginning("a"+split+"z", 3), "a«secret:s»"; got != want {
			t.Errorf("%+q cut: got %+q, want %+q", between, got, want)
		}
		var k known
		k.add("s", value, time.Time{})
		var b strings.Builder
		w := &Writer{to: &b, known: &k}
		for _, c := range []byte("a" + split + "z") {
			w.Write([]byte{c})
		}
		w.Close()
		if got, want := b.String(), "a«secret:s»z"; got != want {
			t.Errorf("%+q written in parts: got %+q, want %+q", between, got, want)
		}
	}
	const emoji = "a 👍\ufe0f\u200d b"
	if got := m.maskText(emoji); got != emoji {
		t.Errorf("got %+q, want %+q", got, emoji)
	}
}

// A long text with an emoji needs one copy more than the same text without.
func TestInvisibleCharactersNeedLittleMemory(t *testing.T) {
	m := maskerOf("s", "S3cretPassw0rdXYZ")
	long := strings.Repeat("All that is long. ", 1<<16)
	allocated := func(text string) (bytes int) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		m.find([]byte(text))
		runtime.ReadMemStats(&after)
		return int(after.TotalAlloc - before.TotalAlloc)
	}
	if more := allocated(long+"\ufe0f") - allocated(long); more > 2*len(long) {
		t.Errorf("%d bytes more, for a text of %d bytes", more, len(long))
	}
}

func TestBase64IsMaskedAtEveryAlignment(t *testing.T) {
	for _, value := range samples {
		m := maskerOf("a/password", value)
		for _, text := range []string{value, littleEndian(value), bigEndian(value)} {
			for before := range 7 {
				for after := range 4 {
					raw := strings.Repeat("u", before) + text + strings.Repeat("v", after)
					for name, encoding := range map[string]*base64.Encoding{"base64": base64.StdEncoding, "base64url": base64.URLEncoding} {
						encoded := encoding.EncodeToString([]byte(raw))
						got := m.maskText(encoded)
						left, right, ok := strings.Cut(got, "«secret:a/password»")
						// Only the encoded neighbours may be left, and characters that depend on
						// them.
						if !ok || len(left) > before*4/3+3 || len(right) > 8 {
							t.Errorf("%s of %d + %q + %d: %s became %q", name, before, text, after, encoded, got)
						}
					}
				}
			}
		}
	}
}

func TestJSONStaysJSON(t *testing.T) {
	for _, s := range []struct{ value, text, want string }{
		{"nabcdefgh", `{"a":"x\nabcdefgh"}`, `{"a":"x\nabcdefgh"}`}, // a new line and abcdefgh: not the value
		{"0041abcd", `{"a":"\u0041abcd"}`, `{"a":"\u0041abcd"}`},
		{`abcdefg\`, `{"a":"abcdefg\"more"}`, `{"a":"abcdefg\"more"}`},
		{`abcdefg\`, `{"a":"abcdefg\\"}`, `{"a":"«secret:s»"}`},
		{`abcdefg\`, `{"a":"abcdefg\\\"more"}`, `{"a":"«secret:s»\"more"}`},
		{`x":"abcdefg`, `{"x":"abcdefg"}`, `{"x":"abcdefg"}`},
		{`x":"abcdefg`, `["x\":\"abcdefg"]`, `["«secret:s»"]`},
		{"12345678", `{"a":12345678,"b":[12345678],"c":"12345678","d":123456789}`, `{"a":"«secret:s»","b":["«secret:s»"],"c":"«secret:s»","d":123456789}`},
		{"{\"k\":[12345678]}", `{"a":{"k":[12345678]},"b":[{"k":[12345678]}]}`, `{"a":"«secret:s»","b":["«secret:s»"]}`},
		{"passwordpassword", `{"passwordpassword":{"text":"{\"a\":\"passwordpassword\"}"}}`, `{"«secret:s»":{"text":"{\"a\":\"«secret:s»\"}"}}`},
		{"1234567890", `{"text":"{\"a\":1234567890}"}`, `{"text":"{\"a\":\"«secret:s»\"}"}`},
		{"<b>&amp;</b>", `{"a":"\u003cb\u003e\u0026amp;\u003c/b\u003e \u003ci\u003e"}`, `{"a":"«secret:s» \u003ci\u003e"}`},
		{"passwordpassword", `{"a":"passwordpassword <i> & more"}`, `{"a":"«secret:s» <i> & more"}`}, // as the text was written
		{"{}{}{}{}", `{"a":"{}{}{}{}"}`, `{"a":"«secret:s»"}`},
	} {
		got := maskerOf("s", s.value).maskText(s.text)
		if got != s.want || !json.Valid([]byte(got)) {
			t.Errorf("%q in %s: got %s, want %s", s.value, s.text, got, s.want)
		}
	}
}

func TestValuesThatWereCut(t *testing.T) {
	m := maskerOf("s", `hunter2"hunter2`)
	for text, want := range map[string]string{
		"it is hunter2… (9 more characters)": "it is «secret:s»… (9 more characters)", "hunte…": "hunte…", "hunter2": "hunter2", `hunter2\"hu…`: "«secret:s»…",
		"aHVudGVyMi…": "«secret:s»…", "x aHVud…": "x aHVud…", "68756e746572…": "«secret:s»…", "HUNTER2\"H…": "«secret:s»…",
		`{"a":"hunter2\"hunter…"}`: `{"a":"«secret:s»…"}`, "hunter2\"hunter2…": "«secret:s»…",
	} {
		if got := m.maskText(text); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

// Wherever the beginning of a text ends, it has nothing of a value, and all that is before the value.
func TestBeginning(t *testing.T) {
	const value = "Zq7!kP2#vR9$wT4&xY1"
	m := maskerOf("s", value, "t", "another & value")
	for name, encode := range encodings {
		encoded := encode(value)
		text := "before " + encoded + " after"
		for n := range len(text) + 1 {
			got := m.beginning(text, n)
			if strings.Contains(got, encode("Zq7")) || !strings.HasPrefix(got, text[:min(n, len("before "))]) {
				t.Errorf("%d bytes as %s: got %q", n, name, got)
			}
		}
	}
	if got, want := m.beginning(value+" and "+value, len(value)+3), "«secret:s» an"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if len(encodings["HTML in JSON"](value)) > m.reach || m.reach > 40*len(value) {
		t.Errorf("a value of %d bytes takes up to %d", len(value), m.reach)
	}
}

func TestOverlappingValues(t *testing.T) {
	m := maskerOf("short", "password", "long", "password1234", "other", "1234abcdef", "github/password", "somethingelse", "run", "aaaaaaaa")
	for text, want := range map[string]string{
		"password1234": "«secret:long»", "password123": "«secret:short»123", "xpassword1234abcdefx": "x«secret:long»x",
		"password1234 1234abcdef": "«secret:long» «secret:other»", "passwordpassword": "«secret:short»«secret:short»", "aaaaaaaaaaaaaaaaaaab": "«secret:run»b",
		"«secret:github/password»": "«secret:github/password»", "«secret:github/password": "«secret:github/«secret:short»",
	} {
		if got := m.maskText(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
		if again := m.maskText(m.maskText(text)); again != m.maskText(text) {
			t.Errorf("%q: masked again it is %q", text, again)
		}
	}
}

func TestWhatIsKnown(t *testing.T) {
	var k known
	k.add("a/totp", "123456", time.Now().Add(time.Hour))
	k.add("b/totp", "654321", time.Now().Add(-time.Second))
	if got := k.masker().maskText("123456 654321"); got != "«secret:a/totp» 654321" {
		t.Errorf("got %q", got)
	}
	k.values[0].end = time.Now().Add(-time.Second)
	k.current.Load().end = k.values[0].end
	if m := k.masker(); m != nil || len(k.values) > 0 {
		t.Errorf("a code that has ended is still searched for: %v", k.values)
	}
	Know("site/username", "somebody-known")
	Know("site/password", "short")
	if inUse.masker() != nil {
		t.Error("a user name or a short value is hidden")
	}
}

// Values are added while other goroutines mask. A text that is masked after a value was added does
// not have it.
func TestValuesComeWhileOthersMask(t *testing.T) {
	var k known
	var wait sync.WaitGroup
	for i := range 4 {
		wait.Go(func() {
			for j := range 10 {
				value := fmt.Sprintf("value-%d-of-%d", j, i)
				k.add(fmt.Sprintf("n%d-%d", i, j), value, time.Time{})
				if got := k.masker().maskText(value); !strings.HasPrefix(got, "«") {
					t.Errorf("%s is shown", got)
				}
			}
		})
	}
	wait.Wait()
}

func TestNothingIsCopiedWithoutAValue(t *testing.T) {
	text, raw := strings.Repeat("nothing is here. ", 100), []byte(`{"nothing":"is here"}`)
	check := func(when string) {
		t.Helper()
		if n := testing.AllocsPerRun(10, func() { Mask(text); MaskBytes(raw) }); n > 0 {
			t.Errorf("%s: %v allocations", when, n)
		}
		if got := MaskBytes(raw); &got[0] != &raw[0] {
			t.Errorf("%s: another slice", when)
		}
	}
	check("without values")
	Know("copy/password", "wholly-another-text")
	check("with a value")
	before := string(raw)
	if got := MaskBytes(append(raw, "wholly-another-text"...)); !bytes.HasSuffix(got, []byte("«secret:copy/password»")) || string(raw) != before {
		t.Errorf("got %s, and %s", got, raw)
	}
	inUse = known{}
}

func TestWriterHoldsBackOnlyWhatMayBeAValue(t *testing.T) {
	k := known{}
	k.add("a/password", "hunter2hunter2", time.Time{})
	var b strings.Builder
	w := &Writer{to: &b, known: &k}
	for _, s := range []struct{ write, want string }{
		{"one line\n", "one line\n"}, {"a word and hunt", "one line\na word and "}, {"ing.", "one line\na word and hunting."},
		{" hunter2", "one line\na word and hunting. "}, {"hunter2", "one line\na word and hunting. «secret:a/password»"}, {"!", "one line\na word and hunting. «secret:a/password»!"}, {"hunter", "one line\na word and hunting. «secret:a/password»!"},
	} {
		if n, err := w.Write([]byte(s.write)); n != len(s.write) || err != nil {
			t.Fatal(n, err)
		}
		if b.String() != s.want {
			t.Errorf("after %q: got %q, want %q", s.write, b.String(), s.want)
		}
	}
	if err := w.Close(); err != nil || !strings.HasSuffix(b.String(), "!hunter") {
		t.Errorf("at the end: %q, %v", b.String(), err)
	}
}

// FuzzWriter checks that a text is masked alike if it is written at once and in parts, and that
// other text is not changed.
func FuzzWriter(f *testing.F) {
	f.Add("xpassword1234abcdefpassword", uint64(1))
	f.Add("«secret:long»%70%61password aaaaaaaaaaaaaaaaaa", uint64(2))
	f.Add(base64.StdEncoding.EncodeToString([]byte("uupassword1234")), uint64(3))
	f.Add("passwo… password123…", uint64(5))
	f.Add(`\\\"q\"\\u0070assword`, uint64(4))
	k := known{}
	for name, value := range map[string]string{"short": "password", "long": "password1234", "other": "1234abcdef", "run": "aaaaaaaa", "quote": `q"uo'te\back`, "slashes": `\\\\\\\\`} {
		k.add(name, value, time.Time{})
	}
	m := k.masker()
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		hits, _ := m.find([]byte(text))
		whole, _ := replace(nil, []byte(text), hits, 0, len(text))
		if len(hits) == 0 && string(whole) != text {
			t.Errorf("%q became %q", text, whole)
		}
		var b bytes.Buffer
		w := &Writer{to: &b, known: &k}
		random := rand.New(rand.NewPCG(seed, 0))
		for rest := []byte(text); len(rest) > 0; {
			n := 1 + random.IntN(min(len(rest), 9))
			w.Write(rest[:n])
			rest = rest[n:]
		}
		w.Close()
		if b.String() != string(whole) {
			t.Errorf("%q: in parts %q, whole %q", text, b.String(), whole)
		}
		for _, value := range []string{"password", "1234abcdef", "aaaaaaaa"} {
			if strings.Contains(b.String(), value) {
				t.Errorf("%q: %q has %s", text, b.String(), value)
			}
		}
		if json.Valid([]byte(text)) && !json.Valid([]byte(m.maskText(text))) {
			t.Errorf("%s became %s", text, m.maskText(text))
		}
	})
}

// hundred returns a hundred values such as password managers make.
func hundred() *known {
	random := rand.New(rand.NewPCG(1, 2))
	k := &known{}
	for i := range 100 {
		value := make([]byte, 20)
		for j := range value {
			value[j] = byte('!' + random.IntN('~'-'!'+1))
		}
		v := &sample{name: fmt.Sprintf("site%d/password", i), text: string(value)}
		v.forms = formsOf(v)
		k.values = append(k.values, v)
	}
	k.buildLocked()
	return k
}

type sample = value

// answer returns an answer of 1 MB, such as the server sends.
func answer() []byte {
	var b bytes.Buffer
	b.WriteString(`{"ok":true,"snapshot":"`)
	for i := 0; b.Len() < 1<<20; i++ {
		fmt.Fprintf(&b, `- link \"Product %d, a fine thing\" [ref=e%d] url=https://shop.example/p?id=%d\u0026lang=en\n  - text: \u003cb\u003eprice\u003c/b\u003e %d.99\n`, i, i, i*7, i)
	}
	b.WriteString(`"}`)
	return b.Bytes()
}

func BenchmarkMask(b *testing.B) {
	raw := answer()
	for _, s := range []struct {
		name string
		k    *known
	}{{"none", &known{}}, {"100", hundred()}} {
		b.Run(s.name, func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			for b.Loop() {
				if m := s.k.masker(); m != nil {
					m.find(raw)
				}
			}
		})
	}
	found := append(append([]byte(`["`), inJSON(hundred().values[50].text)...), `",`...)
	found = append(append(found, raw...), ']')
	k := hundred()
	b.Run("100, found", func(b *testing.B) {
		for b.Loop() {
			m := k.masker()
			hits, _ := m.find(found)
			if len(hits) != 1 {
				b.Fatal(len(hits))
			}
			m.mask(found, hits)
		}
	})
}

func BenchmarkKnow(b *testing.B) {
	k := hundred()
	b.ReportMetric(float64(len(k.current.Load().anchors)), "anchors")
	b.ReportMetric(float64(k.current.Load().automaton.StateCount()), "states")
	for b.Loop() {
		k.buildLocked()
	}
}
