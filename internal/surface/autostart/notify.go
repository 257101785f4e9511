package autostart

import (
	"net"
	"os"
	"strings"
)

// Ready reports to systemd that the server is ready, if systemd has started it. Programs that the
// server starts must not inherit the variable by which this is reported.
func Ready() error {
	const variable = "NOTIFY_SOCKET"
	socket := os.Getenv(variable)
	if socket == "" {
		return nil
	}
	os.Unsetenv(variable)
	if rest, abstract := strings.CutPrefix(socket, "@"); abstract {
		socket = "\x00" + rest
	}
	conn, err := net.Dial("unixgram", socket)
	if err != nil {
		return err
	}
	defer conn.Close()
	_, err = conn.Write([]byte("READY=1"))
	return err
}
