package cli

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"chela/internal/base/config"
	"chela/internal/base/media"
	"chela/internal/op"
	"chela/internal/surface/client"
)

// addServerFlags adds the flags that say which server a command calls. The flag --expect-final
// comes from OpenClaw's command line and has no effect: every answer is final.
func addServerFlags(root *cobra.Command) {
	flags := root.PersistentFlags()
	flags.String("server", "", "call the server at this `URL` ($CHELA_URL), which is started if need be when it is on this machine and no secret is given for it")
	flags.String("token", "", "`TOKEN` of the server ($CHELA_TOKEN)")
	flags.String("password", "", "`PASSWORD` of the server ($CHELA_PASSWORD)")
	flags.String("fingerprint", "", "call only a server whose certificate has this `SHA256` fingerprint, which may be self-signed ($CHELA_FINGERPRINT)")
	flags.String(passwordBefore, "", "")
	flags.Bool("expect-final", false, "")
	flags.MarkHidden(passwordBefore)
	flags.MarkHidden("expect-final")
}

// passwordBefore is the internal name of the flag --password when it stands before the command, see
// line.global. It is needed because the command set credentials has a parameter --password.
const passwordBefore = "server-password"

// flagsForServer are the names of the flags that say which server is called, and with which secret.
var flagsForServer = []string{"server", "token", "password", passwordBefore, "fingerprint"}

// refuseServerFlags returns an error if a command that calls no server gets one of flagsForServer.
func refuseServerFlags(cmd *cobra.Command, hint string) error {
	for _, name := range flagsForServer {
		if cmd.Flags().Changed(name) {
			return &usageError{message: "--" + strings.TrimPrefix(name, "server-") + " is for commands that call a server", hint: hint}
		}
	}
	return nil
}

// choose decides which server r calls, and how. The server of the state directory is called over its
// Unix socket, even if a URL names it by its port. If the URL is on this machine and nobody listens
// there, the server of the state directory will be started at its port. That is not done if a secret
// is given for the URL. Such a URL means another server that does not run now, such as one behind a
// tunnel. Any other server is called at the URL, and never started.
func (r *remote) choose(cmd *cobra.Command) error {
	secret, err := givenSecret(cmd)
	if err != nil {
		return err
	}
	address, _ := cmd.Flags().GetString("server")
	if cmd.Flags().Changed("server") && strings.TrimSpace(address) == "" {
		return &usageError{message: "server must not be blank", hint: "--server http://127.0.0.1:18791"}
	}
	known, err := findDefaultServer(settings(cmd))
	if err != nil {
		return err
	}
	at := known.at
	if address != "" {
		if at, err = client.ParseOrigin(address); err != nil {
			return err
		}
	}
	pin, err := known.pinFor(cmd, at)
	if err != nil {
		return err
	}
	if at == (client.Origin{}) {
		r.client = client.Unix(r.state.Socket, secret)
		return nil
	}
	here, err := r.find(cmd.Context(), at)
	if err != nil {
		return err
	}
	own := here == ownRuns
	if !own && secret == (client.Secret{}) {
		forIt, err := known.secretFor(at)
		if err != nil {
			return err
		}
		// without $CHELA_URL, $CHELA_TOKEN belongs to the user's own server
		own = here == nobody && (forIt == client.Secret{} || known.at != at)
		if !own {
			secret = forIt
		}
	}
	if own {
		r.client, r.port = client.Unix(r.state.Socket, secret), at.Port
		return nil
	}
	r.client, r.afar = client.TCP(at, secret, pin), true
	return nil
}

// A presence says who listens at an origin.
type presence int

const (
	another presence = iota // a server on another machine, another program, or the server of another state directory
	ownRuns                 // the server of the state directory
	nobody                  // nobody listens there, and the server of the state directory does not run
)

