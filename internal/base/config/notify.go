package config

import "net/url"

// A Notify says how a person is told of a question: by a program, or by an address. The zero Notify
// tells nobody.
type Notify struct {
	Command []string // program and its arguments
	URL     string
}

// Notify returns how a person is told of a question.
func (c *Config) Notify() Notify {
	n, _ := notifyOf(c.Dashboard.Notify) // check has already accepted the setting
	return n
}

// notifyOf reads the value of dashboard.notify; false if it is neither a program nor an address.
func notifyOf(value any) (n Notify, ok bool) {
	switch v := value.(type) {
	case nil:
		return n, true
	case string:
		u, err := url.Parse(v)
		return Notify{URL: v}, v == "" || err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
	}
	n.Command, ok = wordsOf(value)
	return n, ok
}

// wordsOf returns a program and its arguments from a list of words in the configuration. If the
// value is no such list, ok is false.
func wordsOf(value any) (words []string, ok bool) {
	list, _ := value.([]any)
	for _, each := range list {
		word, isText := each.(string)
		if !isText {
			return nil, false
		}
		words = append(words, word)
	}
	return words, len(words) > 0 && words[0] != ""
}

// checkNotify is the part of [Config.check] about dashboard.notify.
func (c *Config) checkNotify() *keyError {
	if _, ok := notifyOf(c.Dashboard.Notify); !ok {
		return wrongf("dashboard.notify", "must be a list of words, or an http(s) URL")
	}
	return nil
}
