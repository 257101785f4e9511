package server

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// A rule is a request with the answer that it must get. HOST in it stands for the server's address.
type rule struct {
	name, request string
	status        int
	answer        string // a part of the answer
	call          string // the call that the service gets; "": none
}

// test sends the requests, each on a connection of its own. It checks the answers by the rules, and
// by what all answers must have (see checkForm).
func (r *running) test(t *testing.T, rules []rule) {
	t.Helper()
	for _, rule := range rules {
		t.Run(rule.name, func(t *testing.T) {
			resp, got := r.send(t, "tcp", rule.request)
			if resp.StatusCode != rule.status || !strings.Contains(got, rule.answer) {
				t.Errorf("got %d %s; want %d %s", resp.StatusCode, got, rule.status, rule.answer)
			}
			if call := r.called(); call != rule.call {
				t.Errorf("ran %q, want %q", call, rule.call)
			}
			checkForm(t, resp, got)
		})
	}
}

// checkForm checks the headers and the form that all answers must have.
func checkForm(t *testing.T, resp *http.Response, body string) {
	t.Helper()
	for name, want := range map[string]string{"Content-Type": "application/json; charset=utf-8", "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store"} {
		if got := resp.Header.Get(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	for name := range resp.Header {
		if name == "Server" || name == "Www-Authenticate" || name == "Location" || name == "X-Powered-By" || strings.HasPrefix(name, "Access-Control-") {
			t.Errorf("there is a header %s", name)
		}
	}
	for _, secret := range []string{token, password, "/secret/path", "goroutine", "<"} {
		if strings.Contains(body, secret) {
			t.Errorf("the answer has %q in it: %s", secret, body)
		}
	}
	if !json.Valid([]byte(body)) && body != "" { // the answer of HEAD has no body
		t.Errorf("no JSON: %s", body)
	}
	if resp.StatusCode >= 400 && body != "" && (!strings.Contains(body, `"code":"`) || !strings.Contains(body, `"error":"`)) {
		t.Errorf("an error without code and message: %s", body)
	}
}

// get returns a GET request with these headers. Each header ends with \n.
func get(headers string) string { return "GET / HTTP/1.1\nHost: HOST\n" + headers + "\n" }

// post returns a POST request with a JSON body.
func post(path, content string) string {
	return "POST " + path + " HTTP/1.1\nHost: HOST\n" + auth + body(content)
}

// act is the head of a request up to the headers of its body.
const act = "POST /act HTTP/1.1\nHost: HOST\n" + auth

func basic(pair string) string {
	return "Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte(pair)) + "\n"
}

// A request without the secret is refused, before its method and path are looked at.
func TestSecretComesFirst(t *testing.T) {
	r := start(t)
	var rules []rule
	for _, method := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "BREW", "get"} {
		for _, path := range []string{"/", "/snapshot", "/act", "/openapi.json", "/files", "/files/x", "/downloads", "/sessions/hold", "/nothing",
			"/mcp", "/sse", "/json/version", "/json", "/devtools/browser/x", "/extension", "/cdp", "/favicon.ico", "/metrics", "/debug/pprof/", "/healthz",
			"//", "//act", "/./act", "/x/../act", "/%2e%2e/act", "/act;x", "/act/", "/act%00", "/tabs/%2f", "/?token=" + token, "/?access_token=" + token} {
			rules = append(rules, rule{method + " " + path, method + " " + path + " HTTP/1.1\nHost: HOST\n\n", 401, "", ""})
		}
	}
	r.test(t, rules)
	const upgrade = "Connection: Upgrade\nUpgrade: websocket\nSec-WebSocket-Version: 13\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\n"
	r.test(t, []rule{
		{"nothing", get(""), 401, `{"code":"unauthorized","error":"Unauthorized"`, ""},
		{"WebSocket", get(upgrade), 401, "", ""},
		{"WebSocket, token as a protocol", get(upgrade + "Sec-WebSocket-Protocol: " + token + "\n"), 401, "", ""},
		{"HTTP/2", get("Connection: Upgrade, HTTP2-Settings\nUpgrade: h2c\nHTTP2-Settings: AAMAAABkAAQAAP__\n"), 401, "", ""},
		{"OPTIONS *", "OPTIONS * HTTP/1.1\nHost: HOST\n\n", 401, "", ""},
		{"another expectation", get("Expect: 200-ok\n"), 400, "", ""},
		{"HTTP/1.0", "GET / HTTP/1.0\nHost: HOST\n\n", 401, "", ""},
		{"a body that does not come", "POST /act HTTP/1.1\nHost: HOST\nContent-Type: application/json\nContent-Length: 10\n\n", 401, "", ""},
		{"chunks that do not come", "POST /act HTTP/1.1\nHost: HOST\nContent-Type: application/json\nTransfer-Encoding: chunked\n\n", 401, "", ""},
		{"a body that is announced", "POST /act HTTP/1.1\nHost: HOST\nExpect: 100-continue\nContent-Length: 10\n\n", 401, "", ""},
		{"a body that is no JSON", "POST /act HTTP/1.1\nHost: HOST\n" + body("{{"), 401, "", ""},
		{"a body of another type", "POST /act HTTP/1.1\nHost: HOST\nContent-Type: text/plain\nContent-Length: 1\n\nx", 401, "", ""},
		{"a body that is too large", "POST /act HTTP/1.1\nHost: HOST\nContent-Type: application/json\nContent-Length: 99999999\n\n", 401, "", ""},
		{"a wrong session", get("X-Chela-Session:\n"), 401, "", ""},

		{"wrong token", get("Authorization: Bearer nope\n"), 401, "", ""},
		{"empty token", get("Authorization: Bearer\n"), 401, "", ""},
		{"empty token after a space", get("Authorization: Bearer \n"), 401, "", ""},
		{"token without a scheme", get("Authorization: " + token + "\n"), 401, "", ""},
		{"token of another scheme", get("Authorization: Token " + token + "\n"), 401, "", ""},
		{"token in other letters", get("Authorization: Bearer " + strings.ToUpper(token) + "\n"), 401, "", ""},
		{"a part of the token", get("Authorization: Bearer " + token[:5] + "\n"), 401, "", ""},
		{"more than the token", get("Authorization: Bearer " + token + "x\n"), 401, "", ""},
		{"token in quotes", get(`Authorization: Bearer "` + token + "\"\n"), 401, "", ""},
		{"token among others", get("Authorization: Bearer " + token + ", Bearer x\n"), 401, "", ""},
		{"token in two words", get("Authorization: Bearer test -token\n"), 401, "", ""},
		{"token after a tab", get("Authorization: Bearer\t" + token + "\n"), 401, "", ""},
		{"token in a cookie", get("Cookie: token=" + token + "; authorization=Bearer " + token + "\n"), 401, "", ""},
		{"token in the body", "POST /act HTTP/1.1\nHost: HOST\n" + body(`{"kind":"click","ref":"e1","token":"`+token+`"}`), 401, "", ""},
		{"token for a proxy", get("Proxy-Authorization: Bearer " + token + "\n"), 401, "", ""},
		{"token in a header of another name", get("X-Chela-Token: " + token + "\nX-Api-Key: " + token + "\n"), 401, "", ""},
		{"token in a trailer", "POST /act HTTP/1.1\nHost: HOST\nTrailer: Authorization\nTransfer-Encoding: chunked\n\n0\n" + auth + "\n", 401, "", ""},
		{"token as password", get("X-Chela-Password: " + token + "\n"), 401, "", ""},
		{"token as Basic", get(basic("x:" + token)), 401, "", ""},
		{"token as the user of Basic", get(basic(token + ":")), 401, "", ""},
		{"password as Bearer", get("Authorization: Bearer " + password + "\n"), 401, "", ""},
		{"password in the URL", "GET /?password=" + password + " HTTP/1.1\nHost: HOST\n\n", 401, "", ""},
		{"password as the user of Basic", get(basic(password + ":")), 401, "", ""},
		{"password without a user", get(basic(password)), 401, "", ""},
		{"password and more", get(basic("x:" + password + ":")), 401, "", ""},
		{"no password", get("X-Chela-Password:\n"), 401, "", ""},
		{"Basic that is no base64", get("Authorization: Basic !!!\n"), 401, "", ""},
		{"Basic without padding", get("Authorization: Basic " + strings.TrimRight(base64.StdEncoding.EncodeToString([]byte("xy:"+password)), "=") + "\n"), 401, "", ""},
		{"empty Basic", get("Authorization: Basic\n"), 401, "", ""},

		{"two tokens", get(auth + auth), 400, "more than one credential", ""},
		{"a wrong token and the right one", get("Authorization: Bearer x\n" + auth), 400, "more than one credential", ""},
		{"token and nothing", get(auth + "Authorization:\n"), 400, "more than one credential", ""},
		{"token and password", get(auth + "X-Chela-Password: " + password + "\n"), 400, "more than one credential", ""},
		{"token and no password", get(auth + "X-Openclaw-Password:\n"), 400, "more than one credential", ""},
		{"both password headers", get("X-Chela-Password: " + password + "\nX-Openclaw-Password: " + password + "\n"), 400, "more than one credential", ""},
		{"Basic and Bearer", get(auth + basic("x:"+password)), 400, "more than one credential", ""},

		{"token", get(auth), 200, `{"ok":true}`, "status"},
		{"scheme in lower case", get("Authorization: bearer " + token + "\n"), 200, "", "status"},
		{"header in lower case", get("authorization: BEARER " + token + "\n"), 200, "", "status"},
		{"spaces around", get("Authorization:   Bearer   " + token + "   \n"), 200, "", "status"},
		{"password", get("X-Chela-Password: " + password + "\n"), 200, "", "status"},
		{"password, old header", get("x-openclaw-password: " + password + "\n"), 200, "", "status"},
		{"password as Basic", get(basic("any:" + password)), 200, "", "status"},
		{"password as Basic without a user", get(basic(":" + password)), 200, "", "status"},
		{"WebSocket with the token", get(auth + upgrade), 200, `{"ok":true}`, "status"},

		{"in a session", get("X-Chela-Session: a\n" + auth), 200, "", "status"},
		{"a session that has no key", get("X-Chela-Session:\n" + auth), 400, "key of a session", ""},
		{"in two sessions", get("X-Chela-Session: a\nX-Chela-Session: b\n" + auth), 400, "more than one", ""},
	})
}

// A server whose settings have no password accepts none, not even an empty one.
func TestNoPasswordIsNoSecret(t *testing.T) {
	r := start(t, func(o *Options) { o.Password = "" })
	r.test(t, []rule{
		{"header", get("X-Chela-Password:\n"), 401, "", ""},
		{"Basic", get(basic(":")), 401, "", ""},
		{"empty Basic", get("Authorization: Basic \n"), 401, "", ""},
	})
}

// A caller without a credential is told which one the server accepts.
func TestHintOfTheCredential(t *testing.T) {
	start(t).test(t, []rule{{"a token", get(""), 401, "Authorization: Bearer", ""}})
	start(t, func(o *Options) { o.Token = func() string { return "" } }).
		test(t, []rule{{"a password", get(""), 401, "X-Chela-Password", ""}})
}

// A password may have colons in it.
func TestPasswordWithColons(t *testing.T) {
	r := start(t, func(o *Options) { o.Password = "a:b:" })
	r.test(t, []rule{
		{"whole", get(basic("any:a:b:")), 200, "", "status"},
		{"a part", get(basic("any:a")), 401, "", ""},
		{"another part", get(basic("any:a:b")), 401, "", ""},
		{"as a header", get("X-Chela-Password: a:b:\n"), 200, "", "status"},
	})
}

// A request that follows a refused one on its connection is checked by itself.
func TestRequestsAfterOneThatWasRefused(t *testing.T) {
	const refused, closing = "GET / HTTP/1.1\nHost: HOST\n\n", "Connection: close\n"
	for _, test := range []struct {
		name, requests string
		want           string
	}{
		{"without a token", get(auth) + refused + refused + get(closing), "[200 401 401 401]"},
		{"with it", refused + get(auth) + refused + get(auth+closing), "[401 200 401 200]"},
		{"in its body", "POST /act HTTP/1.1\nHost: HOST\n" + body(get(auth)) + get(auth+closing), "[401]"},
		{"in the body of one with a token", post("/nothing", get(auth)) + get(auth+closing), "[404]"},
	} {
		r := start(t)
		if got := fmt.Sprint(r.sendAll(t, test.requests)); got != test.want {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
	}
}

// A request must have the server's own name as its Host, exactly once.
func TestHost(t *testing.T) {
	r := start(t)
	_, port, _ := strings.Cut(r.addr, ":")
	rules := []rule{
		{"no host", "GET / HTTP/1.1\n" + auth + "\n", 400, "", ""},
		{"no host, HTTP/1.0", "GET / HTTP/1.0\n" + auth + "\n", 400, "", ""},
		{"empty", "GET / HTTP/1.1\nHost:\n" + auth + "\n", 400, "", ""},
		{"two", "GET / HTTP/1.1\nHost: HOST\nHost: HOST\n" + auth + "\n", 400, "", ""},
		{"two, another first", "GET / HTTP/1.1\nHost: evil.example\nHost: HOST\n" + auth + "\n", 400, "", ""},
		{"two, another first, HTTP/1.0", "GET / HTTP/1.0\nHost: evil.example\nHost: HOST\n" + auth + "\n", 400, "", ""},
		{"two, one empty", "GET / HTTP/1.1\nHost:\nHost: HOST\n" + auth + "\n", 400, "", ""},
		{"forwarded", "GET / HTTP/1.1\nHost: evil.example\nX-Forwarded-Host: HOST\nForwarded: host=HOST\n" + auth + "\n", 403, "", ""},
		{"a URL with our name", "GET http://HOST/ HTTP/1.1\nHost: HOST\n" + auth + "\n", 400, "", ""},
		{"a URL with our name, and another Host", "GET http://HOST/ HTTP/1.1\nHost: evil.example\n" + auth + "\n", 400, "", ""},
		{"a URL with another name", "GET http://evil.example/ HTTP/1.1\nHost: HOST\n" + auth + "\n", 400, "", ""},
		{"a URL without a name", "GET http:/// HTTP/1.1\nHost: HOST\n" + auth + "\n", 400, "", ""},
		{"a URL of another scheme", "GET file:///etc/passwd HTTP/1.1\nHost: HOST\n" + auth + "\n", 400, "", ""},
		{"a URL without slashes", "GET chela:act HTTP/1.1\nHost: HOST\n" + auth + "\n", 400, "", ""},
		{"CONNECT", "CONNECT HOST HTTP/1.1\nHost: HOST\n" + auth + "\n", 400, "", ""},
		{"CONNECT to another", "CONNECT evil.example:80 HTTP/1.1\nHost: HOST\n" + auth + "\n", 400, "", ""},
		{"CONNECT of a path", "CONNECT / HTTP/1.1\nHost: HOST\n" + auth + "\n", 405, "", ""},
	}
	for host, status := range map[string]int{
		"127.0.0.1:": 200, "localhost:": 200, "LocalHost:": 200, "[::1]:": 200,
		"evil.example:": 403, "localhost.:": 403, "localhost.evil.example:": 403, "127.0.0.1.nip.io:": 403, "127.1:": 403, "127.0.0.2:": 403,
		"0.0.0.0:": 403, "[::]:": 403, "::1:": 403, "[::1%25lo]:": 403, "[0:0:0:0:0:0:0:1]:": 403, "[::ffff:127.0.0.1]:": 403, "2130706433:": 403, "0x7f.1:": 403,
		"user@localhost:": 400, "localhost:80:": 403, "chela:": 403, "localhost:0": 403, "localhost\t:": 400, "local host:": 400, "loc\xc3\xa4l:": 400, "local\xc5\xbfhost:": 400,
	} {
		rules = append(rules, rule{host, "GET / HTTP/1.1\nHost: " + host + port + "\n" + auth + "\n", status, "", map[bool]string{true: "status"}[status == 200]})
	}
	for _, host := range []string{"127.0.0.1", "localhost", "127.0.0.1:1", "127.0.0.1:", "127.0.0.1:0", port, ":" + port, "*", "null"} {
		rules = append(rules, rule{host, "GET / HTTP/1.1\nHost: " + host + "\n" + auth + "\n", 403, `"error":"Forbidden"`, ""})
	}
	r.test(t, rules)
}

// The server accepts nothing that a page of another site could have sent.
func TestSites(t *testing.T) {
	r := start(t)
	var rules []rule
	for _, method := range []string{"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"} {
		for _, header := range []string{
			"Origin: https://evil.example", "Origin: null", "Origin:", "Origin: http://localhost:3000", "Origin: http://127.0.0.1", "Origin: https://HOST",
			"Origin: http://evil.example@HOST", "Origin: http://HOST/", "Origin: http://HOST http://evil.example", "Origin: http://HOST.evil.example", "Origin: file://",
			"Origin: chrome-extension://abcdefghijklmnopabcdefghijklmnop", "Origin: http://HOST\nOrigin: http://evil.example", "Origin: HOST",
			"Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site", "Sec-Fetch-Site:", "Sec-Fetch-Site: None", "Sec-Fetch-Site: none, same-origin", "Sec-Fetch-Site: none\nSec-Fetch-Site: cross-site",
			"Referer: https://evil.example/x", "Referer: http://HOST.evil.example/", "Referer: http://evil.example@HOST/", "Referer: null", "Referer: about:blank",
			"Origin: http://HOST\nSec-Fetch-Site: cross-site", "Origin: https://evil.example\nSec-Fetch-Site: same-origin",
			"Origin: https://evil.example\nAccess-Control-Request-Method: POST\nAccess-Control-Request-Headers: authorization,content-type\nAccess-Control-Request-Private-Network: true\nAccess-Control-Request-Local-Network: true",
		} {
			rules = append(rules, rule{method + " " + header, method + " / HTTP/1.1\nHost: HOST\n" + header + "\n" + auth + "\n", 403, map[bool]string{true: `"error":"Forbidden"`}[method != "HEAD"], ""})
		}
	}
	r.test(t, rules)
	r.test(t, []rule{
		{"before the token", "POST /act HTTP/1.1\nHost: HOST\nOrigin: https://evil.example\n" + body(`{}`), 403, "", ""},
		{"own origin", get("Origin: http://HOST\n" + auth), 200, "", "status"},
		{"own page", get("Referer: http://HOST/x\nSec-Fetch-Site: same-origin\n" + auth), 200, "", "status"},
		{"typed into the address bar", get("Sec-Fetch-Site: none\n" + auth), 200, "", "status"},
		{"a preflight of a program", "OPTIONS /act HTTP/1.1\nHost: HOST\nAccess-Control-Request-Method: POST\nAccess-Control-Request-Private-Network: true\n" + auth + "\n", 200, `{"methods":["POST"]}`, ""},
	})
}

// Bodies are JSON objects of bounded size.
func TestBodies(t *testing.T) {
	r := start(t)
	const typed = act + "Content-Type: application/json\n"
	var rules []rule
	for _, kind := range []string{"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/json", "application/ld+json", "application/jsonx",
		"application/json-seq", "application/xml", "*/*", "application/*", "application/json, text/plain", "application/json text/plain", "application/json; charset=utf-16",
		"application/json; charset=latin1", "application/json; charset=utf-8; charset=utf-16", "application/json;;", "application/json; x", "json", "\"application/json\"", "application/json\nContent-Type: text/plain", "application/json\nContent-Type: application/json", ""} {
		rules = append(rules, rule{"type " + kind, act + "Content-Type: " + kind + "\nContent-Length: 2\n\n{}", 415, `"code":"unsupported_media_type"`, ""})
	}
	for _, kind := range []string{"application/json", "application/json; charset=utf-8", "Application/JSON;charset=\"UTF-8\""} {
		rules = append(rules, rule{"type " + kind, act + "Content-Type: " + kind + "\nContent-Length: 2\n\n{}", 400, `"code":"ACT_KIND_REQUIRED"`, ""})
	}
	for name, content := range map[string]string{
		"list": `[1]`, "null": `null`, "text": `"{}"`, "number": `1`, "bool": `true`, "space": ` `,
		"broken": `{"kind":`, "trailing data": `{"kind":"click","ref":"e1"} x`, "a second object": `{"kind":"click","ref":"e1"}{}`, "trailing NUL": "{\"kind\":\"click\",\"ref\":\"e1\"}\x00",
		"trailing comma": `{"kind":"click","ref":"e1",}`, "comment": `{"kind":"click","ref":"e1"/**/}`, "single quotes": `{'kind':'click'}`, "no quotes": `{kind:"click"}`,
		"NaN": `{"kind":"click","ref":NaN}`, "Infinity": `{"kind":"click","ref":Infinity}`, "hexadecimal": `{"kind":"click","ref":0x10}`, "leading zero": `{"kind":"click","ref":01}`, "plus": `{"kind":"click","ref":+1}`,
		"byte order mark": "\xef\xbb\xbf{\"kind\":\"click\",\"ref\":\"e1\"}", "UTF-16": "{\x00}\x00", "no UTF-8": "{\"kind\":\"click\",\"ref\":\"e\xff1\"}", "no UTF-8 in a name": "{\"kind\":\"click\",\"ref\":\"e1\",\"\xff\":1}",
		"control character": "{\"kind\":\"click\",\"ref\":\"e\x011\"}", "line feed": "{\"kind\":\"click\",\"ref\":\"e\n1\"}", "wrong escape": `{"kind":"click","ref":"\x41"}`,
		"the same name twice": `{"kind":"click","ref":"e1","ref":"e2"}`, "the same name twice, escaped": `{"kind":"click","ref":"e1","r\u0065f":"e2"}`, "the same name twice, below": `{"kind":"click","ref":"e1","x":[{"a":1,"a":2}]}`,
		"deep":         `{"kind":"click","ref":"e1","a":` + strings.Repeat("[", 64) + strings.Repeat("]", 64) + `}`,
		"deep objects": strings.Repeat(`{"kind":`, 65) + "1" + strings.Repeat("}", 65),
		"deep, open":   `{"kind":"click","ref":"e1","a":` + strings.Repeat("[", 100_000),
		"wrong type":   `{"kind":"click","ref":{}}`, "list for a text": `{"kind":"click","ref":["e1"]}`, "no bool": `{"kind":"click","ref":"e1","doubleClick":{}}`, "another bool": `{"kind":"click","ref":"e1","doubleClick":"maybe"}`, "null for what must be": `{"kind":"click","ref":null}`,
		"unknown kind": `{"kind":"explode"}`, "list for the kind": `{"kind":["click"],"ref":"e1"}`, "other letters": `{"KIND":"click","ref":"e1"}`, "name in other letters": `{"kind":"click","REF":"e1"}`,
	} {
		rules = append(rules, rule{name, act + body(content), 400, `"code":"`, ""})
	}
	for name, content := range map[string]string{
		"huge": `1e400`, "large": `99999999999999999999`, "fraction": `1.5`, "negative": `-1`, "text": `"x"`, "list": `[1]`, "object": `{}`,
	} {
		rules = append(rules, rule{name + " number", post("/snapshot", `{"depth":`+content+`}`), 400, "depth must be", ""})
	}
	r.test(t, append(rules, []rule{
		{"unknown value", post("/snapshot", `{"format":"xml"}`), 400, "format must be ai|aria", ""},
		{"compressed", act + "Content-Encoding: gzip\n" + body(`{}`), 415, "", ""},
		{"no type", act + "Content-Length: 2\n\n{}", 415, "", ""},
		{"another type, of which nothing comes", act + "Content-Type: text/plain\nContent-Length: 2\n\n", 415, "", ""},
		{"of a GET", "GET / HTTP/1.1\nHost: HOST\n" + auth + "Content-Type: text/plain\nContent-Length: 2\n\n{}", 415, "", ""},
		{"no route, of which nothing comes", "POST /nothing HTTP/1.1\nHost: HOST\n" + auth + "Content-Type: text/plain\nContent-Length: 2\n\n", 404, "", ""},
		{"wrong method, of which nothing comes", "PUT /act HTTP/1.1\nHost: HOST\n" + auth + "Content-Type: text/plain\nContent-Length: 2\n\n", 405, "", ""},
		{"too large, by its length", typed + "Content-Length: 1048577\n\n", 413, `"code":"too_large"`, ""},
		{"far too large, by its length", typed + "Content-Length: 9223372036854775807\n\n", 413, `"code":"too_large"`, ""},
		{"too large, announced", typed + "Expect: 100-continue\nContent-Length: 1048577\n\n", 413, "", ""},
		{"too large and of another type", act + "Content-Type: text/plain\nContent-Length: 1048577\n\n", 413, "", ""},
		{"too large, in chunks", typed + "Transfer-Encoding: chunked\n\n100010\n" + strings.Repeat(" ", 0x100010) + "\n", 413, "", ""},
		{"as large as may be", act + body(`{"kind":"click","ref":"e1","x":"`+strings.Repeat("x", maxBody-34)+`"}`), 200, `"ignored":["x"]`, "click e1 false"},
		{"as deep as may be", act + body(`{"kind":"click","ref":"e1","a":`+strings.Repeat("[", 63)+strings.Repeat("]", 63)+`}`), 200, "", "click e1 false"},
		{"brackets in strings are not deep", act + body(`{"kind":"click","ref":"\"`+strings.Repeat("[", 99)+`"}`), 200, "", `click "` + strings.Repeat("[", 99) + ` false`},
		{"chunked", act + "Content-Type: application/json; charset=utf-8\nTransfer-Encoding: chunked\n\n1b\n{\"kind\":\"click\",\"ref\":\"e1\"}\n0\n\n", 200, "", "click e1 false"},
		{"none needs no type", "POST /snapshot HTTP/1.1\nHost: HOST\n" + auth + "Content-Length: 0\n\n", 200, "", "again  0"},
		{"none, in chunks", "POST /snapshot HTTP/1.1\nHost: HOST\n" + auth + "Transfer-Encoding: chunked\n\n0\n\n", 200, "", "again  0"},
	}...))
}

// If the head of a request could be read in two ways, its connection is closed.
func TestFramingIsStrict(t *testing.T) {
	r := start(t)
	const click = `{"kind":"click","ref":"e1"}` // 27 bytes
	const typed = act + "Content-Type: application/json\n"
	chunks := func(text string) string { return typed + "Transfer-Encoding: chunked\n\n" + text }
	var rules []rule
	for name, request := range map[string]string{
		"length and chunked":          typed + "Content-Length: 27\nTransfer-Encoding: chunked\n\n1b\n" + click + "\n0\n\n",
		"chunked and length":          typed + "Transfer-Encoding: chunked\nContent-Length: 27\n\n1b\n" + click + "\n0\n\n",
		"same length twice":           typed + "Content-Length: 27\nContent-Length: 27\n\n" + click,
		"two lengths":                 typed + "Content-Length: 1\nContent-Length: 27\n\n" + click,
		"two lengths in one":          typed + "Content-Length: 27, 27\n\n" + click,
		"signed length":               typed + "Content-Length: +27\n\n" + click,
		"negative length":             typed + "Content-Length: -27\n\n" + click,
		"hexadecimal length":          typed + "Content-Length: 0x1b\n\n" + click,
		"length with a fraction":      typed + "Content-Length: 27.0\n\n" + click,
		"length with an underscore":   typed + "Content-Length: 2_7\n\n" + click,
		"empty length":                typed + "Content-Length:\n\n" + click,
		"length of two numbers":       typed + "Content-Length: 2 7\n\n" + click,
		"length beyond all":           typed + "Content-Length: 99999999999999999999\n\n" + click,
		"length in other digits":      typed + "Content-Length: \xd9\xa2\xd9\xa7\n\n" + click,
		"chunked twice":               typed + "Transfer-Encoding: chunked\nTransfer-Encoding: chunked\n\n1b\n" + click + "\n0\n\n",
		"chunked in a list":           typed + "Transfer-Encoding: chunked, chunked\n\n1b\n" + click + "\n0\n\n",
		"identity":                    typed + "Transfer-Encoding: identity\n\n" + click,
		"identity and length":         typed + "Transfer-Encoding: identity\nContent-Length: 27\n\n" + click,
		"gzip":                        typed + "Transfer-Encoding: gzip, chunked\n\n1b\n" + click + "\n0\n\n",
		"almost chunked":              typed + "Transfer-Encoding: xchunked\n\n1b\n" + click + "\n0\n\n",
		"chunked in quotes":           typed + "Transfer-Encoding: \"chunked\"\n\n1b\n" + click + "\n0\n\n",
		"chunked with a parameter":    typed + "Transfer-Encoding: chunked;q=1\n\n1b\n" + click + "\n0\n\n",
		"no encoding":                 typed + "Transfer-Encoding:\nContent-Length: 27\n\n" + click,
		"chunked after a tab":         typed + "Transfer-Encoding:\x0bchunked\n\n1b\n" + click + "\n0\n\n",
		"chunked, continued":          typed + "Transfer-Encoding:\n chunked\n\n1b\n" + click + "\n0\n\n",
		"chunked before a colon":      typed + "Transfer-Encoding : chunked\n\n1b\n" + click + "\n0\n\n",
		"chunked in HTTP/1.0":         "POST /act HTTP/1.0\nHost: HOST\n" + auth + "Connection: keep-alive\nContent-Type: application/json\nTransfer-Encoding: chunked\n\n1b\n" + click + "\n0\n\n",
		"chunk of another number":     chunks("zz\n" + click + "\n0\n\n"),
		"negative chunk":              chunks("-1b\n" + click + "\n0\n\n"),
		"signed chunk":                chunks("+1b\n" + click + "\n0\n\n"),
		"chunk with a prefix":         chunks("0x1b\n" + click + "\n0\n\n"),
		"chunk beyond all":            chunks("1000000000000001b\n" + click + "\n0\n\n"),
		"chunk far beyond all":        chunks(strings.Repeat("f", 40) + "\n" + click + "\n0\n\n"),
		"chunk that is too short":     chunks("1a\n" + click + "\n0\n\n"),
		"chunk that is not ended":     chunks("1b\n" + click + "0\n\n"),
		"empty chunk size":            chunks("\n" + click + "\n0\n\n"),
		"chunk with a long extension": chunks("1b;x=" + strings.Repeat("x", 70_000) + "\n" + click + "\n0\n\n"),
		"length in a trailer":         typed + "Trailer: Content-Length\nTransfer-Encoding: chunked\n\n1b\n" + click + "\n0\nContent-Length: 1\n\n",
		"continued line":              get("X-A: a\n b\n" + auth),
		"continued line, empty":       get("X-A: a\n \n" + auth),
		"continued first line":        "GET / HTTP/1.1\n X-A: b\nHost: HOST\n" + auth + "\n",
		"space before the colon":      get("X-A : b\n" + auth),
		"tab before the colon":        get("X-A\t: b\n" + auth),
		"no name":                     get(": b\n" + auth),
		"no colon":                    get("X-A\n" + auth),
		"name with a space":           get("X A: b\n" + auth),
		"name with a comma":           get("X,A: b\n" + auth),
		"name that is no ASCII":       get("X-\xc3\xa4: b\n" + auth),
		"NUL":                         get("X-A: a\x00b\n" + auth),
		"NUL in a name":               get("X\x00A: b\n" + auth),
		"control character":           get("X-A: a\x01b\n" + auth),
		"escape":                      get("X-A: \x1b[31m\n" + auth),
		"DEL":                         get("X-A: a\x7fb\n" + auth),
		"carriage return":             get("X-A: a\rX-B: b\n" + auth),
		"two carriage returns":        get("X-A: a\r\n" + auth),
		"empty line before":           "\n" + get(auth),
		"no version":                  "GET /\nHost: HOST\n" + auth + "\n",
		"HTTP/0.9":                    "GET / HTTP/0.9\nHost: HOST\n" + auth + "\n",
		"HTTP/2":                      "GET / HTTP/2.0\nHost: HOST\n" + auth + "\n",
		"preface of HTTP/2":           "PRI * HTTP/2.0\n\nSM\n\n",
		"HTTP/1.1 and more":           "GET / HTTP/1.1 x\nHost: HOST\n" + auth + "\n",
		"no HTTP":                     "GET / XTTP/1.1\nHost: HOST\n" + auth + "\n",
		"lower case":                  "GET / http/1.1\nHost: HOST\n" + auth + "\n",
		"space in the address":        "GET / x HTTP/1.1\nHost: HOST\n" + auth + "\n",
		"two spaces":                  "GET  / HTTP/1.1\nHost: HOST\n" + auth + "\n",
		"space before the method":     " GET / HTTP/1.1\nHost: HOST\n" + auth + "\n",
		"tab after the method":        "GET\t/ HTTP/1.1\nHost: HOST\n" + auth + "\n",
		"method with a colon":         "GE:T / HTTP/1.1\nHost: HOST\n" + auth + "\n",
		"no method":                   " / HTTP/1.1\nHost: HOST\n" + auth + "\n",
		"NUL in the address":          "GET /\x00 HTTP/1.1\nHost: HOST\n" + auth + "\n",
		"control character in it":     "GET /\x01 HTTP/1.1\nHost: HOST\n" + auth + "\n",
		"wrong escape in it":          "GET /%zz HTTP/1.1\nHost: HOST\n" + auth + "\n",
		"TLS":                         "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\n\n",
		"an unknown expectation":      get("Expect: more\n" + auth),
	} {
		rules = append(rules, rule{name, request, 400, `"code":"invalid_request"`, ""})
	}
	r.test(t, append(rules, []rule{
		{"chunks with an extension", chunks("1b;a=b\n" + click + "\n0\n\n"), 200, "", "click e1 false"},
		{"several chunks", chunks("1\n{\n1a\n" + click[1:] + "\n000\nX-Trailer: x\n\n"), 200, "", "click e1 false"},
		{"Chunked", typed + "Transfer-Encoding: Chunked\n\n1b\n" + click + "\n0\n\n", 200, "", "click e1 false"},
		{"expectation", typed + "Content-Length: 27\n\n" + click, 200, "", "click e1 false"},
		{"tabs in a value", get("X-A: a\tb\t\n" + auth), 200, "", "status"},
		{"UTF-8 in a value", get("X-A: \xc3\xa4\n" + auth), 200, "", "status"},
	}...))
	// send replaces each \n by \r\n, and {LF} by \n.
	for name, request := range map[string]string{
		"line feeds":         strings.ReplaceAll(get(auth), "\n", "{LF}"),
		"one line feed":      "GET / HTTP/1.1\nHost: HOST{LF}" + auth + "\n",
		"line feed in a row": "GET / HTTP/1.1{LF}Host: HOST\n" + auth + "\n",
		"line feed at last":  "GET / HTTP/1.1\nHost: HOST\n" + auth + "{LF}",
		"a length behind it": typed + "X-A: b{LF}Content-Length: 27\n\n" + click,
	} {
		r.test(t, []rule{{name, request, 400, "lines of the head", ""}})
	}
}

// The size of the head is limited.
func TestSizeOfHead(t *testing.T) {
	r := start(t)
	r.test(t, []rule{
		{"large headers", get(auth + "X-A: " + strings.Repeat("a", 2*headerBytes) + "\n"), 431, `"code":"headers_too_large"`, ""},
		{"many headers", get(auth + strings.Repeat("X-A: b\n", 2*headerBytes/7)), 431, `"code":"headers_too_large"`, ""},
		{"long address", "GET /?a=" + strings.Repeat("a", 2*headerBytes) + " HTTP/1.1\nHost: HOST\n" + auth + "\n", 431, `"code":"headers_too_large"`, ""},
		{"long method", strings.Repeat("A", 2*headerBytes) + " / HTTP/1.1\nHost: HOST\n" + auth + "\n", 431, `"code":"headers_too_large"`, ""},
		{"long token", get("Authorization: Bearer " + strings.Repeat("a", headerBytes/2) + "\n"), 401, `"code":"unauthorized"`, ""},
		{"longer token", get("Authorization: Bearer " + strings.Repeat("a", 2*headerBytes) + "\n"), 431, `"code":"headers_too_large"`, ""},
		{"no end", strings.Repeat("a", 2*headerBytes), 431, `"code":"headers_too_large"`, ""},
	})
}

func TestRoutes(t *testing.T) {
	r := start(t)
	var rules []rule
	for _, path := range []string{"/nothing", "//snapshot", "/./snapshot", "/x/../snapshot", "/snapshot/", "/snapshot/.", "/snapshot;x=1", "/%2e%2e/snapshot", "/%2fsnapshot", "/snapshot%00", "/snapshot%0a", "/SNAPSHOT", "/act/../snapshot", `/\snapshot`, "/snapshot%20", "/<script>", "/tabs/"} {
		rules = append(rules, rule{path, "GET " + path + " HTTP/1.1\nHost: HOST\n" + auth + "\n", 404, `"code":"not_found"`, ""})
	}
	r.test(t, append(rules, []rule{
		{"wrong method", "PUT /snapshot HTTP/1.1\nHost: HOST\n" + auth + "\n", 405, `"code":"method_not_allowed"`, ""},
		{"another method", "GET /act HTTP/1.1\nHost: HOST\nX-HTTP-Method-Override: POST\n" + auth + "\n", 405, "", ""},
		{"method in lower case", "get / HTTP/1.1\nHost: HOST\n" + auth + "\n", 405, "", ""},
		{"TRACE", "TRACE / HTTP/1.1\nHost: HOST\n" + auth + "\n", 405, "", ""},
		{"OPTIONS", "OPTIONS /snapshot HTTP/1.1\nHost: HOST\n" + auth + "\n", 200, `{"methods":["GET","HEAD","POST"]}`, ""},
		{"OPTIONS *", "OPTIONS * HTTP/1.1\nHost: HOST\n" + auth + "\n", 404, "", ""},
		{"HEAD", "HEAD / HTTP/1.1\nHost: HOST\nConnection: close\n" + auth + "\n", 200, "", "status"},
		{"HTTP/1.0", "GET / HTTP/1.0\nHost: HOST\n" + auth + "\n", 200, "", "status"},
		{"no kind", post("/act", `{}`), 400, `"code":"ACT_KIND_REQUIRED"`, ""},
		{"kind in the query", post("/act?kind=hover", `{"ref":"e3"}`), 200, "", "hover e3"},
		{"unknown field", post("/act", `{"kind":"click","ref":"e1","x":1}`), 200, `"ignored":["x"]`, "click e1 false"},
		{"query", "GET /snapshot?format=aria&depth=3 HTTP/1.1\nHost: HOST\n" + auth + "\n", 200, `{"ok":true}`, "snapshot  aria 3"},
		{"query values that cannot be meant", "GET /snapshot?format=xml&depth=deep&x=1 HTTP/1.1\nHost: HOST\n" + auth + "\n", 200, `"ignored":["depth","format","x"]`, "snapshot   0"},
		{"body value that cannot be meant", post("/snapshot", `{"depth":"deep"}`), 400, "depth must be", ""},
		{"query value of a POST that cannot be meant", "POST /snapshot?depth=deep HTTP/1.1\nHost: HOST\n" + auth + "\n", 400, "depth must be", ""},
		{"query and body differ", post("/snapshot?profile=a", `{"profile":"b"}`), 400, "profile is given twice, with different values", ""},
		{"query and body agree", post("/snapshot?profile=a&depth=3", `{"profile":" a","depth":"3"}`), 200, "", "again a 3"},
		{"query says nothing", post("/snapshot?profile=", `{"profile":"b"}`), 200, "", "again b 0"},
		{"body says nothing", post("/snapshot?profile=a", `{"profile":null}`), 200, "", "again a 0"},
		{"query differs from itself", "GET /snapshot?profile=a&profile=b HTTP/1.1\nHost: HOST\n" + auth + "\n", 400, "profile is given twice", ""},
		{"path and body differ", "DELETE /tabs/t1 HTTP/1.1\nHost: HOST\n" + auth + body(`{"targetId":"t2"}`), 400, "targetId is given twice", ""},
		{"kinds differ", post("/act?kind=hover", `{"kind":"click","ref":"e3"}`), 400, "kind is given twice", ""},
		{"path", "DELETE /tabs/a%2Fb HTTP/1.1\nHost: HOST\n" + auth + "\n", 200, "", "close a/b"},
		{"escaped letters", "GET /%73napshot HTTP/1.1\nHost: HOST\n" + auth + "\n", 200, "", "snapshot   0"},
		{"broken query", "GET /?a=%zz HTTP/1.1\nHost: HOST\n" + auth + "\n", 400, "", ""},
		{"query with a semicolon", "GET /?a=1;b=2 HTTP/1.1\nHost: HOST\n" + auth + "\n", 400, "", ""},
		{"panic", post("/panic", `{}`), 500, `{"code":"internal","error":"an internal error"`, ""},
		{"defect", post("/fail", `{}`), 500, `{"code":"internal","error":"an internal error"`, ""},
		{"markup", post("/act", `{"kind":"<script>alert(1)</script>","<b>":1}`), 400, `\u003cscript\u003e`, ""},
		{"markup in the query", "GET /?<script>=<script> HTTP/1.1\nHost: HOST\n" + auth + "\n", 200, `\u003cscript>`, "status"},
	}...))
}
