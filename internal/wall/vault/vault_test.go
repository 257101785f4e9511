package vault

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zalando/go-keyring"

	"chela/internal/base/config"
	"chela/internal/wall/secret"
)

// A plain keyring is the mock of the library, which takes one call at a time.
type plain struct{}

var oneCall sync.Mutex

func (plain) Set(service, key, value string) error {
	oneCall.Lock()
	defer oneCall.Unlock()
	return keyring.Set(service, key, value)
}

func (plain) Get(service, key string) (string, error) {
	oneCall.Lock()
	defer oneCall.Unlock()
	return keyring.Get(service, key)
}

func (plain) Delete(service, key string) error {
	oneCall.Lock()
	defer oneCall.Unlock()
	return keyring.Delete(service, key)
}

// A silent keyring does not answer until it is unlocked. Then it carries out the calls that wait.
type silent struct {
	plain
	unlocked chan struct{}
}

func (s silent) Set(service, key, value string) error {
	<-s.unlocked
	return s.plain.Set(service, key, value)
}

func (s silent) Get(service, key string) (string, error) {
	<-s.unlocked
	return s.plain.Get(service, key)
}

func newVault(t *testing.T, k ring, configured map[string]Source) *Vault {
	t.Helper()
	keyring.MockInit()
	return open(config.State{Dir: t.TempDir()}, k, func() map[string]Source { return configured })
}

func set(t *testing.T, v *Vault, name, value string, kind Kind, places ...secret.Place) {
	t.Helper()
	if places == nil {
		places = []secret.Place{"https://github.com"}
	}
	if _, err := v.Set(t.Context(), Entry{Name: name, For: places}, value, kind); err != nil {
		t.Fatalf("set %s: %v", name, err)
	}
}

// A secret that was set can be read, listed and removed, in both stores, and by another process.
func TestStores(t *testing.T) {
	for _, kind := range []Kind{File, Keyring} {
		t.Run(string(kind), func(t *testing.T) {
			v := newVault(t, plain{}, nil)
			set(t, v, "github/password", "correct horse", kind)
			set(t, v, "github/username", "ada@example.com", "")
			set(t, v, "github/password", "battery staple", "", "https://other.test")
			v = open(v.state, v.keyring, v.configured)
			got, err := v.Read(t.Context(), "github/password")
			if err != nil || got.Value != "battery staple" || !slices.Equal(got.For, []secret.Place{"https://other.test"}) {
				t.Errorf("read %+v, %v", got, err)
			}
			if shown := secret.Mask("it is battery staple"); strings.Contains(shown, "staple") {
				t.Errorf("a value that was read is shown: %s", shown)
			}
			if err := v.NoteUse(Use{Time: time.Unix(7, 0), Name: "github/password"}); err != nil {
				t.Error(err)
			}
			all, err := v.List()
			if err != nil || len(all) != 2 || all[0].Name != "github/password" || all[0].From != string(kind) || all[0].Used.Unix() != 7 || !all[1].Used.IsZero() || all[0].Ask != Never {
				t.Errorf("listed %+v, %v", all, err)
			}
			if err := v.Remove(t.Context(), "github/password"); err != nil {
				t.Error(err)
			}
			for _, err := range []error{v.Remove(t.Context(), "github/password"), second(v.Entry("github/password")), second(v.Read(t.Context(), "github/password"))} {
				if !errors.Is(err, ErrUnknown) {
					t.Errorf("after its removal: %v", err)
				}
			}
			noValues(t, v.state.Dir, "horse", "staple", "ada@example.com")
		})
	}
}

func second[T any](_ T, err error) error { return err }

// noValues fails the test if a file in dir has one of the texts, or if other users can read it.
func noValues(t *testing.T, dir string, texts ...string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%v %v", files, err)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range texts {
			if strings.Contains(string(raw), text) {
				t.Errorf("%s has %s", file, text)
			}
		}
		if info, err := os.Stat(file); err != nil || !config.IsPrivate(info) {
			t.Errorf("others can read %s (%v)", file, err)
		}
	}
}

