package op

// Foreign is text that comes from a page, or quotes one. Surfaces that a model
// reads put it between boundaries.
type Foreign string

// File is the path of a file that an operation made. Over HTTP it is a path;
// an agent gets the picture, a terminal the path.
type File string

// Upload is the path of a file that a caller gives away. Surfaces that run
// elsewhere send the file to the server first.
type Upload string
