package op

import (
	"net/url"
	"path"
	"slices"
	"strings"
)

// A Pattern is the path of a route, segment by segment; {name} stands for any text.
type Pattern []string

// PatternOf returns the pattern of the path of a route, such as /tabs/{targetId}.
func PatternOf(path string) Pattern { return strings.Split(path[1:], "/") }

// Segments returns the segments of a path as it was sent, without their escapes; false if the path
// is not clean. Such a path (a//b, a/../b) is no route, even when it is escaped.
func Segments(u *url.URL) (segments []string, ok bool) {
	escaped := u.EscapedPath()
	if path.Clean(escaped) != escaped || escaped[0] != '/' {
		return nil, false
	}
	segments = PatternOf(escaped)
	for i, segment := range segments {
		var err error
		if segments[i], err = url.PathUnescape(segment); err != nil {
			return nil, false
		}
	}
	return segments, true
}

// Matches reports whether a path with these segments matches the pattern.
func (p Pattern) Matches(segments []string) bool {
	return slices.EqualFunc(p, segments, func(own, given string) bool {
		return own == given || isOpen(own) && given != ""
	})
}

// Open reports whether a segment of the pattern stands for any text.
func (p Pattern) Open() bool { return slices.ContainsFunc(p, isOpen) }

// Values returns, for a path that matches, the text in the place of each name.
func (p Pattern) Values(segments []string) map[string]string {
	values := map[string]string{}
	for i, own := range p {
		if isOpen(own) {
			values[strings.Trim(own, "{}")] = segments[i]
		}
	}
	return values
}

func isOpen(segment string) bool { return strings.HasPrefix(segment, "{") }
