package op

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"chela/internal/base/hidden"
)

// Plain makes text from a page safe to show. Control characters, which a terminal would execute,
// and characters that reverse or hide text (bidirectional controls, tags) are written as escapes
// such as \u202e. Other characters that show nothing are removed, if ordinary texts have them and they
// do not belong to an emoji. The special tokens of language models are also removed.
func Plain(text string) string {
	// Tokens are removed last, since an invisible character may have split one.
	return withoutModelTokens(withoutDeceit(text))
}

// PlainJSON does for JSON what [Plain] does for text. It only escapes characters, so decoding it
// gives the same values as before. It returns raw itself if nothing has to be escaped.
func PlainJSON(raw []byte) []byte {
	var b []byte
	done := 0 // how many bytes of raw are written to b
	for i := 0; i < len(raw); {
		if c := raw[i]; ' ' <= c && c < 0x7f && c != '<' && c != '[' {
			i++
			continue
		}
		r, size := utf8.DecodeRune(raw[i:])
		if r == '<' || deceives(raw, i, r) || opensToken(raw[i:]) {
			instead := escaped(r)
			if r == '\r' {
				instead = " " // in JSON, a carriage return stands only between values
			}
			b = append(append(b, raw[done:i]...), instead...)
			done = i + size
		}
		i += size
	}
	if done == 0 {
		return raw
	}
	return append(b, raw[done:]...)
}

// withoutDeceit escapes or removes the characters that deceive, see package hidden.
func withoutDeceit(text string) string {
	first := strings.IndexFunc(text, hidden.Deceives)
	if first < 0 {
		return text
	}
	var b strings.Builder
	b.WriteString(text[:first])
	raw := []byte(text)
	for i, r := range text[first:] {
		switch {
		case !deceives(raw, first+i, r):
			b.WriteRune(r)
		case !strings.ContainsRune(invisible, r) && !unicode.Is(unicode.Variation_Selector, r):
			b.WriteString(escaped(r))
		}
	}
	return b.String()
}

// Invisible characters that occur in ordinary texts.
const invisible = "\u00ad\u200b\u200c\u200d\u2060\u2800\ufeff\ufffc"

// deceives reports whether the character r at index i of a text deceives, and does not belong to an
// emoji.
func deceives(text []byte, i int, r rune) bool {
	if !hidden.Deceives(r) {
		return false
	}
	before, _ := utf8.DecodeLastRune(text[:i])
	after, _ := utf8.DecodeRune(text[i+utf8.RuneLen(r):])
	return !hidden.Joins(before, r, after)
}

func escaped(r rune) string {
	if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
		return fmt.Sprintf(`\u%04x\u%04x`, high, low)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

const removedToken = "[REMOVED_SPECIAL_TOKEN]"

// bracketTokens are the tokens of language models in square brackets. A slash may follow the first
// bracket.
var bracketTokens = []string{"INST", "SYSTEM_PROMPT", "AVAILABLE_TOOLS", "TOOL_CALLS", "TOOL_RESULTS", "TOOL_CONTENT", "CALL_ID", "THINK"}

var (
	modelTokens = sync.OnceValue(func() *strings.Replacer {
		var pairs []string
		for t := range strings.FieldsSeq("<<SYS>> <</SYS>> <s> </s> <bos> <eos> <start_of_turn> <end_of_turn> <start_of_image> <end_of_image>" +
			" <think> </think> <tool_call> </tool_call> <tool_response> </tool_response>") {
			pairs = append(pairs, t, removedToken)
		}
		for _, t := range bracketTokens {
			pairs = append(pairs, "["+t+"]", removedToken, "[/"+t+"]", removedToken)
		}
		return strings.NewReplacer(pairs...)
	})

	// barTokens matches a word between bars, such as <|im_start|>. Most models have tokens of this
	// form, and each has other words. Some models have wide bars, and ▁ in place of spaces. A slash
	// may stand before the word.
	barTokens = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`<[|｜]/?[A-Za-z0-9_▁-]+[|｜]>`) })
)

// withoutModelTokens replaces the special tokens of language models. A model might take them for
// the end of a message, or for the beginning of another one.
func withoutModelTokens(text string) string {
	if !strings.ContainsAny(text, "<[") {
		return text
	}
	text = modelTokens().Replace(text)
	if strings.Contains(text, "<|") || strings.Contains(text, "<｜") {
		text = barTokens().ReplaceAllString(text, removedToken)
	}
	return text
}

// opensToken reports whether raw begins with a token of a language model in square brackets.
func opensToken(raw []byte) bool {
	word, bracket := bytes.CutPrefix(raw, []byte("["))
	if !bracket {
		return false
	}
	word = bytes.TrimPrefix(word, []byte("/"))
	return slices.ContainsFunc(bracketTokens, func(t string) bool {
		return len(word) > len(t) && string(word[:len(t)]) == t && word[len(t)] == ']'
	})
}