// No value stays in the keyring that the index does not list.
func TestNothingIsLeftInTheKeyring(t *testing.T) {
	v := newVault(t, plain{}, nil)
	set(t, v, "a", "value one", Keyring)
	x, err := v.index()
	if err != nil {
		t.Fatal(err)
	}
	first := x.Secrets["a"].Key
	set(t, v, "a", "value two", "")
	if _, err := v.store(x).get(first); !errors.Is(err, ErrMissing) {
		t.Errorf("the replaced value: %v", err)
	}
}

// A full keyring accepts some values, and then fails.
type full struct {
	plain
	room *int
}

func (f full) Set(service, key, value string) error {
	if *f.room--; *f.room < 0 {
		return keyring.ErrSetDataTooBig
	}
	return f.plain.Set(service, key, value)
}

// An import that fails in the middle leaves nothing, neither in the index nor in the keyring.
func TestImportIntoAFullKeyring(t *testing.T) {
	f := full{room: new(int)}
	*f.room = 100
	v := newVault(t, f, nil)
	set(t, v, "a", "value", Keyring)
	*f.room = 2
	_, err := v.Import(t.Context(), strings.NewReader("url,username,password\nhttps://a.test,ada,one\nhttps://b.test,ada,two\n"), "")
	if failed, ok := errors.AsType[*StoreError](err); !ok || !errors.Is(err, keyring.ErrSetDataTooBig) || failed.Kind != Keyring {
		t.Errorf("got %v", err)
	}
	if all, err := v.List(); err != nil || len(all) != 1 {
		t.Errorf("%+v, %v", all, err)
	}
	*f.room = 100
	if err := v.Remove(t.Context(), "a"); err != nil {
		t.Error(err)
	}
}

// A slow keyring tells of each value that it gets.
type slow struct {
	plain
	writing chan string // gets the key before the value is written
}

func (s slow) Set(service, key, value string) error {
	s.writing <- key
	return s.plain.Set(service, key, value)
}

// An import into a slow keyring stops when its time is over, and leaves nothing. Other calls read
// secrets meanwhile, and wait to change them only for as long as they may.
func TestImportIntoASlowKeyring(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := newVault(t, plain{}, nil)
		set(t, v, "a", "value", Keyring)
		s := slow{writing: make(chan string)}
		v.keyring = s
		over, late := errors.New("the time is over"), errors.New("too late")
		ctx, cancel := context.WithCancelCause(t.Context())
		imported := make(chan error)
		go func() {
			imported <- second(v.Import(ctx, strings.NewReader("url,username,password\nhttps://a.test,ada,one\nhttps://b.test,ada,two\n"), ""))
		}()
		key := <-s.writing
		if got, err := v.Read(t.Context(), "a"); err != nil || got.Value != "value" {
			t.Errorf("read meanwhile: %+v, %v", got, err)
		}
		short, end := context.WithCancelCause(t.Context())
		end(late)
		if err := v.Remove(short, "a"); !errors.Is(err, late) {
			t.Errorf("removed meanwhile: %v", err)
		}
		// The second value waits for the keyring. Only then is the time over, and the rest is not written.
		next := <-s.writing
		cancel(over)
		for done := false; !done; {
			select {
			case err := <-imported:
				if done = true; !errors.Is(err, over) {
					t.Errorf("got %v", err)
				}
			case <-s.writing:
			}
		}
		synctest.Wait() // what was written is removed after the answer
		x, err := v.index()
		if err != nil || len(x.Secrets) != 1 {
			t.Errorf("%+v, %v", x, err)
		}
		for _, key := range []string{key, next} {
			if _, err := v.store(x).get(key); !errors.Is(err, ErrMissing) {
				t.Errorf("%s is in the keyring: %v", key, err)
			}
		}
	})
}

