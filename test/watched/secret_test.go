package watched

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"chela/internal/op"
	"chela/test/chromium"
	"chela/test/pages"
	"chela/test/service"
)

// withSecrets starts a server that has some secrets. They are for the site of the tests, unless
// their name begins with other.
func withSecrets(t *testing.T) *service.Service {
	t.Helper()
	t.Setenv("CHELA_TEST_PASSWORD", pages.LoginPassword)
	t.Setenv("CHELA_TEST_USERNAME", pages.LoginUser)
	t.Setenv("CHELA_TEST_WRONG", "no battery at all")
	t.Setenv("CHELA_TEST_TOTP", "JBSWY3DPEHPK3PXP")
	one := func(name, variable, origin string) string {
		return fmt.Sprintf("%q: {from: 'env:%s', for: [%q]}", name, variable, origin)
	}
	return service.Own(t, fmt.Sprintf("{browser: {noSandbox: true, headless: %v, secrets: {", chromium.Headless())+strings.Join([]string{
		one("test/username", "CHELA_TEST_USERNAME", site.URL),
		one("test/password", "CHELA_TEST_PASSWORD", site.URL),
		one("test/totp", "CHELA_TEST_TOTP", site.URL),
		one("wrong/username", "CHELA_TEST_USERNAME", site.URL),
		one("wrong/password", "CHELA_TEST_WRONG", site.URL),
		one("other/password", "CHELA_TEST_PASSWORD", "https://example.com"),
		one("local/username", "CHELA_TEST_USERNAME", pages.Elsewhere(site.URL)),
		one("local/password", "CHELA_TEST_PASSWORD", pages.Elsewhere(site.URL)),
	}, ", ")+"}}}")
}

// These tests share a server and its browser.
func TestSecrets(t *testing.T) {
	s := withSecrets(t)
	for name, test := range map[string]func(*testing.T, *service.Service){
		"entered": secretsAreEntered, "refused": secretsAreRefused, "logins": logins, "no logins": noLogins, "sent": secretsAreSent, "in part": secretsInPart,
	} {
		t.Run(name, func(t *testing.T) { test(t, s) })
	}
}

// A secret is put in where a text is entered, and no answer has it.
func secretsAreEntered(t *testing.T, s *service.Service) {
	tab := s.Borrow(t, html(`<form onsubmit="document.title = [a, b].map(f => f.value).join(' '); return false">
<input id=a aria-label=First> <input id=b aria-label=Second> <input id=c aria-label=Short maxlength=4></form>`))
	first, second, short := tab.Ref("First"), tab.Ref("Second"), tab.Ref("Short")
	holds := func(want ...string) {
		t.Helper()
		for i, name := range []string{"a", "b", "c"}[:len(want)] {
			if got := tab.OK("POST /act", args{"kind": "evaluate", "fn": fmt.Sprintf("%s.value === %q", name, want[i])}); got.Text("result") != "true" {
				t.Errorf("field %s does not hold %q: %s", name, want[i], got.Raw)
			}
		}
	}
	tab.Act("type", args{"ref": first, "text": "secret:test/username"})
	tab.Act("type", args{"ref": second, "text": "secret:test/password", "submit": true})
	holds("ada@example.com", "correct horse battery")
	if got := tab.OK("GET /snapshot", nil); strings.Contains(string(got.Raw), "horse") || !strings.Contains(string(got.Raw), "ada@example.com") {
		t.Errorf("a snapshot: %s", got.Raw)
	}
	tab.Act("fill", args{"fields": []args{{"ref": first, "value": "secret:test/password"}, {"ref": second, "value": `\secret:test/password`}}})
	holds("correct horse battery", "secret:test/password")
	if got := tab.Act("fill", args{"fields": []args{{"ref": short, "value": "secret:test/password"}}}); !strings.Contains(got.Text("differ.0.note"), "shortened") || got.Text("differ.0.value") != "" {
		t.Errorf("a field that is too short: %s", got.Raw)
	}
	if got := tab.Act("type", args{"ref": short, "text": "secret:test/password"}); !strings.Contains(got.Text("note"), "shortened") {
		t.Errorf("a field that is too short: %s", got.Raw)
	}
	tab.Act("focus", args{"ref": second})
	tab.Act("insertText", args{"text": "secret:test/username"})
	holds("correct horse battery", "ada@example.com")
	tab.Act("type", args{"text": "secret:test/password"})
	holds("correct horse battery", "correct horse battery")
	tab.Act("batch", args{"actions": []args{{"kind": "type", "ref": second, "text": `\secret:x`}, {"kind": "type", "ref": first, "text": "secret:test/username"}}})
	holds("ada@example.com", "secret:x")
}

