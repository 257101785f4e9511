package manual

import (
	"strings"
	"testing"
)

func TestPage(t *testing.T) {
	for _, name := range []string{"policy", "policy.md", "docs/policy.md"} {
		if text, ok := Page(name); !ok || !strings.HasPrefix(text, "# ") {
			t.Errorf("%s: %v", name, ok)
		}
	}
	for _, name := range []string{"", "README", "nothing", "../SECURITY"} {
		if _, ok := Page(name); ok {
			t.Errorf("there is a page %q", name)
		}
	}
	for _, name := range Names() {
		if !strings.Contains(Contents(), "("+name+".md)") {
			t.Errorf("the list of pages lacks %s", name)
		}
	}
}

func TestSection(t *testing.T) {
	const page = "# Page\nabove\n## Long `part` of it\none\n### Below\ntwo\n```\n# no heading\n```\n## Part\nthree\n"
	for text, want := range map[string]string{
		"part":         "## Part\nthree\n", // equal to the text; the earlier heading only contains it
		"LONG PART OF": "## Long `part` of it\none\n### Below\ntwo\n```\n# no heading\n```\n",
		"below":        "### Below\ntwo\n```\n# no heading\n```\n",
		"page":         page,
		"no heading":   "",
	} {
		if got, ok := Section(page, text); got != want || ok != (want != "") {
			t.Errorf("%s: got %q", text, got)
		}
	}
}

func TestFind(t *testing.T) {
	var got []string
	for _, h := range Find("metrics") {
		got = append(got, h.Page+": "+h.Title)
	}
	if len(got) == 0 || got[0] != "observability: Metrics" {
		t.Errorf("got %q", got)
	}
	if found := Find("live-vi"); len(found) == 0 || found[0] != (Heading{Page: "live-view"}) {
		t.Errorf("got %v", found)
	}
	if found := Find("nothing of this kind"); found != nil {
		t.Errorf("got %v", found)
	}
}
