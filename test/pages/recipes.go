package pages

import (
	"embed"
	"encoding/json"
	"io/fs"
	"net/http"
	"strings"
)

//go:embed recipes
var recipeFiles embed.FS

// recipes serves the pages of docs/recipes.md.
func recipes(mux *http.ServeMux) {
	sub, err := fs.Sub(recipeFiles, "recipes")
	if err != nil {
		panic(err)
	}
	mux.HandleFunc("GET /recipes/{name}", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFileFS(w, r, sub, strings.TrimSuffix(r.PathValue("name"), ".html")+".html")
	})
	mux.HandleFunc("POST /recipes/login", signIn)
	mux.HandleFunc("GET /recipes/account", account)
	mux.HandleFunc("GET /recipes/api/orders", orders)
}

// signIn sets a cookie that signs in the user Ada, whose password is "lovelace".
func signIn(w http.ResponseWriter, r *http.Request) {
	if r.FormValue("user") != "Ada" || r.FormValue("password") != "lovelace" {
		page(w, http.StatusForbidden, "Wrong password")
		return
	}
	http.SetCookie(w, &http.Cookie{Name: "user", Value: "Ada", HttpOnly: true})
	http.Redirect(w, r, "account", http.StatusSeeOther)
}

func account(w http.ResponseWriter, r *http.Request) {
	user, err := r.Cookie("user")
	if err != nil {
		http.Redirect(w, r, "login", http.StatusSeeOther)
		return
	}
	page(w, http.StatusOK, "Signed in as "+user.Value)
}

// orders answers the orders of ?page= 1 or 2.
func orders(w http.ResponseWriter, r *http.Request) {
	type order struct {
		Number   int    `json:"number"`
		Customer string `json:"customer"`
		Total    string `json:"total"`
	}
	all := map[string][]order{
		"1": {{101, "Ada", "14.00"}, {102, "Grace", "1,249.50"}},
		"2": {{103, "Edith", "8.00"}},
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(all[r.FormValue("page")])
}