// An import that waits for another one gives its accounts other names.
func TestImportsAtTheSameTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := silent{unlocked: make(chan struct{})}
		v := newVault(t, plain{}, nil)
		set(t, v, "a", "value", Keyring)
		v.keyring = s
		var imports sync.WaitGroup
		for _, user := range []string{"ada", "bob"} {
			imports.Go(func() {
				if _, err := v.Import(t.Context(), strings.NewReader("url,username,password\nhttps://b.test,"+user+",value of "+user+"\n"), ""); err != nil {
					t.Error(err)
				}
			})
			synctest.Wait() // ada's import waits for the keyring, and bob's for ada's
		}
		close(s.unlocked)
		imports.Wait()
		for name, want := range map[string]string{"b-test/password": "value of ada", "b-test-2/password": "value of bob"} {
			if got, err := v.Read(t.Context(), name); err != nil || got.Value != want {
				t.Errorf("%s: %+v, %v", name, got, err)
			}
		}
	})
}

// A program that does not end is stopped when the call ends.
func TestSourceThatDoesNotEnd(t *testing.T) {
	gone := errors.New("the caller has gone")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(gone)
	v := newVault(t, plain{}, map[string]Source{"slow": {config.NamedSecret{For: []string{"a.test"}}, config.SecretSource{Command: []string{"sleep", "1000"}}}})
	if _, err := v.Read(ctx, "slow"); !errors.Is(err, gone) {
		t.Errorf("got %v", err)
	}
}

// The store is chosen with the first secret. By default it is the keyring, if that answers.
func TestChoiceOfTheStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		unlocked := make(chan struct{})
		defer close(unlocked)
		for _, s := range []struct {
			name   string
			ring   ring
			wanted Kind
			want   Kind
			err    error
		}{
			{"it answers", plain{}, "", Keyring, nil},
			{"it is silent", silent{unlocked: unlocked}, "", File, nil},
			{"a silent one is wanted", silent{unlocked: unlocked}, Keyring, "", ErrNoAnswer},
			{"the file is wanted", plain{}, File, File, nil},
		} {
			v, begin := newVault(t, s.ring, nil), time.Now()
			got, err := v.Set(t.Context(), Entry{Name: "a", For: []secret.Place{"https://a.test"}}, "value", s.wanted)
			if got != s.want || !errors.Is(err, s.err) || time.Since(begin) > answerTime {
				t.Errorf("%s: got %s, %v after %s", s.name, got, err, time.Since(begin))
			}
		}
	})
}

// A store that was chosen is used from then on. If it does not answer, that is an error.
func TestNoOtherStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		unlocked := make(chan struct{})
		v := newVault(t, plain{}, nil)
		set(t, v, "a", "the old value", Keyring)
		v.keyring = silent{unlocked: unlocked}
		_, err := v.Read(t.Context(), "a")
		failed, ok := errors.AsType[*StoreError](err)
		if !ok || !errors.Is(err, ErrNoAnswer) || failed.Kind != Keyring {
			t.Errorf("read: %v", err)
		}
		entry := Entry{Name: "a", For: []secret.Place{"https://evil.test"}}
		if _, err := v.Set(t.Context(), entry, "the new value", ""); !errors.Is(err, ErrNoAnswer) {
			t.Errorf("set: %v", err)
		}
		if _, err := v.Set(t.Context(), entry, "the new value", File); err == nil || err.Error() != "the secrets are kept in the keyring, and not in the file" {
			t.Errorf("set into the other store: %v", err)
		}
		close(unlocked) // now the keyring carries out the calls that have waited
		synctest.Wait()
		v.keyring = plain{}
		if got, err := v.Read(t.Context(), "a"); err != nil || got.Value != "the old value" || got.For[0] != "https://github.com" {
			t.Errorf("after that: %+v, %v", got, err)
		}
		if err := v.Remove(t.Context(), "a"); err != nil {
			t.Error(err)
		}
		set(t, v, "b", "value", File) // no secret is in the keyring any more
	})
}

