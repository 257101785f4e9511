package main

// A difference is a test that does not hold for tabs of a person's browser, and why.
type difference struct {
	test string // name of a test, such as TestA/inner; it also stands for all tests inside that test
	why  string

	leftOut bool // the test is not run: it would disturb others, or fails only at times
}

const (
	sorted    = "Chromium gives extensions objects with their fields in alphabetical order"
	noEnd     = "Chromium lets no extension end a script that runs"
	noGarbage = "Chromium lets no extension collect garbage, by which the test finds what is held"
	noLogin   = "the browser asks its person for a login by HTTP"
	noDetails = "Chromium gives extensions no details of a certificate"
	oneFile   = "the browser asks its person before a tab loads a second file"
	notAsked  = "permissions are the person's: 501"
	noCookies = "cookies of all sites are the person's: Storage.setCookies is refused"
	lingers   = "open: the tab of an address that failed may be listed for a moment longer"
	ignored   = "Chromium ignores a click on a link whose address the tab already navigates to"
	restless  = "open: a navigation by a script of the page overtakes ours"
)

var table = []difference{
	// internal/engine/page
	{"TestLeaveAPageThatSpins", noEnd, true},
	{"TestLeaveAPageThatHoldsOn", noEnd, true},
	{"TestLoginByHTTP/basic", noLogin, false},
	{"TestLoginByHTTP/after_a_redirect", noLogin, false},
	{"TestOverHTTP/a_page_for_members", noLogin, false},
	{"TestCredentials", noLogin, false},
	{"TestNoCredentials", noLogin, false},
	{"TestEvaluate/object_with_a_length", sorted, false},
	{"TestEvaluate/box", sorted, false},
	{"TestEvaluateInAHostilePage", sorted, false},
	{"TestObjectsAreReleased/an_aria_ref", noGarbage, false},
	{"TestObjectsAreReleased/files", noGarbage, false},
	{"TestObjectsAreReleased/a_script", noGarbage, false},
	{"TestLoggedObjectsAreReleased", noGarbage, false},
	{"TestLeaveARestlessPage/again_and_again", restless, false},
	{"TestEachClickOnALinkNavigates", ignored, false},

	// test/contract
	{"TestReached/for_members", noLogin, false},
	{"TestReached/a_file_over_http", oneFile, false},
	{"TestBadCertificate", noDetails, false},
	{"TestNavigateFails", lingers, true},
	{"TestSpinningPages", noEnd, true},
	{"TestSettingsAsRecorded", notAsked, false},
	{"TestPermissions", notAsked, false},
	{"TestUnknownFieldsOfACookie", noCookies, false},
}
