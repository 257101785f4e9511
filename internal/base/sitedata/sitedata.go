// Package sitedata has the types of what a browser keeps for sites: cookies, localStorage,
// IndexedDB and sessionStorage. It uses the JSON of Playwright's storage state, so that each can
// load what the other has saved. The types have Playwright's names and fields. Playwright does not
// save sessionStorage, so that has a field of its own, which Playwright ignores.
//
// A browser has its cookies without any page. But localStorage needs a document of its origin: one
// in a tab, or an empty one that is opened without a request to the site.
package sitedata

import "encoding/json"

// A State is a storage state.
type State struct {
	Cookies        []Cookie  `json:"cookies" doc:"cookies of all sites"`
	Origins        []Origin  `json:"origins" doc:"localStorage and IndexedDB, by origin"`
	SessionStorage []Session `json:"sessionStorage,omitempty" doc:"sessionStorage of the open tabs"`
}

// A StorageItem is an entry of localStorage or sessionStorage.
type StorageItem struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// An Origin is the data that a browser keeps for an origin, such as https://example.com.
type Origin struct {
	Origin       string        `json:"origin"`
	LocalStorage []StorageItem `json:"localStorage"`
	IndexedDB    []Database    `json:"indexedDB,omitzero"` // nil: not saved, and left as it is when loaded
}

// A Session is the sessionStorage of an origin in one tab.
type Session struct {
	Origin string        `json:"origin"`
	Items  []StorageItem `json:"items"`
}

// A Database is a database of IndexedDB.
type Database struct {
	Name    string  `json:"name"`
	Version float64 `json:"version"` // a whole number of up to 53 bits
	Stores  []Store `json:"stores"`
}

// A Store is an object store of a database. A store without a key path has the key in each record.
// The empty string is also a key path, hence the pointer.
type Store struct {
	Name          string   `json:"name"`
	AutoIncrement bool     `json:"autoIncrement"`
	KeyPath       *string  `json:"keyPath,omitempty"`
	KeyPathArray  []string `json:"keyPathArray,omitempty"`

	// Each record is {key, value}. A key or value that plain JSON cannot represent, such as a Date,
	// stands as keyEncoded or valueEncoded instead: see pagejs/encode.js. Only functions in the
	// page read the records.
	Records []json.RawMessage `json:"records"`
	Indexes []Index           `json:"indexes"`
}

// An Index is an index of an object store.
type Index struct {
	Name         string   `json:"name"`
	KeyPath      *string  `json:"keyPath,omitempty"`
	KeyPathArray []string `json:"keyPathArray,omitempty"`
	MultiEntry   bool     `json:"multiEntry"`
	Unique       bool     `json:"unique"`
}

// Size returns the total length of the names and values of items, in bytes.
func Size(items []StorageItem) (n int) {
	for _, item := range items {
		n += len(item.Name) + len(item.Value)
	}
	return n
}
