package op

import (
	"encoding/json"
	"slices"
	"strings"
)

// ExampleArgs returns the arguments of the operation's example, and their names in the order of the
// example. Flags that are not parameters, such as --out, are left out. It is for help that is not
// about the command line.
func (o *Op) ExampleArgs() (names []string, args Args) {
	args = Args{}
	texts := map[string][]string{}
	give := func(p Param, text string) {
		if texts[p.Name] == nil {
			names = append(names, p.Name)
		}
		texts[p.Name] = append(texts[p.Name], text)
	}
	places := o.places()
	words := splitWords(o.Example)
	for len(words) > 0 {
		word := words[0]
		words = words[1:]
		flag, isFlag := strings.CutPrefix(word, "--")
		switch p, known := o.flagged(flag); {
		case isFlag && known && p.kind().String() == "bool":
			give(p, "true")
		case isFlag && len(words) > 0:
			if known {
				give(p, words[0])
			}
			words = words[1:]
		case len(places) > 0:
			p, _ := o.Param(places[0].Param)
			give(p, word)
			if !places[0].Variadic {
				places = places[1:]
			}
		}
	}
	for name, all := range texts {
		p, _ := o.Param(name)
		args[name], _ = p.Parse(all...) // a test parses all examples
	}
	return names, args
}

// places returns the words of the command line that stand for parameters.
func (o *Op) places() []Arg {
	return slices.DeleteFunc(slices.Clone(o.Args), func(a Arg) bool {
		_, known := o.Param(a.Param)
		return !known
	})
}

// flagged returns the parameter that a flag sets, by its name without dashes.
func (o *Op) flagged(flag string) (Param, bool) {
	i := slices.IndexFunc(o.Params(), func(p Param) bool { return slices.Contains(p.Flags, flag) })
	if i < 0 || flag == "" {
		return Param{}, false
	}
	return o.Params()[i], true
}

// splitWords splits a line into words as a shell does, as far as examples need that: at blanks
// outside of quotes.
func splitWords(line string) (words []string) {
	var word strings.Builder
	quote, begun := rune(0), false
	for _, r := range line + " " {
		switch {
		case r == quote:
			quote = 0
		case quote == 0 && (r == '\'' || r == '"'):
			quote, begun = r, true
		case quote == 0 && r == ' ':
			if begun {
				words = append(words, word.String())
			}
			word.Reset()
			begun = false
		default:
			word.WriteRune(r)
			begun = true
		}
	}
	return words
}

// ordered returns the arguments as a JSON object whose fields have the order of names.
func ordered(names []string, args Args) string {
	fields := make([]string, len(names))
	for i, name := range names {
		key, _ := json.Marshal(name)
		fields[i] = string(key) + ":" + string(args[name])
	}
	return "{" + strings.Join(fields, ",") + "}"
}

// ExampleCall returns the example as a call of the agent tool, if the operation is an action of the
// tool.
func (o *Op) ExampleCall(action string) string {
	names, args := o.ExampleArgs()
	args["action"], _ = json.Marshal(action)
	return ordered(append([]string{"action"}, names...), args)
}