// Damaged files are errors, and no value is lost by them.
func TestDamagedFiles(t *testing.T) {
	for name, s := range map[string]struct {
		damage func(v *Vault) error
		want   string
	}{
		"no key":      {func(v *Vault) error { return os.Remove(v.state.SecretFile(keyFile)) }, "the file of the secrets: its key is gone"},
		"another key": {func(v *Vault) error { _, err := (&fileStore{v.state}).newKey(); return err }, "the file of the secrets: "},
		"an open key": {func(v *Vault) error { return os.Chmod(v.state.SecretFile(keyFile), 0o644) }, "must be a file that only you can read"},
		"no values":   {func(v *Vault) error { return os.Remove(v.state.SecretFile(sealedFile)) }, "it does not have the value any more"},
		"a cut file":  {func(v *Vault) error { return os.Truncate(v.state.SecretFile(sealedFile), 210) }, "the file of the secrets: "},
		"a cut index": {func(v *Vault) error { return os.Truncate(v.state.SecretFile(indexFile), 20) }, "the index of secrets cannot be read"},
		"an index without a store": {func(v *Vault) error {
			return os.WriteFile(v.state.SecretFile(indexFile), []byte(`{"version": 1, "secrets": {"a": {"for": ["https://a.test"]}}}`), 0o600)
		}, "the index of secrets cannot be read"},
		"an empty index": {func(v *Vault) error { return os.WriteFile(v.state.SecretFile(indexFile), []byte("{}"), 0o600) }, "the index of secrets cannot be read"},
		"a newer program": {func(v *Vault) error {
			return os.WriteFile(v.state.SecretFile(indexFile), []byte(`{"version": 99}`), 0o600)
		}, "was written by a newer chela"},
	} {
		v := newVault(t, plain{}, nil)
		set(t, v, "a", "the value", File)
		if err := s.damage(v); err != nil {
			t.Fatal(err)
		}
		if _, err := v.Read(t.Context(), "a"); err == nil || !strings.Contains(err.Error(), s.want) {
			t.Errorf("%s: read: %v", name, err)
		}
		if name == "no values" {
			continue // a missing file is made again
		}
		if _, err := v.Set(t.Context(), Entry{Name: "b", For: []secret.Place{"https://a.test"}}, "value", ""); err == nil {
			t.Errorf("%s: a secret could be set", name)
		}
	}
}

func TestWhatIsRefused(t *testing.T) {
	v := newVault(t, plain{}, map[string]Source{"fixed": {config.NamedSecret{For: []string{"https://a.test"}}, config.SecretSource{Variable: "X"}}})
	here := []secret.Place{"https://a.test"}
	for _, s := range []struct {
		entry       Entry
		value, want string
	}{
		{Entry{Name: "A", For: here}, "x", "the name of a secret must be"},
		{Entry{Name: strings.Repeat("a", 201), For: here}, "x", "the name of a secret must be"},
		{Entry{Name: "a"}, "x", "no origin is given"},
		{Entry{Name: "a", For: here, Ask: "often"}, "x", "ask is"},
		{Entry{Name: "a", For: here}, "", "the value is empty"},
		{Entry{Name: "a", For: here}, "xyzzy\nxyzzy", "line break"},
		{Entry{Name: "a", For: here}, "xyzzy\x00", "control character"},
		{Entry{Name: "a", For: here}, "xyzzy\xff", "UTF-8"},
		{Entry{Name: "a", For: here}, strings.Repeat("xyzzy", 401), "2000 bytes"},
		{Entry{Name: "a", For: here}, "otpauth://totp/xyzzy?secret=GEZDGNBVGY3TQOJQ", "say so with totp"},
		{Entry{Name: "a", For: here, TOTP: true}, "xyzzy not base32!", "no key of one-time codes"},
		{Entry{Name: "a/totp", For: here}, "xyzzy not base32!", "no key of one-time codes"},
		{Entry{Name: "a", For: here, TOTP: true}, "otpauth://hotp/a?secret=GEZDGNBVGY3TQOJQ", "no key of one-time codes"},
		{Entry{Name: "a", For: here, TOTP: true}, "otpauth://totp/a?secret=GEZDGNBVGY3TQOJQ&algorithm=xyzzy", "an algorithm that is not supported"},
		{Entry{Name: "a", For: here, TOTP: true}, "otpauth://totp/a?secret=GEZDGNBVGY3TQOJQ&digits=99", "a digits that is not supported"},
		{Entry{Name: "fixed", For: here}, "x", "secret fixed: browser.secrets of the configuration has it"},
	} {
		_, err := v.Set(t.Context(), s.entry, s.value, File)
		if err == nil || !strings.Contains(err.Error(), s.want) || strings.Contains(err.Error(), "xyzzy") {
			t.Errorf("%+v: got %v, want %s", s.entry, err, s.want)
		}
	}
	if err := v.Remove(t.Context(), "fixed"); !errors.Is(err, ErrConfigured) {
		t.Errorf("removed: %v", err)
	}
}

