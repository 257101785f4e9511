package nativehost

import (
	"fmt"
	"strings"
)

// shell returns a script for sh that runs a command. It passes on the argument that the browser
// adds: the origin of the extension. The words of the command are written into the script, because
// the browser may have other environment variables than the user.
func shell(command []string) string {
	var quoted []string
	for _, word := range command {
		quoted = append(quoted, "'"+strings.ReplaceAll(word, "'", `'\''`)+"'")
	}
	return "#!/bin/sh\n# A browser runs this for chela's extension. chela extension install has written it.\n" +
		"exec " + strings.Join(quoted, " ") + ` -- "$@"` + "\n"
}

// batch returns a script like that of shell, but for cmd.exe. The command chcp makes cmd.exe read
// the lines after it as UTF-8.
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

// scriptText returns the script for this operating system. The error is about a word that the
// script cannot contain.
func scriptText(command []string) (string, error) {
	for _, word := range command {
		if hasControl(word) {
			return "", fmt.Errorf("%q has a control character in it", word)
		}
	}
	return script(command), nil
}
