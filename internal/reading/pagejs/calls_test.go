package pagejs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"chela/internal/reading/pagejs"
)

// The functions of the page script are called by their names: by Go, and by the scripts of other
// frames. No compiler notices a name that does not exist, or a function that has no caller left.
func TestFunctionsExistAndAreCalled(t *testing.T) {
	var exported []string
	p := show(t, "")
	p.eval(nil, pagejs.IndexedDB())
	p.eval(&exported, "Object.keys(chela)")
	calls := callsInGo(t)
	maps.Copy(calls, callsBetweenFrames())
	for _, name := range slices.Sorted(maps.Keys(calls)) {
		if !slices.Contains(exported, name) {
			t.Errorf("%s calls %s, which the page script does not have", calls[name], name)
		}
	}
	for _, name := range exported {
		if calls[name] == "" {
			t.Errorf("the page script has %s, which nobody calls", name)
		}
	}
}

// A page function gets what Go gives it, in this order: ask and askDocument give the number of the element first. An
// argument that the function does not name shows that the two disagree.
func TestFunctionsNameTheirArguments(t *testing.T) {
	p := show(t, "")
	var named map[string]int
	p.eval(&named, `(() => {
		const count = f => {
			let depth = 0, commas = 0, some = false;
			const text = String(f), from = text.indexOf('(');
			if (/^(async )?\w+ =>/.test(text)) return 1;
			for (const c of text.slice(from)) {
				if ('([{'.includes(c)) depth++;
				else if (')]}'.includes(c)) { if (--depth === 0) break; }
				else if (c === ',' && depth === 1) commas++;
				else if (c.trim()) some = true;
			}
			return some ? commas + 1 : 0;
		};
		return Object.fromEntries(Object.entries(chela).filter(([, f]) => typeof f === 'function').map(([name, f]) => [name, count(f)]));
	})()`)
	eachNodeInGo(t, func(at token.Position, n ast.Node) {
		call, ok := n.(*ast.CallExpr)
		if !ok || call.Ellipsis.IsValid() {
			return
		}
		name, given := calledPageFunction(call), len(call.Args)-3
		if strings.HasPrefix(calleeOf(call), "ask") {
			given++
		}
		if most, known := named[name]; known && given > most {
			t.Errorf("%s gives %d arguments to %s, which names %d", at, given, name, most)
		}
	})
}

// callsInGo returns the names of the page functions that Go calls, and for each where it does so. A
// name is a string literal among the arguments of a generic function, such as call[int](ctx, w,
// "refOf", object). Or it is part of a JavaScript expression, such as "chela.element(n)".
func callsInGo(t *testing.T) map[string]string {
	calls := map[string]string{}
	inExpression := regexp.MustCompile(`\bchela\.(\w+)\(`)
	eachNodeInGo(t, func(at token.Position, n ast.Node) {
		switch n := n.(type) {
		case *ast.CallExpr:
			if name := calledPageFunction(n); name != "" {
				calls[name] = at.String()
			}
		case *ast.BasicLit:
			for _, found := range inExpression.FindAllStringSubmatch(n.Value, -1) {
				calls[found[1]] = at.String()
			}
		}
	})
	return calls
}

// eachNodeInGo calls visit with all nodes of the program's Go files.
func eachNodeInGo(t *testing.T, visit func(at token.Position, n ast.Node)) {
	files := token.NewFileSet()
	err := filepath.WalkDir("../..", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if n != nil {
				visit(files.Position(n.Pos()), n)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// calledPageFunction returns the name of the page function that a Go call is for, "" if it is for
// none.
func calledPageFunction(n *ast.CallExpr) string {
	if !slices.Contains([]string{"call", "send", "ask", "askdocument", "inorigins", "sendtoorigins", "sendtoothers", "sendtoframes"}, strings.ToLower(calleeOf(n))) || len(n.Args) < 3 {
		return ""
	}
	literal, ok := n.Args[2].(*ast.BasicLit) // the name follows the context and the world, element or page
	if !ok {
		return ""
	}
	name, _ := strconv.Unquote(literal.Value)
	return name
}

// calleeOf returns the name of the generic function that is called, "" if the called function is not
// generic.
func calleeOf(n *ast.CallExpr) string {
	generic, ok := n.Fun.(*ast.IndexExpr)
	if !ok {
		return ""
	}
	switch fn := generic.X.(type) {
	case *ast.Ident:
		return fn.Name
	case *ast.SelectorExpr:
		return fn.Sel.Name
	}
	return ""
}

// callsBetweenFrames returns the functions that the page script calls in other frames, in the form
// of callsInGo. In these calls the script of the other frame is always a variable named each.
func callsBetweenFrames() map[string]string {
	calls := map[string]string{}
	for _, found := range regexp.MustCompile(`\beach\.(\w+)\(`).FindAllStringSubmatch(pagejs.Source(), -1) {
		calls[found[1]] = "the script of another frame"
	}
	for _, found := range regexp.MustCompile(`\bchela\.(\w+)\(`).FindAllStringSubmatch(pagejs.Document, -1) {
		calls[found[1]] = "document.js"
	}
	return calls
}

// An axis of rotate has a syntax of its own, which no function of transform takes. A single number
// of scale is for both directions.
func TestMappingOfTurnedFrame(t *testing.T) {
	for _, frame := range []struct {
		style      string
		wide, high float64
	}{{"rotate: y 60deg", 0.5, 1}, {"scale: 0.5", 0.5, 0.5}, {"scale: 0.5 2", 0.5, 2}, {"rotate: y 60deg; scale: 0.5; transform: scaleY(4)", 0.25, 2}} {
		p := show(t, `<iframe style="width: 100px; `+frame.style+`" srcdoc=x></iframe>`)
		p.walk("refs: 'all'")
		var at struct {
			A float64 `json:"a"`
			D float64 `json:"d"`
		}
		p.eval(&at, "chela.mapping(chela.find('iframe'))")
		if math.Abs(at.A-frame.wide) > 0.01 || math.Abs(at.D-frame.high) > 0.01 {
			t.Errorf("%s: a pixel of the frame is %v pixels wide and %v high, want %v and %v", frame.style, at.A, at.D, frame.wide, frame.high)
		}
	}
}