// A secret that the configuration names is read from its source at each use.
func TestSources(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "password")
	if err := os.WriteFile(file, []byte("from a file\r\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SOME_PASSWORD", "from the environment")
	t.Setenv("SOME_LINES", "one\ntwo")
	from := func(s config.SecretSource) Source { return Source{config.NamedSecret{For: []string{"a.test"}}, s} }
	v := newVault(t, plain{}, map[string]Source{
		"env": from(config.SecretSource{Variable: "SOME_PASSWORD"}), "file": from(config.SecretSource{File: file}),
		"exec": from(config.SecretSource{Command: []string{"printf", "%s\\n", "from $a command"}}),
		"none": from(config.SecretSource{Variable: "NO_SUCH"}), "gone": from(config.SecretSource{File: file + ".no"}),
		"folder": from(config.SecretSource{File: dir}),
		"fails":  from(config.SecretSource{Command: []string{"sh", "-c", "echo s3cret >&2; exit 3"}}), "lines": from(config.SecretSource{Variable: "SOME_LINES"}),
		"missing": from(config.SecretSource{Command: []string{"no-such-program-at-all"}}),
		"place":   {config.NamedSecret{For: []string{"http://a.test"}}, config.SecretSource{Variable: "SOME_PASSWORD"}},
	})
	for name, want := range map[string]string{"env": "from the environment", "file": "from a file", "exec": "from $a command"} {
		got, err := v.Read(t.Context(), name)
		if err != nil || got.Value != want || !got.IsFor("https://a.test") {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	for name, want := range map[string]string{
		"none": "secret none: env:NO_SUCH: the server has no such variable", "gone": "no such file", "folder": "it is not a regular file", "fails": "secret fails: exec:sh: exit status 3",
		"missing": "executable file not found", "lines": "line break", "place": "has no encryption",
	} {
		if _, err := v.Read(t.Context(), name); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s: %v", name, err)
		}
	}
	all, err := v.List()
	if _, ok := errors.AsType[*EntryError](err); !ok || len(all) != 9 {
		t.Errorf("listed %d, %v", len(all), err)
	}
	if e, err := v.Entry("exec"); err != nil || e.From != "exec:printf" {
		t.Errorf("%+v, %v", e, err)
	}
}

// The codes follow RFC 6238, and are valid for at least 3 more seconds. The time of a synctest
// bubble begins at 2000-01-01 00:00:00 UTC, at which a period of 30 seconds begins.
func TestOneTimeCodes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := newVault(t, plain{}, nil)
		const key = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ" // from the RFC: 12345678901234567890 in base32
		set(t, v, "a/totp", "gezd gnbv gy3t qojq gezd gnbv gy3t qojq", File)
		set(t, v, "b/totp", "otpauth://totp/Site:ada?secret="+key+"&digits=8&period=60&algorithm=SHA1&issuer=Site", File)
		read := func(name string) string {
			got, err := v.Read(t.Context(), name)
			if err != nil {
				t.Fatal(err)
			}
			return got.Value
		}
		first := read("a/totp")
		time.Sleep(27 * time.Second)
		if got := read("a/totp"); got != first || time.Now().Second() != 27 {
			t.Errorf("with 3 seconds left: %s, then %s", first, got)
		}
		time.Sleep(time.Millisecond)
		next := read("a/totp")
		if next == first || time.Now().Second() != 30 {
			t.Errorf("with less than 3 seconds left: %s at second %d", next, time.Now().Second())
		}
		for _, text := range []string{first, next, key, "gezd gnbv gy3t qojq gezd gnbv gy3t qojq"} {
			if shown := secret.Mask("<" + text + ">"); shown != "<«secret:a/totp»>" && shown != "<«secret:b/totp»>" {
				t.Errorf("%s is shown as %s", text, shown)
			}
		}
		time.Sleep(31 * time.Second) // one period after the end of the first code, and a second more
		if got := secret.Mask(first); got != first {
			t.Errorf("an old code is hidden: %s", got)
		}
		if got := read("b/totp"); len(got) != 8 {
			t.Errorf("8 digits: %s", got)
		}
		// The RFC lists this code for the time 1234567890.
		k, err := parseKey(fmt.Sprintf("otpauth://totp/a?secret=%s&digits=8", key))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := generate(k, time.Unix(1234567890, 0)); got != "89005924" || err != nil {
			t.Errorf("got %s, %v", got, err)
		}
	})
}

