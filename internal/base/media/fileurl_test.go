package media

import "testing"

func TestFileURL(t *testing.T) {
	for path, want := range map[string]string{
		"/tmp/a b.png":       "file:///tmp/a%20b.png",
		"C:/Users/ada/x.png": "file:///C:/Users/ada/x.png",
	} {
		if got := FileURL(path); got != want {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
}
