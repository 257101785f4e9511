package main

import (
	"strings"
	"testing"
)

func TestCompare(t *testing.T) {
	ended := func(test, action string) *result { return &result{pkg: "p", test: test, action: action} }
	rows := []difference{{test: "TestA/one", why: "x"}, {test: "TestB", why: "x"}, {test: "TestOut", why: "x", leftOut: true}}
	listed := map[string]bool{"TestOut": true}
	asTold := []*result{ended("", "fail"), ended("TestA", "fail"), ended("TestA/one", "fail"), ended("TestA/two", "pass"), ended("TestB", "fail"), ended("TestB/part", "fail")}
	for _, c := range []struct {
		name   string
		tests  []*result
		listed map[string]bool
		want   string
	}{
		{"as the table says", asTold, listed, ""},
		{"another test fails", append(asTold, ended("TestC", "fail")), listed, "TestC fails"},
		{"a part of another test fails", append(asTold, ended("TestA/three", "fail")), listed, "TestA/three fails"},
		{"a test did not end", append(asTold, ended("TestD", "")), listed, "TestD fails"},
		{"a row's test passes", asTold[:5:5][:4], listed, "TestB is in the table"},
		{"a row's test is not there", asTold, nil, "TestOut is in the table"},
		{"the program fails by itself", []*result{ended("", "fail")}, listed, "p  fails"},
	} {
		got := strings.Join(compare(c.tests, c.listed, rows), "\n")
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestLeftOut(t *testing.T) {
	if got := leftOut([]difference{{test: "TestA"}, {test: "TestB", leftOut: true}}); got != "^TestB$" {
		t.Errorf("got %s", got)
	}
}
