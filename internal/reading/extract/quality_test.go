package extract_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"chela/internal/reading/extract"
)

// The words of the extracted text are compared with the words of each page's main text.
func TestQuality(t *testing.T) {
	const each, mean = 0.95, 0.98
	pages, err := filepath.Glob("testdata/*.html")
	if err != nil || len(pages) == 0 {
		t.Fatal("no pages", err)
	}
	sum := 0.0
	for _, path := range pages {
		p := extract.Extract(extract.Input{HTML: read(t, path), Address: "https://docs.example/page.html"})
		score := f1(p.Text(), read(t, strings.TrimSuffix(path, ".html")+".txt"))
		if sum += score; score < each {
			t.Errorf("%s: F1 is %.3f, want at least %.2f, by %s:\n%s", path, score, each, p.Way, p.Text())
		}
		t.Logf("%-25s %.3f", filepath.Base(path), score)
	}
	if got := sum / float64(len(pages)); got < mean {
		t.Errorf("the mean F1 is %.3f, want at least %.2f", got, mean)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// f1 is the harmonic mean of two shares: of the words in got that are wanted, and of the wanted
// words that got has.
func f1(got, want string) float64 {
	counts := map[string]int{}
	wanted, found, common := words(want), words(got), 0
	for _, word := range wanted {
		counts[word]++
	}
	for _, word := range found {
		if counts[word] > 0 {
			counts[word]--
			common++
		}
	}
	return 2 * float64(common) / float64(len(wanted)+len(found))
}

func words(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
