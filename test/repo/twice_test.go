package repo

import (
	"encoding"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"chela/internal/api"
	"chela/internal/op"
)

// If a request gives a parameter twice, in its query, path or body, the values must be the same.
// This holds for every operation and every text parameter, under each of its names.
func TestOnlyOneValueIsTaken(t *testing.T) {
	t.Chdir(root)
	s := newSurfaces(t, api.Table())
	for _, o := range api.Table().Ops {
		for _, p := range o.Params() {
			if p.Type.Kind() != reflect.String || len(p.Enum) > 0 || reflect.PointerTo(p.Type).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) {
				continue
			}
			for _, name := range append([]string{p.Name}, p.Aliases...) {
				for _, route := range o.Routes {
					s.ran = ""
					got, err := s.twice(route, p.Name, "one", name, "two")
					if err != nil || !strings.Contains(got, "is given twice") && !strings.Contains(got, "action targetId must match request targetId") || s.ran != "" {
						t.Errorf("%s %s with two %s: got %s %v, ran %q", route.Method, route.Path, name, got, err, s.ran)
					}
					if got, err = s.twice(route, p.Name, "one", name, "one"); err != nil || strings.Contains(got, "is given twice") {
						t.Errorf("%s %s with one %s: got %s %v", route.Method, route.Path, name, got, err)
					}
				}
			}
		}
	}
}

// twice sends a request with one value in the path, or else in the query, and another in the body.
func (s *surfaces) twice(route op.Route, name, value, other, otherValue string) (string, error) {
	path, query := route.Path, url.Values{}
	if route.Field != "" {
		query.Set(route.Field, route.Value)
	}
	if route.InPath(name) {
		path = strings.Replace(path, "{"+name+"}", value, 1)
	} else {
		query.Set(name, value)
	}
	path = regexp.MustCompile("{.*?}").ReplaceAllString(path, "x")
	req, err := http.NewRequest(route.Method, "http://chela"+path+"?"+query.Encode(), strings.NewReader(fmt.Sprintf(`{%q: %q}`, other, otherValue)))
	if err != nil {
		return "", err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := s.http.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	return fmt.Sprint(resp.StatusCode, " ", string(answer)), err
}
