// Package login finds the form of a page that asks for a login, and says what its fields ask for.
//
// It is for filling in passwords while no person looks on, so it does not guess. If several forms
// may be the login, it finds none. A form that may be for a new account does not count.
package login

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"chela/internal/base/lazyregexp"
)

// A Form is a form of a page, with its fields in their order. Fields that nobody can see or change
// are left out.
type Form struct {
	Fields  []Field
	Buttons []string // names of the buttons that send it
	Address string   // host and path of its document
}

// A Field is an input for text.
type Field struct {
	Ref          string
	Type         string // type of the element: text, password, email
	Autocomplete string // the attribute autocomplete, in lower case
	Names        string // name and id of the element
	Label        string // name of the field on the page, or else its placeholder
	MaxLength    int    // most characters that the field takes; -1: no limit
}

// A Kind is what a field asks for.
type Kind string

// The kinds of fields.
const (
	User     Kind = "username"
	Password Kind = "password"
	New      Kind = "new password"
	Code     Kind = "one-time code"
	Search   Kind = "search"
	Other    Kind = "text"
)

// A Step is what one page of a login asks for: a user name, a password, a one-time code, or several
// of these. A one-time code may have one field for each character.
type Step struct {
	Form     Form
	User     *Field  // nil if the page asks for no user name
	Password *Field  // nil if the page asks for no password
	Code     []Field // empty if the page asks for no code
}

// Asks lists what a step asks for.
func (s Step) Asks() (kinds []Kind) {
	if s.User != nil {
		kinds = append(kinds, User)
	}
	if s.Password != nil {
		kinds = append(kinds, Password)
	}
	if len(s.Code) > 0 {
		kinds = append(kinds, Code)
	}
	return kinds
}

// Last returns the field that is filled in last.
func (s Step) Last() Field {
	switch {
	case len(s.Code) > 0:
		return s.Code[len(s.Code)-1]
	case s.Password != nil:
		return *s.Password
	}
	return *s.User
}

// Find returns what the form for a login asks for. If ok is false, there is no such form, or it is
// not certain which one it is. Then why says what the forms look like; it is empty if there are no
// fields.
func Find(forms []Form) (step Step, why string, ok bool) {
	var passwords, codes, users []Step
	var seen []string
	for _, f := range forms {
		s, not := read(f)
		switch {
		case not != "":
			seen = append(seen, not)
		case s.Password != nil:
			passwords = append(passwords, s)
		case len(s.Code) > 0:
			codes = append(codes, s)
		case s.User != nil:
			users = append(users, s)
		}
	}
	for _, each := range [][]Step{passwords, codes, users} {
		switch {
		case len(each) == 1:
			return each[0], "", true
		case len(each) > 1:
			for _, s := range each {
				seen = append(seen, "a form that may be a login: "+describe(s.Form))
			}
			return Step{}, strings.Join(seen, "; "), false
		}
	}
	return Step{}, strings.Join(seen, "; "), false
}

// read returns what a form asks for, or why it is not a form for a login.
func read(f Form) (s Step, not string) {
	by := map[Kind][]Field{}
	for _, field := range f.Fields {
		kind := KindOf(field)
		by[kind] = append(by[kind], field)
	}
	others := by[Other]
	// A single other field before the password is for the user name, whatever the name of the field.
	if len(by[Password]) == 1 && len(by[User]) == 0 && len(others) == 1 && f.before(others[0], by[Password][0]) {
		by[User], others = others, nil
	}
	switch {
	case len(by[New]) > 0 || len(by[Password]) > 1:
		return s, "a form for a new password: " + describe(f)
	case len(by[Password])+len(by[Code])+len(by[User]) == 0:
		return s, "a form for something else: " + describe(f)
	case len(by[User]) > 1 || len(others) > 0:
		return s, "a form that also asks for something else: " + describe(f)
	case len(by[Code]) > 1 && slices.ContainsFunc(by[Code], func(c Field) bool { return c.MaxLength != 1 }):
		return s, "a form with several fields for a code: " + describe(f)
	case len(by[Password]) == 0 && len(by[Code]) == 0 && !f.looksLikeLogin(by[User][0]):
		return s, "a form that asks for an address or a name only: " + describe(f)
	}
	s = Step{Form: f, Code: by[Code]}
	if len(by[User]) == 1 {
		s.User = &by[User][0]
	}
	if len(by[Password]) == 1 {
		s.Password = &by[Password][0]
	}
	return s, ""
}

// before reports whether a field stands before another.
func (f Form) before(a, b Field) bool {
	return slices.Index(f.Fields, a) < slices.Index(f.Fields, b)
}

