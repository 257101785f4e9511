package proxy

import (
	"fmt"
	"net"
	"path"
	"strconv"
	"strings"

	"chela/internal/base/hosts"
)

// A nameRule is a rule of Chromium's flag --host-resolver-rules. It is MAP pattern host[:port], MAP
// pattern ~NOTFOUND or EXCLUDE pattern.
type nameRule struct {
	pattern string // may contain * and ?
	port    uint16 // port that the rule is for; 0: all ports
	exclude bool
	missing bool // there is no such host
	to      target
}

// parseNameRules reads a list of rules, separated by commas. The error names the rule.
func parseNameRules(list string) (rules []nameRule, err error) {
	for text := range strings.SplitSeq(list, ",") {
		fields := strings.Fields(text)
		if len(fields) == 0 {
			continue
		}
		rule, ok := parseNameRule(fields)
		if !ok {
			return nil, fmt.Errorf("--host-resolver-rules: cannot read %q", strings.TrimSpace(text))
		}
		rules = append(rules, rule)
	}
	return rules, nil
}

func parseNameRule(fields []string) (r nameRule, ok bool) {
	verb := strings.ToUpper(fields[0])
	if r.exclude = verb == "EXCLUDE"; len(fields) != 3 && !r.exclude || r.exclude && len(fields) != 2 || !r.exclude && verb != "MAP" {
		return r, false
	}
	if r.pattern, r.port, ok = cutPort(strings.ToLower(fields[1])); !ok {
		return r, false
	}
	if _, err := path.Match(r.pattern, ""); err != nil || r.exclude {
		return r, err == nil
	}
	if r.missing = fields[2] == "~NOTFOUND"; r.missing {
		return r, true
	}
	name, port, ok := cutPort(fields[2])
	if !ok {
		return r, false
	}
	r.to.port = port
	r.to.host, ok = hosts.Parse(name)
	return r, ok
}

// cutPort separates a name from its port, which may be missing: then it is 0.
func cutPort(text string) (name string, port uint16, ok bool) {
	colon := strings.LastIndexByte(text, ':')
	if colon < 0 || strings.HasSuffix(text, "]") {
		return text, 0, true
	}
	n, err := strconv.ParseUint(text[colon+1:], 10, 16)
	return text[:colon], uint16(n), err == nil
}

// applyNameRules returns the host and port to which the rules map a target. The error says that by
// the rules the name does not exist.
func applyNameRules(rules []nameRule, to target) (target, error) {
	matches := func(r nameRule) bool {
		found, _ := path.Match(r.pattern, to.host.String()) // the pattern is well formed, and hosts have no slash
		return found && (r.port == 0 || r.port == to.port)
	}
	for _, r := range rules {
		if r.exclude && matches(r) {
			return to, nil
		}
	}
	for _, r := range rules {
		switch {
		case r.exclude || !matches(r):
			continue
		case r.missing:
			return to, &net.DNSError{Err: "no such host", Name: to.host.String(), IsNotFound: true}
		}
		if r.to.port != 0 {
			to.port = r.to.port
		}
		to.host = r.to.host
		return to, nil
	}
	return to, nil
}
