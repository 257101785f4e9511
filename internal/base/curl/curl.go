// Package curl reads the address and the cookies from curl commands. Browsers make such a command
// from a request ("copy as cURL"). The package reads the form for bash and other Unix shells, which
// browsers offer on each system. On Windows they also offer a form for cmd, which is refused.
//
// Chromium makes the commands in generateCurlCommand of front_end/panels/network/NetworkLogView.ts
// in DevTools, and Firefox in devtools/client/shared/curl.js. They are read and never run: no
// variable, file name or command in them is expanded.
package curl

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A Request is the request that a command asks for. Its URL is copied from the command, and not
// checked.
type Request struct {
	URL     string
	Cookies []Cookie
}

// A Cookie is a cookie that the command sends with its request. The name may be empty.
type Cookie struct{ Name, Value string }

// Parse reads one or several commands: "copy all as cURL" puts ; or & between them. It is an error
// if the text is no curl command, is for cmd, has no address, or names a file of cookies. Options
// that say nothing of address or cookies are skipped.
func Parse(text string) ([]Request, error) {
	if isForCmd(text) {
		return nil, errors.New("the command is for cmd of Windows, not for bash")
	}
	var requests []Request
	for _, command := range commands(text) {
		r, err := read(command)
		if err != nil {
			return nil, err
		}
		requests = append(requests, r)
	}
	if len(requests) == 0 {
		return nil, errors.New("the text is empty")
	}
	return requests, nil
}

// isForCmd reports whether a text is for cmd of Windows, whose escape character is ^. Chromium
// writes a ^ before the first quote. Other browsers write a ^ at the end of the first line, because
// the command goes on in the next.
func isForCmd(text string) bool {
	quote := strings.IndexAny(text, `"'`)
	first, _, more := strings.Cut(strings.TrimSpace(text), "\n")
	return quote > 0 && text[quote-1:quote+1] == `^"` || more && strings.HasSuffix(strings.TrimSpace(first), "^")
}

// optionsWithValue are the curl options with a value that browsers write, or people who edit such a
// command. All other options are read as if they had no value. If an option is missing here, its
// value is taken for an address.
var optionsWithValue = strings.Fields(`-X --request -H --header -b --cookie -d --data --data-raw --data-binary --data-ascii --data-urlencode --json
	-F --form --form-string -A --user-agent -e --referer -u --user -o --output -x --proxy --url -T --upload-file -m --max-time
	--connect-timeout --resolve --cacert -E --cert --key -c --cookie-jar -w --write-out --retry --tls-max --ciphers --interface`)

// read reads the words of a command. curl would fetch all of several addresses; here the first
// counts. The value of -b is a list of cookies if it has a =, or else the name of a file. See -b in
// curl's manual.
func read(words []string) (r Request, err error) {
	if name := strings.ToLower(words[0]); name != "curl" && name != "curl.exe" {
		return r, fmt.Errorf("the command must begin with curl, not %.40q", words[0])
	}
	for words = words[1:]; len(words) > 0; {
		option, value, rest, err := next(words)
		if err != nil {
			return r, err
		}
		words = rest
		switch option {
		case "-b", "--cookie":
			if !strings.Contains(value, "=") {
				return r, fmt.Errorf("%s names the file %.40q, which is not in the text", option, value)
			}
			r.Cookies = append(r.Cookies, cookies(value)...)
		case "-H", "--header":
			if name, list, ok := strings.Cut(value, ":"); ok && strings.EqualFold(strings.TrimSpace(name), "cookie") {
				r.Cookies = append(r.Cookies, cookies(list)...)
			}
		case "", "--url":
			if r.URL == "" {
				r.URL = value
			}
		}
	}
	if r.URL == "" {
		return r, errors.New("the command has no address")
	}
	return r, nil
}

// next takes the next option with its value, or the next address (then the option is empty), from
// the words. The value of a short option may stand in the same word: -ba=1. Several short options
// in one word, such as -sL, count as one without a value. It is an error if a value is missing.
func next(words []string) (option, value string, rest []string, err error) {
	word, rest := words[0], words[1:]
	short := ""
	if len(word) > 2 && word[0] == '-' && word[1] != '-' {
		short = word[:2]
	}
	switch {
	case !strings.HasPrefix(word, "-"):
		return "", word, rest, nil
	case slices.Contains(optionsWithValue, word) && len(rest) == 0:
		return "", "", nil, fmt.Errorf("%s has no value", word)
	case slices.Contains(optionsWithValue, word):
		return word, rest[0], rest[1:], nil
	case slices.Contains(optionsWithValue, short):
		return short, word[2:], rest, nil
	}
	return word, "", rest, nil
}

// cookies reads the value of a Cookie header. A cookie without a name, which is rare, is
// written as its value alone.
func cookies(header string) (list []Cookie) {
	for pair := range strings.SplitSeq(header, ";") {
		name, value, named := strings.Cut(strings.TrimSpace(pair), "=")
		switch {
		case named:
			list = append(list, Cookie{strings.TrimSpace(name), strings.TrimSpace(value)})
		case name != "":
			list = append(list, Cookie{"", name})
		}
	}
	return list
}
