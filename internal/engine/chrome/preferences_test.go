package chrome

import (
	"os"
	"path/filepath"
	"testing"
)

func TestMergeFile(t *testing.T) {
	for _, test := range []struct{ name, old, want string }{
		{"new", "", `{"a":{"b":1,"c":{"d":"x"}}}`},
		{
			"others are kept", `{"a":{"z":true,"c":{"e":2}},"big":9007199254740993}`,
			`{"a":{"b":1,"c":{"d":"x","e":2},"z":true},"big":9007199254740993}`,
		},
		{"same names are replaced", `{"a":{"b":7,"c":"no object"}}`, `{"a":{"b":1,"c":{"d":"x"}}}`},
		{"not JSON", `{"a":`, `{"a":{"b":1,"c":{"d":"x"}}}`},
		{"no object", `null`, `{"a":{"b":1,"c":{"d":"x"}}}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "sub", "Preferences")
			if test.old != "" {
				if err := replaceFile(file, []byte(test.old)); err != nil {
					t.Fatal(err)
				}
			}
			if err := mergeFile(file, values{"a": values{"b": 1, "c": values{"d": "x"}}}); err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(file)
			if err != nil || string(got) != test.want {
				t.Errorf("file = %s, %v, want %s", got, err, test.want)
			}
			info, err := os.Stat(file)
			if err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("mode = %v, %v", info.Mode(), err)
			}
			if left, _ := os.ReadDir(filepath.Dir(file)); len(left) != 1 {
				t.Errorf("left beside it: %v", left)
			}
		})
	}
}

func TestColor(t *testing.T) {
	for color, want := range map[string]int32{"#FF4500": -47872, "#000000": -16777216, "#ffffff": -1} {
		if got, err := argb(color); err != nil || *got != want {
			t.Errorf("%s = %v, %v, want %d", color, got, err, want)
		}
	}
	for _, color := range []string{"FF4500", "#FF450", "#FF45001", "red", "#GG0000", "#"} {
		if got, err := argb(color); err == nil {
			t.Errorf("%q = %d, want an error", color, *got)
		}
	}
	if got, err := argb(""); got != nil || err != nil {
		t.Errorf("none = %v, %v", got, err)
	}
}
