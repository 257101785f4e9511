package capture

// StartFilmWhile is StartFilm with a function that reports whether the film may have a picture.
var StartFilmWhile = startFilm
