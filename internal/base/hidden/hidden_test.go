package hidden

import "testing"

func TestHiddenCharacters(t *testing.T) {
	for _, c := range []struct {
		name             string
		r                rune
		deceives, unseen bool
	}{
		{"a letter", 'a', false, false},
		{"a space", ' ', false, false},
		{"a newline of a text", '\n', false, false},
		{"a tab of a text", '\t', false, false},
		{"a no-break space", '\u00a0', false, false},
		{"a letter of Han", '東', false, false},
		{"an emoji", '👍', false, false},
		{"a mark that encloses Arabic digits", '\u0600', false, false},
		{"a noncharacter", '\ufdd0', false, false},
		{"escape", 0x1b, true, true},
		{"delete", 0x7f, true, true},
		{"a C1 control", 0x9b, true, true},
		{"a line separator", '\u2028', true, true},
		{"a soft hyphen", '\u00ad', true, true},
		{"a zero width space", '\u200b', true, true},
		{"a joiner", '\u200d', true, true},
		{"a right-to-left override", '\u202e', true, true},
		{"an isolate", '\u2066', true, true},
		{"a format character to be", '\u2065', true, true},
		{"a byte order mark", '\ufeff', true, true},
		{"an annotation", '\ufff9', true, true},
		{"a tag", 0xe0049, true, true},
		{"a supplementary variation selector", 0xe0101, true, true},
		{"a grapheme joiner", '\u034f', true, true},
		{"a Hangul filler", '\u3164', true, true},
		{"a half-width filler", '\uffa0', true, true},
		{"a filler of old Hangul", '\u115f', true, true},
		{"a format character of shorthand", 0x1bca0, true, true},
		{"a format character of music", 0x1d173, true, true},
		{"what is reserved beside the tags", 0xe0fff, true, true},
		{"a Mongolian vowel separator", '\u180e', true, true},
		{"a variation selector", '\ufe0f', true, true},
		{"a Mongolian variation selector", '\u180f', true, true},
		{"a braille pattern without dots", '\u2800', true, true},
		{"another braille pattern", '\u2801', false, false},
		{"the stand-in for an object", '\ufffc', true, true},
		{"an empty head of a note", 0x1d159, true, true},
		{"an icon", '\ue5cd', false, true},
		{"an icon of plane 15", 0xf0001, false, true},
	} {
		if Deceives(c.r) != c.deceives || Unseen(c.r) != c.unseen {
			t.Errorf("%s (%U): deceives %v, unseen %v; want %v, %v", c.name, c.r, Deceives(c.r), Unseen(c.r), c.deceives, c.unseen)
		}
	}
}

// One variation selector and one joiner belong to a pictographic character before them. Elsewhere,
// neither belongs to an emoji.
func TestJoins(t *testing.T) {
	for _, c := range []struct {
		name             string
		before, r, after rune
		want             bool
	}{
		{"a heart", '❤', emojiSelector, ' ', true},
		{"a sign of Latin-1", '©', emojiSelector, ' ', true},
		{"the key of a telephone", '7', emojiSelector, keycap, true},
		{"a digit", '7', emojiSelector, '8', false},
		{"a letter", 'a', emojiSelector, ' ', false},
		{"a second one", emojiSelector, emojiSelector, ' ', false},
		{"another selector", '❤', '\ufe0e', ' ', false},
		{"two people", '👩', joiner, '💻', true},
		{"behind a selector", emojiSelector, joiner, '🌈', true},
		{"a joiner between letters", 'a', joiner, 'b', false},
		{"a second joiner", joiner, joiner, '💻', false},
		{"at the end", '👩', joiner, 0xfffd, false},
		{"Persian letters", 'ی', nonJoiner, 'خ', true},
		{"behind a vowel sign", '\u064e', nonJoiner, 'خ', true},
		{"behind a vowel sign, before a Latin letter", '\u064e', nonJoiner, 'a', false},
		{"an Arabic letter and a Latin one", 'ی', nonJoiner, 'a', false},
		{"Latin letters", 'a', nonJoiner, 'b', false},
		{"a second non-joiner", nonJoiner, nonJoiner, 'خ', false},
		{"behind a virama", '\u094d', joiner, 'ष', true},
		{"before a virama", 'র', joiner, '\u09cd', true},
		{"behind the virama of Khmer", '\u17d2', nonJoiner, 'ក', true},
		{"before the virama of Myanmar", 'က', joiner, '\u1039', true},
		{"between Indian letters", 'क', joiner, 'ष', false},
	} {
		if got := Joins(c.before, c.r, c.after); got != c.want {
			t.Errorf("%s: got %v", c.name, got)
		}
	}
}

// A text is shown with the joiners of its emoji and letters, and is compared without them.
func TestShownAndStrip(t *testing.T) {
	for _, c := range []struct{ name, text, shown, strip string }{
		{"plain", "Save all", "Save all", "Save all"},
		{"an emoji of two", "ok 👩\u200d💻!", "ok 👩\u200d💻!", "ok 👩💻!"},
		{"a heart, with too much behind it", "❤\ufe0f\ufe0f\u200b", "❤\ufe0f", "❤"},
		{"a Persian word", "\u200bمی\u200cخواهم", "می\u200cخواهم", "میخواهم"},
		{"joiners of nothing", "a\u200db\u200cc\ufe0f", "abc", "abc"},
	} {
		if shown, strip := Shown(c.text), Strip(c.text); shown != c.shown || strip != c.strip {
			t.Errorf("%s: %q is shown as %q, want %q, and compared as %q, want %q", c.name, c.text, shown, c.shown, strip, c.strip)
		}
	}
}
