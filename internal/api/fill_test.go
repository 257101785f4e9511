package api

import (
	"encoding/json"
	"math"
	"testing"
	"time"
)

func TestReadFields(t *testing.T) {
	for _, s := range []struct {
		name, fields string
		want         field // the last field that was read
		says         string
	}{
		{"text", `[{"ref":"e1","value":" Ada "}]`, field{Ref: "e1", Value: " Ada "}, ""},
		{"a number as it was written", `[{"ref":"e1","value":1.50}]`, field{Ref: "e1", Value: "1.50"}, ""},
		{"a large number", `[{"ref":"e1","value":12345678901234567890}]`, field{Ref: "e1", Value: "12345678901234567890"}, ""},
		{"a state", `[{"ref":"e1","value":true,"type":"checkbox"}]`, field{"e1", "checkbox", "true"}, ""},
		{"a state in other words", `[{"ref":"e1","value":" Yes","type":"radio"}]`, field{"e1", "radio", "true"}, ""},
		{"a state by OpenClaw's default", `[{"ref":"e1","type":"checkbox"}]`, field{"e1", "checkbox", "false"}, ""},
		{"no state", `[{"ref":"e1","value":"checked","type":"checkbox"}]`, field{}, "fields[0] value must be true or false for a checkbox"},
		{"nothing", `[{"ref":"e1","value":null}]`, field{Ref: "e1"}, ""},
		{"no value", `[{"ref":" e1 "}]`, field{Ref: "e1"}, ""},
		{"a ref of digits", `[{"ref":12,"value":"x"}]`, field{Ref: "12", Value: "x"}, ""},
		{"none", `[]`, field{}, "fill requires fields"},
		{"no object", `[{"ref":"e1"},"e2"]`, field{}, "fields[1] must be an object"},
		{"null", `[null]`, field{}, "fields[0] must be an object"},
		{"no ref", `[{"value":"x"}]`, field{}, "fields[0] must include ref"},
		{"a blank ref", `[{"ref":" "}]`, field{}, "fields[0] must include ref"},
		{"a list as value", `[{"ref":"e1","value":["x"]}]`, field{}, "fields[0] value must be a string, number, boolean, or null"},
		{"another key", `[{"ref":"e1","text":"x"}]`, field{}, `fields[0] unsupported field key "text"; supported keys are ref, type, value`},
	} {
		var r fillRequest
		if err := json.Unmarshal([]byte(s.fields), &r.Fields); err != nil {
			t.Fatal(err)
		}
		fields, err := r.read()
		switch {
		case s.says != "" && (err == nil || err.Error() != s.says):
			t.Errorf("%s: got %v, want %q", s.name, err, s.says)
		case s.says == "" && (err != nil || fields[len(fields)-1] != s.want):
			t.Errorf("%s: got %+v, %v, want %+v", s.name, fields, err, s.want)
		}
	}
}

func TestTimeOfAField(t *testing.T) {
	var r fillRequest
	if r.perField() != 8*time.Second {
		t.Errorf("got %v by default", r.perField())
	}
	r.TimeoutMs = 300
	if r.perField() != 300*time.Millisecond {
		t.Errorf("got %v of 300 ms", r.perField())
	}
	if r.TimeoutMs = math.MaxInt; r.perField() != 120*time.Second {
		t.Errorf("got %v at most", r.perField())
	}
}