// The log is bounded, and keeps the last use of each secret.
func TestLog(t *testing.T) {
	v := newVault(t, plain{}, nil)
	if all, err := v.Log(); err != nil || len(all) != 0 {
		t.Errorf("%v, %v", all, err)
	}
	rare := Use{Time: time.Unix(1, 0).UTC(), Name: "rare", Session: "s1", Origin: "https://a.test", Tab: "t1", Profile: "chela", Op: "type"}
	if err := v.NoteUse(rare); err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("s", 5000)
	for i := range maxLog / 5000 * 2 {
		if err := v.NoteUse(Use{Time: time.Unix(int64(i+2), 0).UTC(), Name: "often", Session: long}); err != nil {
			t.Fatal(err)
		}
	}
	all, err := v.Log()
	info, statErr := os.Stat(v.state.SecretFile(logFile))
	if err != nil || statErr != nil || info.Size() > maxLog || info.Size() < maxLog/3 || all[0] != rare || !config.IsPrivate(info) {
		t.Errorf("%d uses, %v; %v, %v", len(all), err, info, statErr)
	}
	last := all[len(all)-1]
	if last.Time.Unix() != int64(maxLog/5000*2+1) {
		t.Errorf("the last is of %s", last.Time)
	}
}

// A process may be killed while it writes a use. The next use is not lost for that.
func TestLogAfterAPartOfALine(t *testing.T) {
	v := newVault(t, plain{}, nil)
	if err := os.WriteFile(v.state.SecretFile(logFile), []byte(`{"time":"2026-01-`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"first", "second"} {
		if err := v.NoteUse(Use{Name: name}); err != nil {
			t.Fatal(err)
		}
	}
	if all, err := v.Log(); err != nil || len(all) != 2 || all[0].Name != "first" {
		t.Errorf("got %v, %v", all, err)
	}
}

// What is wrong with the configuration is listed by name.
func TestHealthIsInOrder(t *testing.T) {
	configured := map[string]Source{}
	for _, name := range []string{"c", "a", "e", "b", "d"} {
		configured[name] = Source{config.NamedSecret{For: []string{"no origin"}}, config.SecretSource{Variable: "X"}}
	}
	v := newVault(t, plain{}, configured)
	var names []string
	for _, wrong := range v.Health().Wrong {
		names = append(names, wrong.Name)
	}
	if want := []string{"a", "b", "c", "d", "e"}; !slices.Equal(names, want) {
		t.Errorf("got %q, want %q", names, want)
	}
}

// A keyring that answers, and has lost the values, does not work.
func TestHealthOfAKeyringWithoutValues(t *testing.T) {
	v := newVault(t, plain{}, nil)
	set(t, v, "a", "value", Keyring)
	if h := v.Health(); h.Failed != nil {
		t.Errorf("got %v", h.Failed)
	}
	keyring.MockInit()
	if h := v.Health(); !errors.Is(h.Failed, ErrMissing) || !strings.HasSuffix(h.Failed.Error(), ": a") {
		t.Errorf("with an empty keyring: %v", h.Failed)
	}
}

// A hesitant keyring takes some time for each value.
type hesitant struct{ plain }

func (h hesitant) Get(service, key string) (string, error) {
	time.Sleep(400 * time.Millisecond)
	return h.plain.Get(service, key)
}

// The same lost values are named each time, as many as can be found in a short time.
func TestHealthNamesLostValuesInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := newVault(t, plain{}, nil)
		for _, name := range []string{"e", "d", "c", "b", "a"} {
			set(t, v, name, "value", Keyring)
		}
		keyring.MockInit()
		for ring, want := range map[ring]string{plain{}: ": a, b, c, d, e", hesitant{}: ": a, b, c"} {
			v.keyring = ring
			if h := v.Health(); !errors.Is(h.Failed, ErrMissing) || !strings.HasSuffix(h.Failed.Error(), want) {
				t.Errorf("got %v, want %s", h.Failed, want)
			}
		}
	})
}

