// Package shop is a small web shop on which users can try chela. It has a list that JavaScript
// renders, a checkout in three steps and a payment form in an iframe. A dialog asks for confirmation
// before an order is sent.
//
// Nothing is for sale. The shop keeps no orders; it only counts them.
package shop

import (
	"embed"
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"strings"
	"sync/atomic"
	"time"
)

//go:embed site
var site embed.FS

// firstOrder is the number of the first order. It is fixed, so that the same steps in a new shop
// always end with the same text.
const firstOrder = 1234

// policy is the Content-Security-Policy of the pages. They may load only what this handler serves,
// so the shop works without a network.
const policy = "default-src 'self'; frame-ancestors 'self'"

// Handler returns a new shop, which has counted no orders. It serves the files in site, and below
// /api the products and the orders, to several browsers at a time.
func Handler() http.Handler {
	files, err := fs.Sub(site, "site")
	if err != nil {
		panic(err) // the folder is part of the program
	}
	s := new(shop)
	mux := http.NewServeMux()
	mux.Handle("GET /", http.FileServerFS(files))
	mux.HandleFunc("GET /api/products", s.products)
	mux.HandleFunc("POST /api/orders", s.order)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", policy)
		mux.ServeHTTP(w, r)
	})
}

// A shop is the state that is kept between requests: the number of orders.
type shop struct {
	ordered atomic.Int64
}

// products answers with the list of products, which the page shows.
func (s *shop) products(w http.ResponseWriter, _ *http.Request) {
	answer(w, http.StatusOK, shelf)
}

// order takes an order, and answers 201 with its number. The answer is 400 if the body is not JSON
// or has more than 64 KB. It is 422 with the reason if the order lacks something. The page shows
// that reason, but checks its form itself before it sends an order.
func (s *shop) order(w http.ResponseWriter, r *http.Request) {
	var o order
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<16)).Decode(&o); err != nil {
		answer(w, http.StatusBadRequest, map[string]string{"error": "the order is not readable"})
		return
	}
	cents, err := o.total()
	if err != nil {
		answer(w, http.StatusUnprocessableEntity, map[string]string{"error": err.Error()})
		return
	}
	number := firstOrder + s.ordered.Add(1) - 1
	answer(w, http.StatusCreated, confirmation{Number: number, Name: strings.TrimSpace(o.Name), Cents: cents})
}

// answer writes v as JSON. Answers must not be cached, so that a page that is loaded again shows the
// products of the program that runs now.
func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // fails only if the client has disconnected
}

// A product is an entry of the list on the page.
type product struct {
	ID    string `json:"id"` // also names the picture: index.html has a symbol with this id
	Name  string `json:"name"`
	About string `json:"about"`
	Cents int    `json:"cents"`
}

// shelf lists the products, in the order of the page. Prices are in cents of a euro.
var shelf = []product{
	{"mug", "Claw mug", "Stoneware, holds on to your coffee", 1400},
	{"lamp", "Tide lamp", "Brightens and dims with the sea", 4900},
	{"notebook", "Shell notebook", "A hard cover, 120 soft pages", 950},
	{"print", "Harbour print", "Five o'clock, the boats are in", 2600},
	{"soap", "Kelp soap", "Smells of a long swim", 650},
	{"buoy", "Buoy keyring", "Keys that float are keys you keep", 800},
}

// delivery has the price of each delivery speed, in cents. The form in index.html has the same prices.
var delivery = map[string]int{"standard": 0, "express": 500}

// An order is the JSON that the page sends after the user has pressed Place order in the dialog. Date is
// the day of delivery, such as 2030-01-15.
type order struct {
	Items   map[string]int `json:"items"` // number of pieces, by product id
	Name    string         `json:"name"`
	Email   string         `json:"email"`
	Country string         `json:"country"`
	Speed   string         `json:"speed"`
	Date    string         `json:"date"`
	Terms   bool           `json:"terms"`
	Card    string         `json:"card"` // the last four digits: the payment frame sends nothing else
}

// A confirmation is the answer to an order. The page shows all of it.
type confirmation struct {
	Number int64  `json:"number"`
	Name   string `json:"name"`
	Cents  int    `json:"cents"`
}

// total returns the price of o in cents, including delivery. If something is missing in o, the error
// names the first missing thing. The page shows the error to its user.
func (o order) total() (int, error) {
	cents, known := delivery[o.Speed]
	_, badDate := time.Parse(time.DateOnly, o.Date)
	switch {
	case strings.TrimSpace(o.Name) == "":
		return 0, errors.New("a name is missing")
	case !strings.Contains(o.Email, "@"):
		return 0, errors.New("an e-mail address is missing")
	case o.Country == "":
		return 0, errors.New("a country is missing")
	case !known:
		return 0, errors.New("a delivery speed is missing")
	case badDate != nil:
		return 0, errors.New("a delivery date is missing")
	case !o.Terms:
		return 0, errors.New("the terms are not accepted")
	case len(o.Card) != 4:
		return 0, errors.New("a card is missing")
	}
	goods, err := price(o.Items)
	return cents + goods, err
}

// price returns the price of the items in cents. An order of nothing, or of more than 99 pieces of a
// product, is an error.
func price(items map[string]int) (cents int, err error) {
	for _, p := range shelf {
		n := items[p.ID]
		if n < 0 || n > 99 {
			return 0, errors.New("between 1 and 99 pieces of a kind can be ordered")
		}
		cents += n * p.Cents
	}
	if cents == 0 {
		return 0, errors.New("the basket is empty")
	}
	return cents, nil
}