// A text that stands for a secret is refused wherever no secret is put in.
func secretsAreRefused(t *testing.T, s *service.Service) {
	tab := s.Borrow(t, html(`<input aria-label=First><select aria-label=Second><option>secret:test/password</select><input type=checkbox aria-label=Third>`))
	first, second, third := tab.Ref("First"), tab.Ref("Second"), tab.Ref("Third")
	const password = "secret:test/password"
	act := func(kind string, more args) args { more["kind"] = kind; return more }
	for _, test := range []struct {
		request string
		args    args
		status  int
		code    op.Code
	}{
		{"POST /act", act("type", args{"ref": first, "text": "secret:test/none"}), 404, op.NoSecret},
		{"POST /act", act("type", args{"ref": first, "text": "secret:other/password"}), 403, op.SecretPlace},
		{"POST /act", act("type", args{"ref": third, "text": password}), 403, op.SecretPlace},
		{"POST /act", act("fill", args{"fields": []args{{"ref": first, "value": "secret:other/password"}}}), 403, op.SecretPlace},
		{"POST /act", act("type", args{"ref": first, "text": password, "slowly": true}), 400, op.ActInvalid},
		{"POST /act", act("fill", args{"fields": []args{{"ref": password, "value": "x"}}}), 400, op.ActInvalid},
		{"POST /act", act("fill", args{"fields": []args{{"ref": third, "type": "checkbox", "value": password}}}), 400, op.ActInvalid},
		{"POST /act", act("click", args{"ref": password}), 400, op.ActInvalid},
		{"POST /act", act("press", args{"key": password}), 400, op.ActInvalid},
		{"POST /act", act("select", args{"ref": second, "values": []string{password}}), 400, op.ActInvalid},
		{"POST /act", act("evaluate", args{"fn": password}), 400, op.ActInvalid},
		{"POST /act", act("batch", args{"actions": []args{{"kind": "press", "key": password}}}), 400, op.ActInvalid},
		{"POST /act", act("batch", args{"actions": []args{{"kind": "batch", "actions": []args{{"kind": "navigate", "url": password}}}}}), 400, op.Invalid},
		{"POST /navigate", args{"url": password}, 400, op.Invalid},
		{"POST /cookies/set", args{"cookie": args{"name": "a", "value": password}}, 400, op.Invalid},
		{"POST /set/headers", args{"headers": args{"X-Key": "secret:other/password"}}, 403, op.SecretPlace},
		{"POST /set/headers", args{"headers": args{"X-Key": password}, "origins": []string{"*"}}, 403, op.SecretPlace},
		{"POST /set/headers", args{"headers": args{"X-Key": "secret:test/totp"}}, 400, op.Invalid},
		{"POST /set/credentials", args{"username": "Ada", "password": "secret:other/password"}, 403, op.SecretPlace},
		{"POST /set/credentials", args{"username": "Ada", "password": "secret:test/none"}, 404, op.NoSecret},
		{"POST /storage/local/set", args{"key": "a", "value": password}, 400, op.Invalid},
	} {
		answer := tab.Do(test.request, test.args)
		if answer.Status != test.status || answer.Text("code") != string(test.code) || test.status != 400 && answer.Text("hint") == "" {
			t.Errorf("%s %v: %d %s", test.request, test.args, answer.Status, answer.Raw)
		}
	}
	if got := tab.OK("POST /find", args{"text": password}); got.Status != 200 {
		t.Errorf("find: %s", got.Raw)
	}
}

// login returns the address of a login page. Its steps are separated by commas, and what a step asks
// for by plus signs.
func login(steps string) string { return site.URL + "/login?steps=" + url.QueryEscape(steps) }

