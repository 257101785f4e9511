package op

import (
	"encoding/json"
	"strings"
)

// PageText is text that comes from a page, or quotes one. The agent tool puts it between boundaries,
// so that the model can distinguish it from the tool's own words.
type PageText string

// File is the path of a file that an operation made. If the file is a picture, agents also get the
// picture itself.
type File string

// Upload is the path of a file to upload. The command line sends the file to the server first, and
// replaces the path by a reference to what the server received.
type Upload string

// Input is a file that chela itself reads, such as a saved state, and that no page gets. The
// command line takes the path of a file anywhere, and sends the file to the server. It then
// replaces the path by a reference to what the server received. Over HTTP it is such a reference,
// as POST /files answers it, or the path of a file in the folder for uploads.
type Input string

// IsContent reports whether an Input is the content itself and no path. That content is a command
// of curl, as developer tools copy it.
func (i Input) IsContent() bool {
	return strings.HasPrefix(strings.TrimSpace(string(i)), "curl ") || strings.HasPrefix(strings.TrimSpace(string(i)), "curl.exe ")
}

// Place is the path at which the server saves a file for a caller. It is relative to the folder for
// such files, or absolute and below it. Any other path is refused.
type Place string

// Record is the path at which the server saves a record of what was done, such as a trace. It is
// relative to the folder of temporary files. If it is left out, the server chooses a name, and removes
// the file after a time.
type Record string

// A Document is a result that the command line writes as JSON to the file that its word {out}
// names. The file has what Document returns.
type Document interface{ Document() any }

// Out is the word of a command line that names the file for a [Document]. It is not a parameter:
// the command line writes the file, and the server has no part in it.
const Out = "out"

// Asked is a text that must not stand on a command line, where other programs of the machine can
// read it. The command line asks a person for it, or reads standard input by the flag --stdin. Its
// tag flag must be "-".
type Asked string

// Content is the content of a file. The command line takes the path of the file, and sends what is
// in it; - is standard input. Unlike a file that is given by [Input], the server keeps no copy.
type Content string

// JSON is an object or a list. The command line takes it as it is, or the path of the file that has
// it; - is standard input. A request may also have it as a text, as models write it.
type JSON json.RawMessage

// IsJSON reports whether a text of the command line is an object or a list, rather than a path.
func IsJSON(text string) bool {
	text = strings.TrimSpace(text)
	return strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[")
}

// UnmarshalJSON keeps the JSON, or the JSON that is in a text.
func (j *JSON) UnmarshalJSON(raw []byte) error {
	var text string
	if json.Unmarshal(raw, &text) == nil && IsJSON(text) {
		raw = []byte(text)
	}
	*j = append((*j)[:0], raw...)
	return nil
}

// MarshalJSON returns the JSON.
func (j JSON) MarshalJSON() ([]byte, error) { return json.RawMessage(j).MarshalJSON() }

// JSONSchema returns a schema that allows anything: an object or a list.
func (JSON) JSONSchema() Object { return Object{} }
