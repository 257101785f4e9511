package fleet

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nkeys"

	"chela/test/service"
)

// A lock is a way in which a server of NATS decides which machines to let in.
type lock struct {
	server string            // configuration of the server
	right  string            // fleet settings of a machine that is let in
	wrong  map[string]string // fleet settings of machines that are refused, and the message that each gets
}

// By TLS, NKeys and JWTs machines with the right credentials reach each other. Others are refused
// by name.
func TestCredentials(t *testing.T) {
	for name, make := range map[string]func(*testing.T) lock{"TLS": tlsLock, "NKey": nkeyLock, "JWT": jwtLock} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := make(t)
			b := newBroker(t, "-c", file(t, "server.conf", l.server))
			at := b.url()
			if name == "TLS" {
				at = strings.Replace(at, "nats:", "tls:", 1)
			}
			in := func(fleet string) string { return stateDir(t, "{fleet: {"+fleet+"},") }
			service.Run(t, in(l.right), "node", "--nats", at, "--name", "mac")
			here := service.Run(t, in(l.right), "serve", "--nats", at)
			here.OK(t, "GET /tabs?target=node&node=mac", nil)
			for fleet, want := range l.wrong {
				if said := service.Fail(t, in(fleet), "node", "--nats", at, "--name", "other"); !strings.Contains(said, want) {
					t.Errorf("with {%s} it says %s, and not %q", fleet, said, want)
				}
			}
		})
	}
}

// notLetIn begins the message about a machine that NATS refuses.
const notLetIn = "NATS does not let this machine in: "

// tlsLock makes a certificate for the server, and one for clients, which the server wants.
func tlsLock(t *testing.T) lock {
	var made [2][2]string // certificate and key, of the server and of a client
	for i := range made {
		cert, key := newCertificate(t)
		made[i] = [2]string{file(t, fmt.Sprintf("%d.pem", i), cert), file(t, fmt.Sprintf("%d.key", i), key)}
	}
	server, client := made[0], made[1]
	tls := func(ca string, own [2]string) string {
		return fmt.Sprintf("tls: {ca: %q, cert: %q, key: %q}", ca, own[0], own[1])
	}
	return lock{
		server: fmt.Sprintf("tls {cert_file: %q, key_file: %q, ca_file: %q, verify: true}", server[0], server[1], client[0]),
		right:  tls(server[0], client),
		wrong: map[string]string{
			fmt.Sprintf("tls: {ca: %q}", server[0]):                      notLetIn,
			tls(server[0], server):                                       notLetIn,
			tls(client[0], client):                                       notLetIn + "nats: tls error: tls: failed to verify certificate",
			tls(server[0], [2]string{client[0], readable(t, client[1])}): "fleet.tls.key is ",
		},
	}
}

// newCertificate makes a certificate for a server or a client at 127.0.0.1, signed by its own key.
func newCertificate(t *testing.T) (cert, key string) {
	t.Helper()
	own := must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	raw := must(x509.CreateCertificate(rand.Reader, template, template, own.Public(), own))
	return text("CERTIFICATE", raw), text("PRIVATE KEY", must(x509.MarshalPKCS8PrivateKey(own)))
}

func text(kind string, raw []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: raw}))
}

// nkeyLock lets in machines that have the seed of a key.
func nkeyLock(t *testing.T) lock {
	public, seed := newKey(t, nkeys.CreateUser)
	_, other := newKey(t, nkeys.CreateUser)
	right := file(t, "right.nk", seed)
	credentials := func(path string) string { return fmt.Sprintf("credentials: %q", path) }
	return lock{
		server: fmt.Sprintf("authorization {users: [{nkey: %s}]}", public),
		right:  credentials(right),
		wrong: map[string]string{
			credentials(file(t, "other.nk", other)): notLetIn + "nats: Authorization Violation",
			"":                                      notLetIn,
			credentials(readable(t, right)):         "which other users can read: chmod 600",
			credentials(right + ".none"):            "and there is no such file",
			credentials(file(t, "broken.nk", "broken")): "read the seed of an NKey in",
		},
	}
}

// jwtLock lets in clients with a JWT of its account and the key that belongs to it.
func jwtLock(t *testing.T) lock {
	operator, operatorKey := pair(t, nkeys.CreateOperator)
	account, accountKey := pair(t, nkeys.CreateAccount)
	_, strangerKey := pair(t, nkeys.CreateAccount)
	operatorJWT := must(jwt.NewOperatorClaims(operator).Encode(operatorKey))
	accountJWT := must(jwt.NewAccountClaims(account).Encode(operatorKey))
	credentials := func(name string, of nkeys.KeyPair) string {
		public, seed := newKey(t, nkeys.CreateUser)
		creds := must(jwt.FormatUserConfig(must(jwt.NewUserClaims(public).Encode(of)), []byte(seed)))
		return file(t, name+".creds", string(creds))
	}
	right := credentials("right", accountKey)
	named := func(path string) string { return fmt.Sprintf("credentials: %q", path) }
	return lock{
		server: fmt.Sprintf("operator: %s\nresolver: MEMORY\nresolver_preload: {%s: %s}", operatorJWT, account, accountJWT),
		right:  named(right),
		wrong: map[string]string{
			named(credentials("stranger", strangerKey)): notLetIn + "nats: Authorization Violation",
			"":                        notLetIn,
			named(readable(t, right)): "which other users can read: chmod 600",
		},
	}
}

// pair makes a key.
func pair(t *testing.T, create func() (nkeys.KeyPair, error)) (public string, key nkeys.KeyPair) {
	t.Helper()
	key, err := create()
	if err != nil {
		t.Fatal(err)
	}
	return must(key.PublicKey()), key
}

// newKey does the same as pair, and returns the seed of the key.
func newKey(t *testing.T, create func() (nkeys.KeyPair, error)) (public, seed string) {
	t.Helper()
	public, key := pair(t, create)
	return public, string(must(key.Seed()))
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// file writes a file that only its user can read.
func file(t *testing.T, name, content string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// readable copies a file to one that others can read.
func readable(t *testing.T, from string) (path string) {
	t.Helper()
	path = file(t, "open-"+filepath.Base(from), string(must(os.ReadFile(from))))
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}