// byScript is a login without a form. After the password it asks for the six digits of a code, and
// goes on by itself after the last one.
const byScript = `<div id=box><input aria-label="Login" autofocus><input type=password aria-label="Password"><button type=button onclick="show()">Log in</button></div><script>
function show() {
  const [user, password] = box.querySelectorAll("input");
  if (user.value !== "` + pages.LoginUser + `" || password.value !== "` + pages.LoginPassword + `") return;
  box.innerHTML = "<p>Please wait</p>";
  setTimeout(() => {
    box.innerHTML = "<p>Your code</p>" + [1, 2, 3, 4, 5, 6].map(i => "<input inputmode=numeric maxlength=1 aria-label='Digit " + i + " of the code'>").join("");
    for (const digit of box.querySelectorAll("input")) digit.oninput = () => {
      digit.nextElementSibling?.focus();
      if ([...box.querySelectorAll("input")].every(each => each.value !== "")) box.innerHTML = "<h1>Welcome</h1>";
    };
  }, 100);
}
</script>`

// A login is done in all its steps, in whatever frame it is.
func logins(t *testing.T, s *service.Service) {
	for _, test := range []struct{ name, account, address, entered string }{
		{"one step", "test", login("user+password"), "username, password"},
		{"two steps", "test", login("user,password"), "username, password"},
		{"three steps", "test", login("user,password,code"), "username, password, one-time code"},
		{"all at once", "test", login("user+password+code"), "username, password, one-time code"},
		{"beside others", "test", html(`<form role=search><input type=search name=q></form><form><input type=email aria-label="Your e-mail"><button>Subscribe</button></form>
<iframe src="` + login("user+password") + `"></iframe>`), "username, password"},
		{"in a frame of another site", "test", pages.Elsewhere(html(`<iframe src="` + login("user,password") + `"></iframe>`)), "username, password"},
		{"without a name", "", pages.Elsewhere(login("user+password")), "username, password"},
		{"by script", "test", html(byScript), "username, password, one-time code"},
	} {
		t.Run(test.name, func(t *testing.T) {
			tab := s.Borrow(t, test.address)
			got := tab.Act("login", args{"name": test.account})
			if entered := strings.Trim(got.Text("entered"), "[]"); entered != strings.ReplaceAll(test.entered, ",", "") || got.Text("asks") != "" {
				t.Errorf("got %s, want %s: %s", entered, test.entered, got.Raw)
			}
			tab.OK("POST /expect", args{"text": "Welcome"})
		})
	}
}

// If it is not certain what a page asks for, nothing is entered.
func noLogins(t *testing.T, s *service.Service) {
	for _, test := range []struct {
		name, account, address string
		status                 int
		code                   op.Code
		says                   string
	}{
		{"sign-up", "test", html(`<form><input type=email aria-label="E-mail"><input type=password aria-label="Password"><input type=password aria-label="Repeat it"></form>`), 422, op.ActFailed, "new password"},
		{"two forms", "test", html(`<form><input name=user><input type=password></form><form><input name=user><input type=password></form>`), 422, op.ActFailed, "may be a login"},
		{"newsletter", "test", html(`<form><input type=email aria-label="E-mail"><button>Subscribe</button></form>`), 422, op.ActFailed, "an address or a name only"},
		{"search", "test", html(`<input type=search aria-label="Search the site">`), 422, op.ActFailed, "Search the site"},
		{"nothing", "test", html(`<p>nothing`), 422, op.ActFailed, "no login form"},
		{"form of another site", "test", pages.Elsewhere(login("user+password")), 422, op.ActFailed, "no login form"},
		{"sent to another site", "test", html(`<form action="https://example.com/"><input name=user><input type=password></form>`), 403, op.SecretPlace, "https://example.com"},
		{"no such account", "none", html(""), 404, op.NoSecret, "test, wrong"},
		{"several accounts", "", login("user+password"), 409, op.Conflict, "test, wrong"},
		{"no account", "", strings.Replace(site.URL, "127.0.0.1", "app.localhost", 1), 404, op.NoSecret, "no account is for this site"},
		{"no secret for the code", "wrong", login("user+code"), 404, op.NoSecret, "wrong/totp"},
	} {
		t.Run(test.name, func(t *testing.T) {
			tab := s.Borrow(t, test.address)
			got := tab.Do("POST /act", args{"kind": "login", "name": test.account})
			if got.Status != test.status || got.Text("code") != string(test.code) || !strings.Contains(got.Raw, test.says) {
				t.Errorf("%d %s, want %q", got.Status, got.Raw, test.says)
			}
			if tab.Act("evaluate", args{"fn": "[...document.querySelectorAll('input')].some(i => i.value !== '')"}).Text("result") != "false" {
				t.Error("something was entered")
			}
		})
	}
	tab := s.Borrow(t, login("user+password"))
	if got := tab.Act("login", args{"name": "wrong"}); got.Text("asks") != "password" || !strings.Contains(got.Text("entered"), "password") {
		t.Errorf("a wrong password: %s", got.Raw)
	}
	tab.OK("POST /expect", args{"text": "That is wrong."})
	tab = s.Borrow(t, html(`<form onsubmit="return false"><input aria-label="Login"><input type=password aria-label="Password" onblur="message.style.height = '90px'; this.form.lastChild.title = 'Wait'"><p id=message></p><button>Log in</button></form>`))
	tab.Do("POST /act", args{"kind": "login", "name": "test"}).Fails(t, 422, string(op.ActFailed), "got the press, but no click")
}

