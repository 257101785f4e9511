package cli

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"chela/internal/api"
)

// The module that is printed for OpenClaw contains the path of this program, and starts the server by a
// command that does so. The documentation names the variables that are printed with it. The target `make dropin` loads it in a real gateway.
func TestOpenClawModule(t *testing.T) {
	out, problems, code := printed("openclaw-module")
	self, err := ownPath()
	if err != nil {
		t.Fatal(err)
	}
	quoted, err := json.Marshal(self)
	if err != nil {
		t.Fatal(err)
	}
	if code != 0 || !strings.Contains(out, "const chela = "+string(quoted)+";\n") || strings.Contains(out, "CHELA;") {
		t.Errorf("exit code %d: %s", code, out)
	}
	for _, o := range api.Table().Ops {
		if strings.Contains(out, `start = () => run("`+o.Name()+`");`) && o.NeverStart() {
			t.Errorf("the module would start no server by the command %s", o.Name())
		}
	}
	guide, err := os.ReadFile("../../../docs/from-openclaw.md")
	if err != nil {
		t.Fatal(err)
	}
	_, variables, _ := strings.Cut(problems, "with\n")
	variables = strings.TrimSpace(variables)
	if variables == "" || !strings.Contains(string(guide), variables+"\n") {
		t.Errorf("docs/from-openclaw.md lacks %q", variables)
	}
	for name := range strings.FieldsSeq(variables) {
		if name, _, _ = strings.Cut(name, "="); !strings.Contains(out, name+"=") {
			t.Errorf("the module lacks %s", name)
		}
	}
}
