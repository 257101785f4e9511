package journal

import "testing"

func TestSecretsOfHeaders(t *testing.T) {
	for _, c := range []struct{ name, value, want string }{
		{"Authorization", "Bearer abc.def", "Bearer [secret]"},
		{"authorization", "abc", "[secret]"},
		{"Proxy-Authorization", "Basic YTpi", "Basic [secret]"},
		{"Cookie", "sid=1; theme=dark;a=b=c", "sid=[secret]; theme=[secret]; a=[secret]"},
		{"cookie", "nameless", "[secret]"},
		{"Set-Cookie", "sid=1; Path=/; HttpOnly", "sid=[secret]; Path=/; HttpOnly"},
		{"set-cookie", "a=1\nb=2; Secure", "a=[secret]\nb=[secret]; Secure"},
		{"Accept", "text/html", "text/html"},
	} {
		r := Request{Headers: Headers{{c.name, c.value}}, Response: Response{Headers: Headers{{c.name, c.value}}}}
		shown := r.WithoutSecrets()
		if got := shown.Headers[0].Value; got != c.want {
			t.Errorf("%s: %s is shown as %q, want %q", c.name, c.value, got, c.want)
		}
		if got := shown.Response.Headers[0].Value; got != c.want {
			t.Errorf("%s: %s of an answer is shown as %q, want %q", c.name, c.value, got, c.want)
		}
		if r.Headers[0].Value != c.value {
			t.Errorf("%s: the request itself was changed", c.name)
		}
	}
}

func TestSecretsOfURLs(t *testing.T) {
	for url, want := range map[string]string{
		"http://ada:pw@a.test/b?c#d": "http://ada:[secret]@a.test/b?c#d",
		"http://ada:p@w@a.test":      "http://ada:[secret]@a.test",
		"http://ada@a.test/":         "http://ada@a.test/",
		"http://a.test/x:y@z":        "http://a.test/x:y@z",
		"http://a.test/?m=a:b@c":     "http://a.test/?m=a:b@c",
		"about:blank":                "about:blank",
	} {
		if got := (Request{URL: url}).WithoutSecrets().URL; got != want {
			t.Errorf("%s is shown as %s, want %s", url, got, want)
		}
	}
}

func TestSecretsOfTexts(t *testing.T) {
	for text, want := range map[string]string{
		"failed: net::ERR_FAILED at https://a.test/reset?token=abc (and https was refused)": "failed: net::ERR_FAILED at https://a.test/reset?token=[secret] (and https was refused)",
		"from 'http://a.test/?a=1&sid=2' to 'ws://b.test/#token=3'":                         "from 'http://a.test/?a=1&sid=[secret]' to 'ws://b.test/#token=[secret]'",
		"x ? token=1 : 2": "x ? token=1 : 2",
	} {
		if got := TextWithoutSecrets(text); got != want {
			t.Errorf("%s is shown as %s, want %s", text, got, want)
		}
	}
}

func TestSecretsOfSentBodies(t *testing.T) {
	const head = "Content-Disposition: form-data; name="
	for body, want := range map[string]string{
		"\ufeff{\"password\": 1}":  "\ufeff{\"password\": \"[secret]\"}",
		`{"a":1,, "password":"x"}`: `{"a":1,, "password":"[secret]"}`,
		"[user]&token=abc":         "[user]&token=[secret]",
		"--b\r\n" + head + "\"private_key\"\r\n\r\n-----BEGIN KEY-----\r\none\r\n-----END KEY-----\r\n-----BEGIN KEY-----\r\ntwo\r\n--b\r\n" + head + "\"a\"\r\n\r\nthree\r\n--b--\r\n": "--b\r\n" +
			head + "\"private_key\"\r\n\r\n[secret]\r\n--b\r\n" + head + "\"a\"\r\n\r\nthree\r\n--b--\r\n",
		"\ufeff--b\r\n" + head + "\"a\"\r\n\r\n1\r\n--b\r\n" + head + "\"token\"\r\n\r\nabc": "\ufeff--b\r\n" + head + "\"a\"\r\n\r\n1\r\n--b\r\n" + head + "\"token\"\r\n\r\n[secret]",
		"--b \t\r\n" + head + "\"a\"\r\n\r\n1\r\n--b\r\n" + head + "\"token\"\r\n\r\nabc":    "--b \t\r\n" + head + "\"a\"\r\n\r\n1\r\n--b\r\n" + head + "\"token\"\r\n\r\n[secret]",
		"--b\r\n" + head + "\"token\"\r\n\r\nabc":                                            "--b\r\n" + head + "\"token\"\r\n\r\n[secret]",
	} {
		if got := (Request{Body: body}).WithoutSecrets().Body; got != want {
			t.Errorf("%q is shown as %q, want %q", body, got, want)
		}
	}
}

func TestSecretsOfBodies(t *testing.T) {
	for _, c := range []struct{ mimeType, body, want string }{
		{"application/json", `{"access_token": "abc", "n": 1}`, `{"access_token": "[secret]", "n": 1}`},
		{"application/problem+json", `[{"password": 1}]`, `[{"password": "[secret]"}]`},
		{"application/json", ")]}',\n{\"access_token\": \"abc\"}", ")]}',\n{\"access_token\": \"[secret]\"}"},
		{"application/json", `for(;;);{"jwt": {"a": "abc"}}`, `for(;;);{"jwt": "[secret]"}`},
		{"application/json", "\ufeff[{\"password\": 1}]", "\ufeff[{\"password\": \"[secret]\"}]"},
		{"application/json", `{"a":1,, "password":"x\"y", "b": 2}`, `{"a":1,, "password":"[secret]", "b": 2}`},
		{"application/json", `{"a":{"b":,"pass":12},'token':'abc',password: true}`, `{"a":{"b":,"pass":"[secret]"},'token':"[secret]",password: "[secret]"}`},
		{"application/json", `{"a":1,, "auth": {"b": "abc"}, "c": 1}`, `{"a":1,, "auth": "[secret]"`},
		{"application/json", `{"a":1,, "token": "abc`, `{"a":1,, "token": "[secret]"`},
		{"application/json", "1 token=abc", "1 token=[secret]"},
		{"application/x-www-form-urlencoded", "access_token=abc&scope=x", "access_token=[secret]&scope=x"},
		{"text/html", "<a href='?token=abc'>", "<a href='?token=abc'>"},
	} {
		if got := string(BodyWithoutSecrets(c.mimeType, []byte(c.body))); got != c.want {
			t.Errorf("%s as %s is shown as %s, want %s", c.body, c.mimeType, got, c.want)
		}
	}
}