// A file that takes no secrets any more is reported, even if it has no secret.
func TestHealthOfAFileWithoutItsKey(t *testing.T) {
	v := newVault(t, plain{}, nil)
	set(t, v, "a", "the value", File)
	if err := errors.Join(v.Remove(t.Context(), "a"), os.Remove(v.state.SecretFile(keyFile))); err != nil {
		t.Fatal(err)
	}
	if h := v.Health(); !errors.Is(h.Failed, errKeyGone) {
		t.Errorf("got %v", h.Failed)
	}
}

// A secret that is kept for settings is sent only while the configuration has it as it was read.
func TestKeptSecretOfAChangedConfiguration(t *testing.T) {
	t.Setenv("SOME_KEY", "the value of a key")
	source := func(variable string, places ...string) Source {
		return Source{config.NamedSecret{For: places}, config.SecretSource{Variable: variable}}
	}
	const name, origin = "changed/key", "https://a.test"
	configured := map[string]Source{}
	v := newVault(t, plain{}, configured)
	for what, next := range map[string]func(){
		"other places":   func() { configured[name] = source("SOME_KEY", "b.test") },
		"another source": func() { configured[name] = source("OTHER_KEY", "a.test") },
		"removed":        func() { delete(configured, name) },
	} {
		configured[name] = source("SOME_KEY", "a.test")
		s, err := v.Read(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		secret.Keep(s)
		if _, ok := secret.Reveal("secret:"+name, origin); !ok || !secret.IsKept("secret:"+name) {
			t.Errorf("before %s it is not sent", what)
		}
		next()
		if _, ok := secret.Reveal("secret:"+name, origin); ok || secret.IsKept("secret:"+name) {
			t.Errorf("%s: it is still sent", what)
		}
	}
	delete(configured, name)
	set(t, v, name, "a value of the store", "")
	s, err := v.Read(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	secret.Keep(s)
	configured[name] = source("SOME_KEY", "a.test")
	if _, ok := secret.Reveal("secret:"+name, "https://github.com"); ok {
		t.Error("a secret of the store is sent in place of one of the configuration")
	}
}
