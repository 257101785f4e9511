// Package repo tests the repository as a whole: that documents, packages and all ways to call the
// program agree.
package repo

// root is the module's root. Each test changes to it, so that paths in tests are those from there.
// A TestMain that changes to it would be earlier than the list that go test keeps of the files that
// tests read. It would then look for them here, and answer "ok (cached)" for files that have changed.
const root = "../.."
