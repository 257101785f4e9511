package cli

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"
)

// openClawModule is a JavaScript module with which an OpenClaw gateway uses chela. The word CHELA in it
// is replaced by the path of this program, as a JavaScript string.
//
//go:embed openclaw.mjs
var openClawModule []byte

// openClawCommand prints the module, which the user saves as a file. The module itself and a message
// on standard error say how to configure the gateway to load that file.
func (p *Program) openClawCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "openclaw-module",
		Args:  asUsed,
		Short: "Print a module with which an OpenClaw gateway uses chela",
		Long: "Print a module for an OpenClaw gateway (2026.9.6), whose agents and openclaw browser then use chela in place of OpenClaw's own\n" +
			"browser server. The gateway is started with the variables that are printed on standard error.",
		Example: "chela openclaw-module",
		RunE: func(*cobra.Command, []string) error {
			path, err := pathToKeep()
			if err != nil {
				return err
			}
			quoted, err := json.Marshal(path)
			if err != nil {
				return err
			}
			fmt.Fprint(p.Err, "chela: put it into a file, and start the gateway with\n"+
				"  OPENCLAW_EAGER_BROWSER_CONTROL_SERVER=1 OPENCLAW_BROWSER_CONTROL_MODULE=/path/of/the/file.mjs\n")
			_, err = p.Out.Write(bytes.Replace(openClawModule, []byte("= CHELA;"), append([]byte("= "), append(quoted, ';')...), 1))
			return err
		},
	}
}
