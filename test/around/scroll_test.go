package around

import (
	"strings"
	"testing"
)

// A list that loads more at its end is read by scroll and delta. Each scroll to the bottom answers
// with the rows that came, and none twice.
func TestScrollReadsEndlessList(t *testing.T) {
	tab := shared.Open(t, html(`<div id=list role=list aria-label=Rows tabindex=0 style="height:200px;overflow:auto"></div><script>
const pages = 3, size = 20;
let loaded = 0, loading = false;
async function load() {
  if (loading || loaded === pages) return;
  loading = true;
  await fetch('/cookies');
  for (let i = 0; i < size; i++) {
    const row = Object.assign(document.createElement('div'), { textContent: 'Row ' + (loaded * size + i + 1) + '.' });
    row.role = 'listitem';
    list.append(row);
  }
  loaded++;
  loading = false;
}
list.onscroll = () => { if (list.scrollTop + list.clientHeight > list.scrollHeight - 50) load(); };
load();
</script>`))
	tab.Act("wait", args{"text": "Row 20."})
	read, ref := tab.Snapshot(), tab.Ref(`list "Rows"`)
	for range 2 {
		a := tab.Act("scroll", args{"ref": ref, "to": "bottom", "snapshot": "delta"})
		if !strings.Contains(a.Text("effects"), "changed") {
			t.Errorf("answered %s", a.Raw)
		}
		read += a.Text("delta")
	}
	for _, row := range []string{"Row 1.", "Row 20.", "Row 21.", "Row 40.", "Row 41.", "Row 60."} {
		if n := strings.Count(read, row); n != 1 {
			t.Errorf("%q was read %d times in\n%s", row, n, read)
		}
	}
	for _, more := range []string{"false", "true"} { // at first more rows are below, then none
		a := tab.Act("scroll", args{"ref": ref, "direction": "down"})
		if more == "true" {
			a = tab.Act("scroll", args{"ref": ref, "to": "bottom"})
		}
		if a.Text("atEnd") != more {
			t.Errorf("atEnd is not %s: %s", more, a.Raw)
		}
	}
}

func TestScrollAnswers(t *testing.T) {
	tab := shared.Open(t, html(`<body style="margin:0"><div style="width:3000px;height:3000px">`))
	for _, s := range []struct {
		request args
		want    map[string]string
	}{
		{args{"deltaY": 100}, map[string]string{"scrollTop": "100", "scrollHeight": "3000", "scrollLeft": "", "atEnd": "false"}},
		{args{"deltaX": 50, "deltaY": -30}, map[string]string{"scrollTop": "70", "scrollLeft": "50", "scrollWidth": "3000", "atEnd": "false"}},
		{args{"direction": "left"}, map[string]string{"scrollTop": "", "scrollLeft": "0", "atEnd": "true"}},
		{args{"to": "bottom"}, map[string]string{"atEnd": "true", "handledByPage": ""}},
		{args{"direction": "down"}, map[string]string{"atEnd": "true"}},
	} {
		a := tab.Act("scroll", s.request)
		for field, want := range s.want {
			if got := a.Text(field); got != want {
				t.Errorf("%v: %s is %q, want %q: %s", s.request, field, got, want, a.Raw)
			}
		}
	}
	for _, wrong := range []args{{}, {"direction": "down", "to": "top"}, {"direction": "across"}, {"deltaX": 0, "deltaY": 0}, {"ref": "e1", "x": 5, "deltaY": 10}, {"x": -1, "deltaY": 10}, {"y": 100_000, "deltaY": 10}} {
		wrong["kind"] = "scroll"
		if a := tab.Do("POST /act", wrong); a.Status != 400 || a.Text("code") != "ACT_INVALID_REQUEST" {
			t.Errorf("%v: answered %d %s", wrong, a.Status, a.Raw)
		}
	}
}

func TestClickAtPositionAnswers(t *testing.T) {
	tab := shared.Open(t, html(`<button style="width:100px;height:50px;border:0" onclick="title = event.offsetX + ',' + event.offsetY + ' ' + event.detail">Board</button>`))
	tab.Snapshot() // the snapshot gives refs
	ref := tab.Ref(`button "Board"`)
	tab.Act("click", args{"ref": ref, "position": args{"x": 7, "y": 9}, "clickCount": 2})
	if got := tab.Eval("document.querySelector('button').title"); got != "7,9 2" {
		t.Errorf("the page got a click at %q, want 7,9 2", got)
	}
	for _, wrong := range []struct {
		request args
		status  int
		message string
	}{
		{args{"position": args{"x": 7}}, 400, "position requires x and y"},
		{args{"count": 4}, 400, "click count must be 1, 2 or 3"},
		{args{"count": 3, "doubleClick": true}, 400, "click takes doubleClick or count, not both"},
		{args{"position": args{"x": 7, "y": 50}}, 422, "has no such position: it is 100x50 pixels large."},
	} {
		wrong.request["kind"], wrong.request["ref"] = "click", ref
		if a := tab.Do("POST /act", wrong.request); a.Status != wrong.status || !strings.Contains(a.Raw, wrong.message) {
			t.Errorf("%v: answered %d %s", wrong.request, a.Status, a.Raw)
		}
	}
}
