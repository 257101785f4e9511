package pages

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
)

// The account of the login pages.
const (
	LoginUser     = "ada@example.com"
	LoginPassword = "correct horse battery"
)

// loginFields are the fields of the login pages, by what they ask for.
var loginFields = map[string]string{
	"user":     `<label>E-mail <input name="user" type="email" autocomplete="username"></label>`,
	"password": `<label>Password <input name="password" type="password"></label>`,
	"code":     `<label>Code from your app <input name="code" inputmode="numeric" maxlength="6"></label>`,
}

// loginPage is a login of several steps: /login?steps=user,password+code has one page for the name,
// and one for the password and the code. Every page takes any code of six digits, and only the name
// and the password of the account. After a wrong entry, the same page is shown again.
func loginPage(w http.ResponseWriter, r *http.Request) {
	steps := strings.Split(r.FormValue("steps"), ",")
	at := slices.Index(steps, r.FormValue("at"))
	if r.Method == http.MethodPost && right(r) {
		at++
	} else {
		at = max(at, 0)
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if at == len(steps) {
		io.WriteString(w, "<!doctype html><title>in</title><h1>Welcome</h1>")
		return
	}
	fmt.Fprintf(w, `<!doctype html><title>Step %d</title><form method="post" action="/login?steps=%s&amp;at=%s">`, at, strings.ReplaceAll(r.FormValue("steps"), "+", "%2b"), strings.ReplaceAll(steps[at], "+", "%2b"))
	for field := range strings.SplitSeq(steps[at], "+") {
		io.WriteString(w, loginFields[field])
	}
	io.WriteString(w, `<button type="button">Show</button><button>Continue</button></form>`)
	if r.Method == http.MethodPost && !right(r) {
		io.WriteString(w, `<p role="alert">That is wrong.</p>`)
	}
}

// right reports whether all that a form has sent is right.
func right(r *http.Request) bool {
	want := func(name, value string) bool { return !r.PostForm.Has(name) || r.PostForm.Get(name) == value }
	code := r.PostForm.Get("code")
	return want("user", LoginUser) && want("password", LoginPassword) && (!r.PostForm.Has("code") || len(code) == 6 && strings.Trim(code, "0123456789") == "")
}

// secretHeaders answers a page with the headers X-Key and Authorization of the request.
func secretHeaders(w http.ResponseWriter, r *http.Request) {
	if name, password, ok := r.BasicAuth(); ok {
		page(w, http.StatusOK, "key "+r.Header.Get("X-Key")+" login "+name+":"+password)
		return
	}
	if r.FormValue("asks") != "" {
		w.Header().Set("WWW-Authenticate", `Basic realm="members"`)
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	page(w, http.StatusOK, "key "+r.Header.Get("X-Key")+" login "+r.Header.Get("Authorization"))
}
