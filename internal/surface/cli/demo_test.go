package cli

import (
	"slices"
	"testing"

	"github.com/spf13/cobra"
)

// The commands of the demo call the server that the demo was given, with all that is needed for that.
func TestDemoCallsTheGivenServer(t *testing.T) {
	cmd := &cobra.Command{}
	cmd.Flags().String("state-dir", "", "")
	cmd.Flags().String("config", "", "")
	addServerFlags(cmd)
	want := []string{"--state-dir", "dir", "--server", "https://127.0.0.1:1", "--token", "t", "--fingerprint", "AB"}
	if err := cmd.ParseFlags(want); err != nil {
		t.Fatal(err)
	}
	if got := settingWords(cmd); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
