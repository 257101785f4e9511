// Package urls compares the addresses of documents and requests: with each other, and with the
// patterns that callers write for them. It knows nothing of tabs.
package urls
