// Package reading is the storey where pages and documents become text.
//
// The script that reads a page is in pagejs, what is made of its lines in snapshot. Documents
// without a browser are fetched by fetch and parsed in a child process by parser. It imports wall
// and base. Where to begin: pagejs/walk.js reads a page, and snapshot/tree.go puts its frames
// together.
package reading
