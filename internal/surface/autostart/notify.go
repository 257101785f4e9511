package autostart

import (
	"net"
	"os"
)

// Ready reports to systemd that the server is ready, if systemd has started it. It removes the
// environment variable with the socket for this, so that programs that the server starts do not
// inherit it.
func Ready() error {
	const variable = "NOTIFY_SOCKET"
	socket := os.Getenv(variable)
	if socket == "" {
		return nil
	}
	os.Unsetenv(variable)
	conn, err := net.Dial("unixgram", socket) // a leading @ means the same to package net and to systemd
	if err != nil {
		return err
	}
	defer conn.Close()
	_, err = conn.Write([]byte("READY=1"))
	return err
}
