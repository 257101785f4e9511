package nativehost

import (
	"fmt"
	"strings"
)

// shell writes a script for sh that runs a command with what the browser adds: the origin of the
// extension. The browser's environment may be another than the user's, so paths stand in the script.
func shell(command []string) string {
	var quoted []string
	for _, word := range command {
		quoted = append(quoted, "'"+strings.ReplaceAll(word, "'", `'\''`)+"'")
	}
	return "#!/bin/sh\n# A browser runs this for chela's extension. chela extension install has written it.\n" +
		"exec " + strings.Join(quoted, " ") + ` -- "$@"` + "\n"
}

// batch writes the same for cmd.exe, which reads the lines after chcp as UTF-8.
func batch(command []string) string {
	var quoted []string
	for _, word := range command {
		quoted = append(quoted, `"`+strings.ReplaceAll(word, "%", "%%")+`"`)
	}
	return strings.Join([]string{
		"@echo off", "chcp 65001 >nul", "rem A browser runs this for chela's extension. chela extension install has written it.",
		strings.Join(quoted, " ") + " -- %*", "",
	}, "\r\n")
}

// scriptText writes the script of this operating system. The error is about a word that it cannot
// have.
func scriptText(command []string) (string, error) {
	for _, word := range command {
		if hasControl(word) {
			return "", fmt.Errorf("%q has a control character in it", word)
		}
	}
	return script(command), nil
}
