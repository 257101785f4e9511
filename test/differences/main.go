// Command differences runs tests of acts and pages in tabs that a person shares by the extension,
// as `make relay` does. What cannot hold there is in one table: a test of the table must fail, and
// any other must not. So the table cannot list a test that holds by now, or a test that does not
// exist any more.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
)

func main() {
	failed, err := run(os.Args[1:])
	if err != nil {
		failed = append(failed, err.Error())
	}
	for _, line := range failed {
		fmt.Fprintln(os.Stderr, line)
	}
	if len(failed) > 0 {
		os.Exit(1)
	}
}

// run runs the tests of packages and returns what differs from the table.
func run(packages []string) (failed []string, err error) {
	listed, err := list(packages)
	if err != nil {
		return nil, err
	}
	cmd := goTest(packages, "-json", "-count=1", "-timeout=60m", "-p=1", "-skip="+leftOut(table))
	cmd.Stderr = os.Stderr
	cmd.Env = append(os.Environ(), "CHELA_TEST_RELAY=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	tests, err := read(out, os.Stdout)
	cmd.Wait() // read has already found the tests that fail
	if err != nil {
		return nil, err
	}
	return compare(tests, listed, table), nil
}

// goTest returns the command go test, with the flags of `make test`. So it uses again what `make
// test` has compiled.
func goTest(packages []string, flags ...string) *exec.Cmd {
	args := append([]string{"test", "-trimpath", "-vet=off", "-ldflags=-w"}, flags...)
	return exec.Command("go", append(args, packages...)...)
}

// list returns the tests of packages, but not tests within tests.
func list(packages []string) (map[string]bool, error) {
	out, err := goTest(packages, "-list=^Test").Output()
	if err != nil {
		return nil, fmt.Errorf("go test -list: %w", err)
	}
	listed := map[string]bool{}
	for name := range strings.FieldsSeq(string(out)) {
		listed[name] = true
	}
	return listed, nil
}

// leftOut returns a pattern for the tests in the table that are not run.
func leftOut(table []difference) string {
	var names []string
	for _, d := range table {
		if d.leftOut {
			names = append(names, "^"+regexp.QuoteMeta(d.test)+"$")
		}
	}
	return strings.Join(names, "|")
}

// A result says how a test of a package has ended: pass, fail or skip. An empty name of a test
// stands for the whole test program of the package.
type result struct {
	pkg, test, action string
	output            bytes.Buffer
}

// read reads what go test -json says, and shows what fails.
func read(from io.Reader, show io.Writer) (tests []*result, err error) {
	open := map[[2]string]*result{}
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var said struct{ Action, Package, Test, Output string }
		if json.Unmarshal(lines.Bytes(), &said) != nil || said.Package == "" {
			fmt.Fprintln(show, lines.Text()) // errors of the compiler
			continue
		}
		key := [2]string{said.Package, said.Test}
		if open[key] == nil {
			open[key] = &result{pkg: said.Package, test: said.Test}
			tests = append(tests, open[key])
		}
		switch said.Action {
		case "output":
			open[key].output.WriteString(said.Output)
		case "pass", "fail", "skip":
			open[key].action = said.Action
		}
	}
	return tests, lines.Err()
}

// compare returns the differences to a table: tests that fail and have no row, and rows that are
// not needed. The map listed holds the tests that exist.
func compare(tests []*result, listed map[string]bool, table []difference) (failed []string) {
	used := map[string]bool{}
	for _, r := range tests {
		why := r.row(table)
		switch {
		case r.action != "fail" && r.action != "" || r.hasFailingPart(tests):
		case why == "":
			failed = append(failed, fmt.Sprintf("%s %s fails:\n%s", r.pkg, r.test, r.output.String()))
		default:
			used[why] = true
		}
	}
	for _, d := range table {
		if d.leftOut && !listed[d.test] || !d.leftOut && !used[d.test] {
			failed = append(failed, fmt.Sprintf("%s is in the table of differences, and passes or is not there any more", d.test))
		}
	}
	return failed
}

// row returns the test in the table that a test belongs to. This is the test itself, or a test that
// it is a part of.
func (r *result) row(table []difference) string {
	for _, d := range table {
		if r.test == d.test || strings.HasPrefix(r.test, d.test+"/") {
			return d.test
		}
	}
	return ""
}

// hasFailingPart reports whether a test within this one fails, which makes this one fail. A whole
// program fails by any of its tests.
func (r *result) hasFailingPart(tests []*result) bool {
	for _, part := range tests {
		within := r.test == "" && part.test != "" || strings.HasPrefix(part.test, r.test+"/")
		if part.pkg == r.pkg && within && part.action == "fail" {
			return true
		}
	}
	return false
}