// find returns who listens at an origin. An https origin is always another program, since chela's
// server has no https on loopback. If nobody listens at the origin, but the server of the state
// directory runs at another port, find returns an error. A second server for the state directory
// cannot be started.
//
// The port is tried before the state directory is read. A server that listens there and belongs to
// the state directory has taken its lock before, so that running waits for it.
func (r *remote) find(ctx context.Context, at client.Origin) (presence, error) {
	if !at.Loopback() || at.Scheme != "http" {
		return another, nil
	}
	dialer := net.Dialer{Timeout: time.Second}
	conn, failure := dialer.DialContext(ctx, "tcp", net.JoinHostPort(at.Host, strconv.Itoa(at.Port)))
	if failure == nil {
		conn.Close()
	}
	switch server, runs, err := r.running(ctx); {
	case err != nil:
		return another, err
	case runs && server.Port == at.Port:
		return ownRuns, nil
	case failure == nil:
		return another, nil
	case runs:
		return another, op.Errorf(op.Conflict, "no server answers at %s, and that of %s listens on port %d", at, r.state.Dir, server.Port).
			Hinted("chela --server http://127.0.0.1:%d", server.Port)
	}
	return nobody, nil
}

// running reports whether the server of the state directory runs, and returns its entry. A server
// that starts has its port before its entry, and one that ends closes its socket before its port. So
// running waits, for startTime at most, while a server has the lock but does not yet, or no longer,
// answer as announced. The error is the cause of ctx, or says why the entry of a server that runs
// cannot be read.
func (r *remote) running(ctx context.Context) (server config.Server, runs bool, err error) {
	for late := time.After(startTime); ; {
		runs = answers(r.state.Socket())
		server, err = r.state.Server()
		if !runs {
			err = nil // then there may be no entry
		}
		if runs && err == nil || !r.state.IsLocked() {
			return server, runs, err
		}
		select {
		case <-ctx.Done():
			return server, false, context.Cause(ctx)
		case <-late:
			return server, runs, err
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// givenSecret returns the token or password that the flags give. It is also sent over the Unix
// socket, which needs none, so that a wrong secret is always an error. An empty flag, as from a
// shell variable that is not set, is an error, and does not count as a missing flag.
func givenSecret(cmd *cobra.Command) (s client.Secret, err error) {
	for name, to := range map[string]*string{"token": &s.Token, "password": &s.Password, passwordBefore: &s.Password} {
		flag := cmd.Flags().Lookup(name)
		if _, ofOperation := flag.Value.(*flagTexts); ofOperation || !flag.Changed {
			continue
		}
		if *to = flag.Value.String(); *to == "" {
			name = strings.TrimPrefix(name, "server-")
			return s, &usageError{message: name + " must not be blank", hint: "leave --" + name + " out if the server is on this machine"}
		}
	}
	if s.Token != "" && s.Password != "" {
		return s, &usageError{message: "Specify only one of --token or --password"}
	}
	return s, nil
}

// fetchFiles copies the files that an answer names from the server to this machine, see
// [op.Op.CopyFiles]. A file that cannot be fetched, such as a download under way, has no path in
// the answer. If copying fails, the error says that the call itself was carried out.
func (r *remote) fetchFiles(ctx context.Context, o *op.Op, raw json.RawMessage) (json.RawMessage, error) {
	var made struct {
		IDs map[string]string `json:"fileIds"`
	}
	json.Unmarshal(raw, &made) // an answer without files leaves made empty
	return o.CopyFiles(raw, func(there string) (string, error) { return r.fetchFile(ctx, op.BaseName(there), made.IDs[there]) })
}

// fetchFile copies the file with this id and returns its path. If id is "", it returns "".
func (r *remote) fetchFile(ctx context.Context, name, id string) (here string, err error) {
	if id == "" {
		return "", nil
	}
	roots, err := media.Locate(media.Places{Media: r.state.Media()})
	if err != nil {
		return "", err
	}
	here, err = roots.Keep(name, func(w io.Writer) error { return r.client.Fetch(ctx, id, w) })
	if err != nil {
		return "", op.Errorf(op.AsError(err).Code, "the call was made, but its file %s could not be fetched: %v", name, err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fetched = append(r.fetched, here)
	return here, nil
}

// removeFetched removes the files that fetchFile has copied. It is called when the command has
// copied them to the path of --out.
func (r *remote) removeFetched() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, path := range r.fetched {
		os.Remove(path)
	}
}
