package curl

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	one := func(url string, cookies ...Cookie) []Request { return []Request{{url, cookies}} }
	for _, c := range []struct {
		name, text string
		want       []Request
	}{
		{"Chromium, bash", "curl 'https://a.test/x?y=1&z=2' \\\n  -H 'accept: */*' \\\n  -b 'a=1; b=x=y; c=' \\\n" +
			"  -H 'sec-ch-ua: \"Chromium\";v=\"150\"' \\\n  --data-raw '{\"a\": \"-b no=1\"}'",
			one("https://a.test/x?y=1&z=2", Cookie{"a", "1"}, Cookie{"b", "x=y"}, Cookie{"c", ""})},
		{"Chromium, bash, with escapes", `curl $'https://a.test/\u0021' -b $'a=it\'s\u0021 \u00e9\n; b=\xc3\xa9\ud83d\ude00\\'`,
			one("https://a.test/!", Cookie{"a", "it's! é"}, Cookie{"b", `é😀\`})},
		{"Firefox, bash", `curl 'http://a.test/' --compressed -X POST -H 'User-Agent: x' -H 'Cookie: a=1; b=2' -H 'Connection: keep-alive'`,
			one("http://a.test/", Cookie{"a", "1"}, Cookie{"b", "2"})},
		{"double quotes", `curl "http://a.test/?q=\$x" -H "cookie: a=\"1\"; b=\z"`,
			one("http://a.test/?q=$x", Cookie{"a", `"1"`}, Cookie{"b", `\z`})},
		{"the address comes last, the value in the same word", `curl -sba=1 -ba=1 --cookie 'b=2' --url http://a.test/`,
			one("http://a.test/", Cookie{"a", "1"}, Cookie{"b", "2"})},
		{"all requests, bash", "curl 'http://a.test/' -b 'a=1' ;\ncurl 'http://b.test/' -b 'b=2' &\n",
			[]Request{{"http://a.test/", []Cookie{{"a", "1"}}}, {"http://b.test/", []Cookie{{"b", "2"}}}}},
		{"a cookie without a name", `curl http://a.test/ -H 'cookie: alone; a=1;'`, one("http://a.test/", Cookie{"", "alone"}, Cookie{"a", "1"})},
		{"an open quote", `curl 'http://a.test/`, one("http://a.test/")},
	} {
		got, err := Parse(c.text)
		if diff := cmp.Diff(c.want, got); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", c.name, err, diff)
		}
	}
}

func TestNoCommand(t *testing.T) {
	for text, want := range map[string]string{
		"":                                       "the text is empty",
		"wget http://a.test/":                    `the command must begin with curl, not "wget"`,
		"curl ^\"http://a.test/^\" -b ^\"a=1^\"": "for cmd of Windows",
		"curl \"http://a.test/\" ^\r\n -b \"a=1\"": "for cmd of Windows",
		"curl -H":                             "-H has no value",
		"curl -b 'a=1'":                       "the command has no address",
		"curl http://a.test/ -b jar.txt":      `-b names the file "jar.txt", which is not in the text`,
		"fetch('http://a.test/', {a: \"1\"})": "the command must begin with curl",
	} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

// Parse ends with a result or an error for any text.
func FuzzParse(f *testing.F) {
	f.Add("curl ^\"a^\" \\x $'\\u12 \" ' ^")
	f.Fuzz(func(t *testing.T, text string) { Parse(text) })
}