// looksLikeLogin reports whether a form that only asks for a user name is the first step of a login.
// It may also be for a newsletter.
func (f Form) looksLikeLogin(user Field) bool {
	if slices.Contains(strings.Fields(user.Autocomplete), "username") || loginWords().MatchString(spaced(f.Address)) {
		return true
	}
	return slices.ContainsFunc(f.Buttons, func(name string) bool { return buttonWords().MatchString(name) })
}

// KindOf returns what a field asks for. Its autocomplete attribute is meant for that. Without
// it, the type and the names of the field decide.
func KindOf(f Field) Kind {
	for _, word := range strings.Fields(f.Autocomplete) {
		switch word {
		case "username":
			return User
		case "current-password":
			return Password
		case "new-password":
			return New
		case "one-time-code":
			return Code
		}
	}
	names := spaced(f.Names + " " + f.Label)
	switch {
	case f.Type == "search" || f.Type == "url" || searchWords().MatchString(names) && f.Type != "password":
		return Search
	case f.Type == "password" && newWords().MatchString(names):
		return New
	case codeWords().MatchString(names) && !notCodes().MatchString(names) && (f.Type != "password" || f.MaxLength > 0 && f.MaxLength <= 10):
		return Code
	case f.Type == "password":
		return Password
	case f.Type == "email" || userWords().MatchString(names):
		return User
	}
	return Other
}

// Words in the names of fields and buttons, in the languages of most pages.
var (
	codeWords   = wordsOf(`otp|totp|2fa|mfa|tfa|one.?time|passcode|code|token|einmal\w*|bestätigungscode|código|codice|codigo`, "验证码|認証コード|確認コード")
	notCodes    = wordsOf(`zip|postal|post\w*|promo\w*|coupon|discount|voucher|gift|country|area|dial|language|referral|invit\w*|plz`, "優惠|クーポン")
	newWords    = wordsOf(`new|repeat|confirm\w*|again|retype|re.?enter|neues|wiederholen|bestätigen|nouveau|nueva|password ?2|pass ?2`, "新しい|再入力|确认")
	searchWords = wordsOf(`search|query|q|suche\w*|recherche\w*|buscar|cerca`, "検索|搜索")
	userWords   = wordsOf(`user\w*|log ?in|log ?on|sign ?in|e ?mail\w*|account|identifier|ident|nick\w*|member|phone|benutzer\w*|kennung|anmeldename|identifiant|utilisateur|usuario|utente|correo|courriel`, "ユーザー|メール|用户名|邮箱")
	loginWords  = wordsOf(`log ?in|log ?on|sign ?in|sso|oauth\d?|auth|authorize|session|sessions|anmelden|einloggen|connexion|identifier|account|accounts`, "ログイン|登录")
	buttonWords = lazyregexp.New(`(?i)^\W*(` + buttons + `)\W*$`)
	submitWords = lazyregexp.New(`(?i)^\W*(submit|verify|confirm|ok|go|enter|prüfen|bestätigen|vérifier|verificar|` + buttons + `)\W*$`)
)

// buttons are the names of buttons that send the first step of a login.
const buttons = `log ?in|log ?on|sign ?in|continue|next|weiter|anmelden|einloggen|suivant|continuer|se connecter|connexion|siguiente|continuar|iniciar sesión|acceder|avanti|accedi|次へ|ログイン|下一步|登录`

// wordsOf returns an expression that finds one of the words between other words, or one of
// the parts anywhere. The parts are words of languages that write no spaces between words.
func wordsOf(words, parts string) func() *regexp.Regexp {
	return lazyregexp.New(`(?i)\b(` + words + `)\b|` + parts)
}

// spaced separates the words of a name such as userName, user-name or user_name.
func spaced(name string) string {
	return boundaries().ReplaceAllString(camel().ReplaceAllString(name, "$1 $2"), " ")
}

var (
	camel      = lazyregexp.New(`(\p{Ll})(\p{Lu})`)
	boundaries = lazyregexp.New(`[-_./?&=:\[\]]+`)
)

// Button returns the index of the button that sends a login, among buttons with these names; -1 if
// it is not certain which one does. If there is only one button, it returns 0.
func Button(names []string) int {
	if len(names) == 1 {
		return 0
	}
	found := -1
	for i, name := range names {
		if !submitWords().MatchString(name) {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = i
	}
	return found
}

// maxDescribed is how many fields of a form are described.
const maxDescribed = 8

// describe says what a form looks like.
func describe(f Form) string {
	var all []string
	for _, field := range f.Fields[:min(len(f.Fields), maxDescribed)] {
		kind := string(KindOf(field))
		if field.Label != "" {
			kind += fmt.Sprintf(" %q", field.Label)
		}
		all = append(all, kind+" ("+field.Ref+")")
	}
	if more := len(f.Fields) - maxDescribed; more > 0 {
		all = append(all, fmt.Sprintf("%d more", more))
	}
	return strings.Join(all, ", ")
}
