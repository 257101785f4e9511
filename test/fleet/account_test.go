package fleet

import (
	"fmt"
	"net/http"
)

// account is a page that shows which visitor is logged in, by a cookie, and what the visitor has
// stored.
func account(w http.ResponseWriter, r *http.Request) {
	who := "nobody"
	if c, err := r.Cookie("login"); err == nil {
		who = c.Value
	}
	if r.URL.Query().Has("login") {
		http.SetCookie(w, &http.Cookie{Name: "login", Value: r.URL.Query().Get("login"), Path: "/account"})
	}
	fmt.Fprintf(w, `<!doctype html><title>Account</title><h1>%s</h1><p id=stored></p><button onclick="localStorage.cart = 'three claws'; show()">Add</button>
<script>const show = () => document.querySelector('#stored').textContent = 'cart: ' + (localStorage.cart || 'empty'); show()</script>`, who)
}
