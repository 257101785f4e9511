package journal

import (
	"strings"
	"testing"
)

func TestSecretNames(t *testing.T) {
	for name := range strings.FieldsSeq(`X-API-Key x-csrf-token X-XSRF-TOKEN X-Auth-Token x-amz-security-token api_key apikey access_token
		refreshToken id_token csrfmiddlewaretoken authenticity_token token password new_password user[password] passwordConfirm pwd
		client_secret X-Amz-Signature JSESSIONID session_id X-Authorization otp`) {
		if !IsSecretName(name) {
			t.Errorf("%s is shown", name)
		}
	}
	for name := range strings.FieldsSeq(`Accept Content-Type X-Request-Id Access-Control-Allow-Credentials max_tokens nextPageToken pageToken
		key keyword author passenger sidebar compass state code session WWW-Authenticate ETag Sec-WebSocket-Key`) {
		if IsSecretName(name) {
			t.Errorf("%s is not shown", name)
		}
	}
}

func TestSecretsInAddressesAndBodies(t *testing.T) {
	const multipart = "--b\r\nContent-Disposition: form-data; name=\"user\"\r\n\r\nada\r\n--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nPW\r\nPW\r\n--b--\r\n"
	for text, want := range map[string]string{
		"http://a.test/x?q=1&access_token=PW&page=2#top":              "http://a.test/x?q=1&access_token=[secret]&page=2#top",
		"http://a.test/x#id_token=PW&state=1":                         "http://a.test/x#id_token=[secret]&state=1",
		"http://a.test/?access%5Ftoken=PW":                            "http://a.test/?access%5Ftoken=[secret]",
		"http://a.test/?token=&token":                                 "http://a.test/?token=&token",
		"http://a.test/password=1/x":                                  "http://a.test/password=1/x",
		"http://a.test/?next=/login?token=PW":                         "http://a.test/?next=/login?token=[secret]",
		"data:text/plain,?token=1":                                    "data:text/plain,?token=1",
		"user=ada&password=PW%26PW&go=1":                              "user=ada&password=[secret]&go=1",
		`{"user": "ada", "password": "PW"}`:                           `{"user": "ada", "password": "[secret]"}`,
		`{ "a":[{"apiKey" : {"x":"PW"},"n":1.50}], "pin": 1 }` + "\n": `{ "a":[{"apiKey" : "[secret]","n":1.50}], "pin": 1 }` + "\n",
		`[{"token":null}]`:                                            `[{"token":"[secret]"}]`,
		"{\"token\":1}\n{\"token\":2}":                                "{\"token\":\"[secret]\"}\n{\"token\":\"[secret]\"}",
		`{"user":"ada","password":"P`:                                 `{"user":"ada","password":"[secret]"`,
		`{"password":{"a":["P`:                                        `{"password":"[secret]"`,
		`{"pass\u0077ord":"PW"}`:                                      `{"pass\u0077ord":"[secret]"}`,
		`{not JSON, password=PW&x`:                                    `{not JSON, password=[secret]&x`,
		strings.Repeat("[", 100_000):                                  strings.Repeat("[", maxDepth+2) + `"[secret]"`,
		multipart:                                                     strings.Replace(multipart, "PW\r\nPW", "[secret]", 1),
		"plain text":                                                  "plain text",
		"":                                                            "",
	} {
		r := Request{Body: text}
		if strings.Contains(text, "a.test") || strings.HasPrefix(text, "data:") {
			r = Request{URL: text}
		}
		shown := r.WithoutSecrets()
		if got := shown.Body + shown.URL; got != want {
			t.Errorf("%.200s is shown as %.200s, want %.200s", text, got, want)
		}
	}
}

// Secrets in the addresses of headers and call stacks are replaced, as in the address of the
// request itself.
func TestSecretsInOtherAddresses(t *testing.T) {
	const address, want = "https://a.test/?access_token=PW", "https://a.test/?access_token=[secret]"
	r := Request{
		Headers:   Headers{{"Referer", address}, {":path", "/?access_token=PW"}, {"X-API-Key", "PW"}},
		Response:  Response{Headers: Headers{{"Location", address}, {"X-CSRF-Token", "PW"}}},
		Initiator: Initiator{Location: Location{URL: address}, Stack: []Call{{Location: Location{URL: address}}}},
	}
	got := r.WithoutSecrets()
	for _, each := range []struct{ got, want string }{
		{got.Headers[0].Value, want}, {got.Headers[1].Value, "/?access_token=[secret]"}, {got.Headers[2].Value, Secret},
		{got.Response.Headers[0].Value, want}, {got.Response.Headers[1].Value, Secret},
		{got.Initiator.Location.URL, want}, {got.Initiator.Stack[0].Location.URL, want}, {r.Initiator.Stack[0].Location.URL, address},
	} {
		if each.got != each.want {
			t.Errorf("got %q, want %q", each.got, each.want)
		}
	}
}
