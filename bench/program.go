package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// commands compares commands that call the server with one that does nothing but start the program.
func (b *bench) commands(ctx context.Context) error {
	run := func(words ...string) func(context.Context) error {
		return func(ctx context.Context) error {
			cmd := exec.CommandContext(ctx, b.bin, words...)
			cmd.Env = b.chela.environment()
			return cmd.Run()
		}
	}
	return b.compare(ctx,
		&subject{name: "chela --version", do: run("--version")},
		&subject{name: "chela status", do: run("status")},
		&subject{name: "chela tabs", do: run("tabs")})
}

const snapshotsBeforeWeighing = 200

// memory reports how much memory a new server uses after many snapshots of a large page.
func (b *bench) memory(ctx context.Context) error {
	s, err := startServer(ctx, b.bin, "")
	if err != nil {
		return err
	}
	defer s.stop()
	if err := s.open(ctx, b.site+"/table?elements=10000"); err != nil {
		return err
	}
	for range snapshotsBeforeWeighing {
		if _, err := s.snapshot(ctx, "format=ai"); err != nil {
			return err
		}
	}
	weight := "not known on this system"
	if bytes, err := resident(s.cmd.Process.Pid); err == nil {
		weight = megabytes(bytes)
	}
	b.table.add(fmt.Sprintf("memory of the server after %d snapshots of 10000 elements", snapshotsBeforeWeighing), weight)
	return nil
}

// resident returns the resident memory of a process in bytes, from Linux's /proc.
func resident(pid int) (int64, error) {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(raw), "VmRSS:")
	kilobytes, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	n, err := strconv.ParseInt(kilobytes, 10, 64)
	return n << 10, err
}

func (b *bench) binary(context.Context) error {
	info, err := os.Stat(b.bin)
	if err != nil {
		return err
	}
	b.table.add("the program", megabytes(info.Size()))
	return nil
}
