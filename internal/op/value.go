package op

// Foreign is text that comes from a page, or quotes one. The agent tool puts it
// between boundaries, so that the model can tell it from the tool's own words.
type Foreign string

// File is the path of a file that an operation made. Over HTTP and on the command
// line it is the path; an agent also gets the picture, if it is one.
type File string

// Upload is the path of a file to upload. The command line sends the file to the
// server first, and replaces the path by a reference to what the server received.
type Upload string

// Input is a file that chela itself reads, such as a saved state, and no page gets. The
// command line takes its path, wherever it is, sends the file to the server, and replaces
// the path by a reference to what the server received. Over HTTP it is such a reference,
// as POST /files answers it, or the path of a file in the folder for uploads.
type Input string

// Place is the path at which the server saves a file for a caller: relative to the folder
// for such files, or absolute and below it. Anywhere else is refused.
type Place string

// A Document is a result that the command line writes to the file that its word {out}
// names, as JSON: the file has what Document returns.
type Document interface{ Document() any }

// Out is the word of a command line that names the file for a [Document]. It is no
// parameter: the file is the caller's, and the server has no part in it.
const Out = "out"