// If only some characters of a code were entered, the error says that something was sent. The log
// has the use of the secret.
func secretsInPart(t *testing.T, s *service.Service) {
	tab := s.Borrow(t, html(`<p>Your code</p>`+strings.Repeat(`<input inputmode=numeric maxlength=1 aria-label="Digit of the code">`, 6)+`<script>
const digits = document.querySelectorAll("input");
digits[2].oninput = () => digits[4].type = "search";
</script>`))
	uses := func() int {
		return strings.Count(tab.OK("GET /secrets/log", args{"name": "test/totp"}).Raw, "test/totp")
	}
	before := uses()
	got := tab.Do("POST /act", args{"kind": "login", "name": "test"})
	if got.Text("code") != string(op.SecretPlace) || got.Text("sent") != "true" || uses() != before+1 {
		t.Errorf("%d %s, and %d uses", got.Status, got.Raw, uses()-before)
	}
}

// Headers and logins are sent to the sites that their secrets are for. No other site gets them,
// even after a redirect. Settings have the names of the secrets only.
func secretsAreSent(t *testing.T, s *service.Service) {
	tab := s.Open(t, site.URL+"/sent-headers")
	shows := func(address, want string) {
		t.Helper()
		tab.OK("POST /navigate", args{"url": address})
		script := fmt.Sprintf("document.body.innerText.trim() === %q || document.body.innerText", want)
		if got := tab.Act("evaluate", args{"fn": script}); got.Text("result") != "true" {
			t.Errorf("%s: %s, want %q", address, got.Raw, want)
		}
	}
	tab.OK("POST /set/headers", args{"headers": args{"X-Key": "secret:test/password"}})
	tab.OK("POST /set/credentials", args{"username": "secret:test/username", "password": "secret:test/password"})
	there := site.URL + "/sent-headers?asks=1"
	shows(there, "key correct horse battery login ada@example.com:correct horse battery")
	shows(pages.Elsewhere(site.URL)+"/sent-headers", "key login")
	shows(site.URL+"/redirect?to="+url.QueryEscape(pages.Elsewhere(site.URL)+"/sent-headers"), "key login")
	if got := tab.OK("GET /set", nil); strings.Contains(got.Raw, "horse") || !strings.Contains(got.Raw, "secret:test/username") {
		t.Errorf("the settings: %s", got.Raw)
	}
	tab.OK("POST /navigate", args{"url": there})
	tab.OK("POST /set/headers", args{"headers": args{"X-Key": `\secret:test/password`}})
	shows(there, "key secret:test/password login ada@example.com:correct horse battery")
	tab.OK("POST /set/headers", args{"headers": args{}})
	tab.OK("POST /set/credentials", args{"clear": true})
}
