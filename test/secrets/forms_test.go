package secrets

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"html"
	"net/url"
	"strings"
	"sync"
	"testing"
	"unicode/utf16"
)

// forms are the encodings of the value that nobody may find. They are made by the standard library,
// and not by the package that hides them.
var forms = sync.OnceValue(func() map[string]string {
	all := map[string]string{
		"as it is": value, "in JSON": strings.Trim(quoted(value), `"`), "in HTML": html.EscapeString(value),
		"in a query": url.QueryEscape(value), "in a path": url.PathEscape(value), "as the browser writes it in a query": browserQuery(value),
		"as the name of a file": strings.NewReplacer(`"`, "_", "<", "_", ">", "_", "/", "_", "?", "_").Replace(value),
		"as hexadecimal digits": hex.EncodeToString([]byte(value)),
	}
	for how, raw := range map[string][]byte{"UTF-8": []byte(value), "UTF-16LE": utf16Bytes(binary.LittleEndian), "UTF-16BE": utf16Bytes(binary.BigEndian)} {
		all["in "+how] = string(raw)
		for shift := range 3 {
			all["in base64 of "+how+" after "+string(rune('0'+shift))+" bytes"] = core(base64.StdEncoding, raw, shift)
			all["in base64url of "+how+" after "+string(rune('0'+shift))+" bytes"] = core(base64.URLEncoding, raw, shift)
		}
	}
	return all
})

// core returns the characters of an encoding that depend on the value alone, if the value stands
// after shift other bytes.
func core(e *base64.Encoding, raw []byte, shift int) string {
	encoded := e.WithPadding(base64.NoPadding).EncodeToString(append(make([]byte, shift), raw...))
	first := (shift*8 + 5) / 6
	last := (shift + len(raw)) * 8 / 6
	return encoded[first:last]
}

// browserQuery writes a text as encodeURIComponent does.
func browserQuery(text string) string {
	return strings.NewReplacer("+", "%20", "%7E", "~").Replace(url.QueryEscape(text))
}

func utf16Bytes(order binary.ByteOrder) []byte {
	units := utf16.Encode([]rune(value))
	raw := make([]byte, 2*len(units))
	for i, u := range units {
		order.PutUint16(raw[2*i:], u)
	}
	return raw
}

// A search that finds nothing anywhere would prove nothing.
func TestSearch(t *testing.T) {
	for how, form := range forms() {
		if len(form) < 12 || len(search("before "+form+" after")) == 0 {
			t.Errorf("%s: %q is not found", how, form)
		}
	}
	for _, prefix := range []string{"", "a", "ab", "abc"} {
		if len(search(base64.StdEncoding.EncodeToString([]byte(prefix+value+"xyz")))) == 0 {
			t.Errorf("the value is not found in base64 after %q", prefix)
		}
	}
	if found := search("nothing here " + shown); found != nil {
		t.Errorf("found in a text without it: %v", found)
	}
}
