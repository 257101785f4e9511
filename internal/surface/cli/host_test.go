//go:build unix

package cli

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"chela/internal/base/config"
	"chela/internal/engine/nativehost"
	"chela/internal/op"
	"chela/internal/surface/server"
)

// message returns a text in the form in which Chromium writes it to a native messaging host.
func message(text string) string {
	return string(binary.NativeEndian.AppendUint32(nil, uint32(len(text)))) + text
}

const asksToPair = `{"kind": "pair", "v": 1, "name": "Chromium 156 on Linux"}`

// A browser starts the command, which starts the server and gets a key from it.
func TestHostStartsTheServer(t *testing.T) {
	m := newMachine(t)
	for range 2 { // the second time, the server already runs
		cmd := m.command(hostWord, "--state-dir="+m.state.Dir, "--", nativehost.Origin(), "--parent-window=0")
		cmd.Stdin = strings.NewReader(message(asksToPair))
		out, err := cmd.Output()
		if err != nil || string(out) != message(`{"key":"`+testKey+`","keyId":"`+testKeyID+`"}`) {
			t.Errorf("got %q, %v", out, err)
		}
	}
}

func TestHostAnswersOnlyTheExtension(t *testing.T) {
	asked := 0
	refuse := op.Errorf(op.Conflict, "the relay's port is in use").Hinted("end the program that has it")
	s := pairing(t, func(name string) (string, string, error) {
		asked++
		if name == "Chromium 156 on Linux" {
			return testKeyID, testKey, nil
		}
		return "", "", refuse
	})
	for _, test := range []struct{ name, origin, input, out, errs string }{
		{"the extension", nativehost.Origin(), message(asksToPair), message(`{"key":"` + testKey + `","keyId":"` + testKeyID + `"}`), ""},
		{"a refusal", nativehost.Origin(), message(`{"kind": "pair", "v": 1, "name": "x"}`),
			message(`{"error":"the relay's port is in use","hint":"end the program that has it"}`), "the relay's port is in use"},
		{"another request", nativehost.Origin(), message(`{"kind": "key", "v": 1}`),
			message(`{"error":"` + nativehost.ErrRequest.Error() + `","hint":""}`), nativehost.ErrRequest.Error()},
		{"another extension", "chrome-extension://ponmlkjihgfedcbaponmlkjihgfedcba/", message(asksToPair), "", "is not chela's extension"},
		{"a page", "https://evil.example/", message(asksToPair), "", "is not chela's extension"},
	} {
		var out, errs bytes.Buffer
		p := program()
		p.In, p.Out, p.Err = strings.NewReader(test.input), &out, &errs
		code := p.Run(t.Context(), []string{hostWord, "--state-dir=" + s.dir, "--", test.origin})
		if out.String() != test.out || !strings.Contains(errs.String(), test.errs) || code == 0 != (test.errs == "") {
			t.Errorf("%s: exit %d, got %q\n%s", test.name, code, out.String(), errs.String())
		}
	}
	if asked != 2 {
		t.Errorf("the server was asked %d times", asked)
	}
}

// If a browser starts the command and sends no request, the command ends by itself.
func TestHostDoesNotHang(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	var out, errs bytes.Buffer
	p := program()
	p.In, p.Out, p.Err = r, &out, &errs
	p.hostTime = 1
	if code := p.Run(t.Context(), []string{hostWord, "--state-dir=" + t.TempDir(), "--", nativehost.Origin()}); code != 1 {
		t.Errorf("exit %d", code)
	}
	var answer struct{ Error string }
	if err := json.Unmarshal(out.Bytes()[4:], &answer); err != nil || !strings.HasPrefix(answer.Error, "not done within") {
		t.Errorf("answered %q, %v", out.String(), err)
	}
}

// pairing starts a server on a state directory of its own. The server makes the extension's keys with
// the function pair.
func pairing(t *testing.T, pair func(string) (string, string, error)) *session {
	s := &session{service: &service{}, dir: t.TempDir()}
	l, err := server.ListenUnix(config.State{Dir: s.dir}.Socket())
	if err != nil {
		t.Fatal(err)
	}
	serveAt(t, server.Options{Runner: s.service, Pair: pair}, l)
	return s
}
