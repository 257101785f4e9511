package vault

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"chela/internal/wall/secret"
)

// Import finds the columns in exports of Chrome, Firefox, Bitwarden, 1Password and Safari by their
// names.
func TestImport(t *testing.T) {
	for _, s := range []struct {
		name, file string
		names      string
		skipped    []string
	}{
		{"Chrome", "name,url,username,password,note\n" +
			"github.com,https://github.com/session,ada,pass-word-1,\n" +
			"github.com,https://github.com/,grace,pass-word-2,\n" +
			"old,http://old.test/,ada,pass-word-3,\n" +
			"app,android://hash==@com.example.app/,ada,pass-word-4,\n" +
			"local,http://localhost:3000/,,pass-word-5,\n" +
			"empty,https://empty.test/,ada,,\n" +
			"lines,https://lines.test/,ada,\"one\ntwo\",\n" +
			"again,https://github.com/login,ada,pass-word-1,\n",
			"github-com/username github-com/password github-com-2/username github-com-2/password localhost-3000/password lines-test/username",
			[]string{"4 : its address is http, without encryption", "5 : its address is of no site", "7 empty.test: it has no password",
				"8 lines.test: secret lines-test/password: the value has a line break or another control character, which no field of a page takes", "10 github.com: line 2 has the same account"}},
		{"Bitwarden", "folder,favorite,type,name,notes,fields,reprompt,login_uri,login_username,login_password,login_totp\n" +
			",,login,Site,,,1,\"https://a.test/x,y,https://b.test\",ada,pass-word-1,gezd gnbv gy3t qojq\n" +
			",,note,Note,text,,0,,,,\n" +
			",,login,Bad,,,0,https://c.test,,pass-word-2,!!!\n",
			"a-test/username a-test/password a-test/totp c-test/password",
			[]string{"3 : it is no login", "4 c.test: secret c-test/totp: the value is no key of one-time codes: it must be an otpauth:// URL for totp, or the key in base32"}},
		{"1Password", "\xef\xbb\xbfTitle,Url,Username,Password,OTPAuth,Favorite,Archived,Tags,Notes\r\n" +
			"Site,https://a.test,ada,pass-word-1,otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ,false,false,,\r\n" +
			"Old,https://b.test,ada,pass-word-2,,false,true,,\r\n",
			"a-test/username a-test/password a-test/totp", []string{"3 : it is archived"}},
		{"Firefox", "\"url\",\"username\",\"password\",\"httpRealm\",\"formActionOrigin\",\"guid\"\n\"https://bücher.test\",\"a\",\"pass-word\",,,\n",
			"xn-bcher-kva-test/username xn-bcher-kva-test/password", nil},
		{"Safari", "Title,URL,Username,Password,Notes,OTPAuth\nSite,https://a.test/,ada,pass-word,,\n", "a-test/username a-test/password", nil},
	} {
		v := newVault(t, plain{}, nil)
		got, err := v.Import(t.Context(), strings.NewReader(s.file), File)
		if err != nil || strings.Join(got.Names, " ") != s.names {
			t.Errorf("%s: got %v, %v", s.name, got.Names, err)
		}
		var skipped []string
		for _, each := range got.Skipped {
			skipped = append(skipped, fmt.Sprintf("%d %s: %s", each.Line, each.Site, each.Why))
		}
		if !slices.Equal(skipped, s.skipped) {
			t.Errorf("%s: skipped %q", s.name, skipped)
		}
		noValues(t, v.state.Dir, "pass-word") // encrypted bytes may have a short word by chance
	}
}

// Bitwarden writes all addresses of a login in one field, and people leave out the scheme.
func TestImportOfSeveralAddresses(t *testing.T) {
	for field, want := range map[string][]secret.Place{
		"github.com,gist.github.com":           {"https://github.com", "https://gist.github.com"},
		"https://a.test/x,y,https://b.test":    {"https://a.test", "https://b.test"},
		"https://a.test,b.test, c.test/?q=1,2": {"https://a.test", "https://b.test", "https://c.test"},
		"a.test?q=1,2":                         {"https://a.test"},
	} {
		if got, why := placesIn(field); !slices.Equal(got, want) || why != nil {
			t.Errorf("%s: got %v, %q", field, got, why)
		}
	}
}

// An account that was imported before is replaced. An account with another user name is added.
func TestImportAgain(t *testing.T) {
	v := newVault(t, plain{}, nil)
	load := func(line string) Imported {
		got, err := v.Import(t.Context(), strings.NewReader("url,username,password\n"+line+"\n"), File)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	load("https://a.test,ada,first value")
	load("https://a.test,ada,second value")
	load("https://a.test,grace,third value")
	load("https://a-test,ada,fourth value") // the names of its secrets begin with the same host
	load("https://a-test,ada,fifth value")
	for name, want := range map[string]string{"a-test/password": "second value", "a-test-2/password": "third value", "a-test-3/password": "fifth value"} {
		if got, err := v.Read(t.Context(), name); err != nil || got.Value != want {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	all, err := v.List()
	if err != nil || len(all) != 6 || !slices.Equal(all[0].For, []secret.Place{"https://a.test"}) {
		t.Errorf("%+v, %v", all, err)
	}
}

func TestImportOfOtherFiles(t *testing.T) {
	v := newVault(t, plain{}, nil)
	for file, want := range map[string]string{
		"":                      "it has no first line",
		"title,password\na,b":   "it has no column url",
		"url,name\na,b":         "it has no column password",
		"{\"encrypted\": true}": "it has no column",
	} {
		if _, err := v.Import(t.Context(), strings.NewReader(file), File); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", file, err)
		}
	}
	got, err := v.Import(t.Context(), strings.NewReader("url,password\n"), File)
	if err != nil || len(got.Names) != 0 {
		t.Errorf("%+v, %v", got, err)
	}
}

// A name may begin with a host, which also says where the secret may be entered.
func TestNameOf(t *testing.T) {
	for text, want := range map[string]string{
		"github.com/password": "github-com/password https://github.com", "GitHub.com/a/b": "github-com/a/b https://github.com",
		"github/password": "", "password": "", "a.b/": "", "a.b:8443/x": "a-b-8443/x https://a.b:8443",
	} {
		name, place, ok := NameOf(text)
		if got := strings.TrimSpace(name + " " + string(place)); ok != (want != "") || ok && got != want {
			t.Errorf("%s: got %s, %t", text, got, ok)
		}
	}
}
