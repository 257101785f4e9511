package listener

import (
	"strings"
	"testing"
)

func TestListensStranger(t *testing.T) {
	const head = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
	const listens = "   0: 0100007F:4967 00000000:0000 0A 00000000:00000000 00:00000000 00000000  UID        0 11 1 0 100 0 0 10 0\n"
	const accepted = "   1: 0100007F:4967 0100007F:C350 01 00000000:00000000 00:00000000 00000000  UID        0 12 1 0 20 4 0 10 -1\n"
	const ours = "   2: 0100007F:C350 0100007F:4967 01 00000000:00000000 00:00000000 00000000  1000        0 13 1 0 20 4 0 10 -1\n"
	of := func(line, user string) string { return strings.Replace(line, "UID", user, 1) }
	for _, test := range []struct {
		name, table string
		want        bool
	}{
		{"nobody", "", false},
		{"the user", of(listens, "1000") + of(accepted, "1000"), false},
		{"root", of(listens, "0") + of(accepted, "0"), false},
		{"another", of(listens, "1001") + of(accepted, "1001"), true},
		{"another, who has not accepted it yet", of(listens, "1001") + of(accepted, "0"), true},
		{"another, who listens no more", of(accepted, "1001"), true},
		{"another on another address", of(listens, "1000") + of(strings.Replace(listens, "0100007F", "00000000", 1), "1001"), true},
		{"another on another port", of(strings.Replace(listens, "4967", "4968", 1), "1001"), false},
		{"a connection of another", of(listens, "1000") + of(strings.Replace(accepted, "C350", "C351", 1), "1001"), false},
		{"another with IPv6", "   0: 00000000000000000000000000000000:4967 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000  1001        0 11 1 0\n", true},
		{"no number", of(listens, "x"), true},
	} {
		if got := listensStranger([]byte(head+test.table+ours), 0x4967, 0xC350, 1000); got != test.want {
			t.Errorf("%s: got %v", test.name, got)
		}
	}
}
