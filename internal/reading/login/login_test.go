package login_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"chela/internal/reading/login"
)

// form makes a form of descriptions: "type names | label | autocomplete | maxlength"; a description
// that begins with ">" is a button.
func form(all ...string) login.Form {
	f := login.Form{Address: "example.com/"}
	for i, each := range all {
		if name, ok := strings.CutPrefix(each, ">"); ok {
			f.Buttons = append(f.Buttons, name)
			continue
		}
		parts := strings.Split(each+"|||", "|")
		kind, names, _ := strings.Cut(strings.TrimSpace(parts[0]), " ")
		field := login.Field{Ref: "e" + strconv.Itoa(i+1), Type: kind, Names: names, Label: strings.TrimSpace(parts[1]), Autocomplete: strings.TrimSpace(parts[2]), MaxLength: -1}
		if n, err := strconv.Atoi(strings.TrimSpace(parts[3])); err == nil {
			field.MaxLength = n
		}
		f.Fields = append(f.Fields, field)
	}
	return f
}

func TestFind(t *testing.T) {
	for name, test := range map[string]struct {
		forms []login.Form
		want  string // what the step asks for; "": none
	}{
		"by autocomplete":      {[]login.Form{form("text a||username", "password b||current-password")}, "username password"},
		"by type":              {[]login.Form{form("email mail|E-mail", "password pw|Password")}, "username password"},
		"by names":             {[]login.Form{form("text userName|", "password passwd|")}, "username password"},
		"name of any kind":     {[]login.Form{form("text x|Kundennummer", "password y")}, "username password"},
		"with a search":        {[]login.Form{form("search q|Search"), form("text query|"), form("text login|", "password y")}, "username password"},
		"with a newsletter":    {[]login.Form{form("email news|Your e-mail", ">Subscribe"), form("text login|", "password y")}, "username password"},
		"beside a sign-up":     {[]login.Form{form("email a|", "password b||new-password"), form("text login|", "password y")}, "username password"},
		"the name first":       {[]login.Form{form("email identifier|", ">Next")}, "username"},
		"the password only":    {[]login.Form{form("password y|Password")}, "password"},
		"code":                 {[]login.Form{form("text otp|Code||6")}, "one-time code"},
		"code by autocomplete": {[]login.Form{form("tel x||one-time-code")}, "one-time code"},
		"code in six fields":   {[]login.Form{form("tel|Code 1||1", "tel|Code 2||1", "tel|Code 3||1", "tel|Code 4||1", "tel|Code 5||1", "tel|Code 6||1")}, "one-time code"},
		"password and code":    {[]login.Form{form("password y|Password", "text otp|Authenticator code")}, "password one-time code"},
		"dots for a code":      {[]login.Form{form("password totp|||6")}, "one-time code"},

		"nothing":                 {nil, ""},
		"newsletter":              {[]login.Form{form("email news|Your e-mail", ">Subscribe")}, ""},
		"search":                  {[]login.Form{form("text q|Search the site", ">Go")}, ""},
		"sign-up":                 {[]login.Form{form("email mail|E-mail", "password pw|Password", "password pw2|Repeat password")}, ""},
		"sign-up with one field":  {[]login.Form{form("email mail|E-mail", "password pw|Choose a password|new-password")}, ""},
		"change of password":      {[]login.Form{form("password old|Current password", "password new|New password")}, ""},
		"two logins":              {[]login.Form{form("text login|", "password y"), form("text user|", "password z")}, ""},
		"two names":               {[]login.Form{form("text user|User", "email mail|E-mail", "password z")}, ""},
		"something else is asked": {[]login.Form{form("text user|User", "text company|Company", "password z")}, ""},
		"promotion":               {[]login.Form{form("text promo|Promo code", ">Apply")}, ""},
		"several codes":           {[]login.Form{form("text a|Code", "text b|Backup code")}, ""},
	} {
		step, why, ok := login.Find(test.forms)
		var asks []string
		if ok {
			for _, kind := range step.Asks() {
				asks = append(asks, string(kind))
			}
		}
		if got := strings.Join(asks, " "); got != test.want || ok != (test.want != "") || !ok && (why == "") != (len(test.forms) == 0) {
			t.Errorf("%s: got %q, %q", name, got, why)
		}
	}
}

func TestButton(t *testing.T) {
	for _, test := range []struct {
		names []string
		want  int
	}{
		{nil, -1}, {[]string{"Los"}, 0}, {[]string{"Show password", "Log in"}, 1}, {[]string{"Sign in", "Sign in with Example"}, 0},
		{[]string{"Continue", "Next"}, -1}, {[]string{"A", "B"}, -1}, {[]string{"→", "Weiter »"}, 1},
	} {
		if got := login.Button(slices.Clone(test.names)); got != test.want {
			t.Errorf("%q: got %d, want %d", test.names, got, test.want)
		}
	}
}
