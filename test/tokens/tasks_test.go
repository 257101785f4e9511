package tokens

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// A task is what an agent does in an application that nobody here wrote. Its arguments have the
// name of the application in place of its address.
type task struct {
	name  string
	calls []string
	says  string // what the answers say when it is done
	most  int    // the most tokens of all answers
}

var tasks = []task{
	{"AG Grid: sort 1,000 rows by a column, descending", []string{
		`{"action":"open","url":"WIDGETS/grid.html"}`,
		`{"action":"batch","actions":[{"kind":"click","ref":"{columnheader \"Score}"},{"kind":"click","ref":"{columnheader \"Score}"}],"snapshot":"delta"}`,
	}, "1008", 2200},
	{"AG Grid: read row 500", []string{
		`{"action":"open","url":"WIDGETS/grid.html"}`,
		`{"action":"scroll","ref":"{grid}","deltaY":21000}`,
		`{"action":"find","text":"Animal 500"}`,
	}, `gridcell "Animal 500"`, 850},
	{"AG Grid: edit a cell", []string{
		`{"action":"open","url":"WIDGETS/grid.html"}`,
		`{"action":"click","ref":"{gridcell \"Animal 2}","doubleClick":true,"snapshot":"delta"}`,
		`{"action":"type","ref":"{textbox}","text":"Old Homer","submit":true,"snapshot":"delta"}`,
	}, `"Old Homer"`, 970},
	{"FullCalendar: name what happens on a day", []string{
		`{"action":"open","url":"WIDGETS/calendar.html"}`,
		`{"action":"click","ref":"{gridcell \"March 12}","dialog":{"accept":true,"promptText":"Holiday"},"snapshot":"delta"}`,
	}, "Holiday", 2150},
	{"FullCalendar: list the events", []string{
		`{"action":"open","url":"WIDGETS/calendar.html"}`,
		`{"action":"click","ref":"{button \"list}","snapshot":"delta"}`,
	}, "Conference", 2400},
	{"Swagger UI: try out a request", []string{
		`{"action":"open","url":"SWAGGER","snapshot":"none"}`,
		`{"action":"wait","text":"List the animals","snapshot":"efficient"}`,
		`{"action":"click","ref":"{button \"GET /animals}","snapshot":"delta"}`,
		`{"action":"click","ref":"{button \"Try it out}","snapshot":"delta"}`,
		`{"action":"click","ref":"{button \"Execute}","snapshot":"delta"}`,
	}, "Sandy", 1700},
	{"Swagger UI: send a body", []string{
		`{"action":"open","url":"SWAGGER","snapshot":"none"}`,
		`{"action":"wait","text":"List the animals","snapshot":"efficient"}`,
		`{"action":"click","ref":"{button \"POST /animals}","snapshot":"delta"}`,
		`{"action":"click","ref":"{button \"Try it out}","snapshot":"delta"}`,
		`{"action":"type","ref":"{textbox}","text":"{\"name\": \"Pinchy\", \"kind\": \"crab\"}"}`,
		`{"action":"click","ref":"{button \"Execute}","snapshot":"delta"}`,
	}, "201", 1850},
	{"PocketBase: create the first user", []string{
		`{"action":"open","url":"POCKETBASE","snapshot":"none"}`,
		`{"action":"wait","text":"Create your first superuser","snapshot":"efficient"}`,
		`{"action":"batch","actions":[{"kind":"type","ref":"{textbox \"Email}","text":"root@example.com"},{"kind":"type","ref":"{textbox \"Password }","text":"correct horse battery"},` +
			`{"kind":"type","ref":"{textbox \"Password confirm}","text":"correct horse battery"},{"kind":"click","ref":"{button \"Create superuser}"}],"snapshot":"delta"}`,
		`{"action":"wait","text":"New collection","snapshot":"efficient"}`,
	}, "New collection", 1900},
	{"PocketBase: begin a new record", []string{
		`{"action":"click","ref":"{button \"New record}","snapshot":"delta"}`,
	}, "Create users record", 360},
	{"PocketBase: log out", []string{
		`{"action":"press","key":"Escape","snapshot":"delta"}`,
		`{"action":"click","ref":"{button \"root@example.com}","snapshot":"delta"}`,
		`{"action":"click","ref":"{button \"Logout}","snapshot":"delta"}`,
	}, "Forgotten password", 420},
	{"Node-RED: deploy a flow of one node", []string{
		`{"action":"open","url":"NODERED","snapshot":"none"}`,
		`{"action":"wait","text":"Flow 1","snapshot":"efficient"}`,
		`{"action":"find","text":"inject"}`,
		`{"action":"drag","startRef":"{generic \"inject}","endX":300,"endY":200,"snapshot":"delta"}`,
		`{"action":"click","ref":"{link \"Deploy}","snapshot":"delta"}`,
	}, "Successfully deployed", 1600},
	{"Monaco: write a function", []string{
		`{"action":"open","url":"WIDGETS/code.html"}`,
		`{"action":"type","ref":"{textbox \"Editor content}","text":"function add(a, b) {\n  return a + b;\n}","snapshot":"delta"}`,
	}, "return a + b;", 400},
}

// TestTasks does the tasks in the applications of make realworld, which starts them. With
// CHELA_TEST_TOKENS it also writes their table.
func TestTasks(t *testing.T) {
	apps := os.Getenv("CHELA_TEST_APPS")
	if apps == "" {
		t.Skip("make realworld starts the applications")
	}
	address := strings.NewReplacer(strings.Fields(apps)...) // pairs of a name and an address
	s := begin(t)
	var b strings.Builder
	b.WriteString("| | calls | tokens |\n|---|---:|---:|\n")
	for _, task := range tasks {
		s.calls, s.spent = 0, 0
		said := ""
		for _, args := range task.calls {
			s.do(address.Replace(args))
			said += s.last
		}
		if !strings.Contains(said, task.says) {
			t.Errorf("%s: no answer says %q", task.name, task.says)
		}
		if s.spent > task.most {
			t.Errorf("%s: %d tokens, want at most %d", task.name, s.spent, task.most)
		}
		fmt.Fprintf(&b, "| %s | %d | %d |\n", task.name, s.calls, s.spent)
	}
	if os.Getenv("CHELA_TEST_TOKENS") != "" {
		writeTables(t, map[string]string{"tasks": b.String()})
	}
	t.Log("\n" + b.String())
}
