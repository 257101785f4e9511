package media

// ReadPicture reads a picture that a caller names: one that chela has made, or a file by the rules
// of [Roots.Input]. The error is a [*SizeError] if the file has more than limit bytes. Other errors
// come from [Roots.Upload] and the file system.
func (r *Roots) ReadPicture(path string, limit int64) ([]byte, error) {
	f, err := r.openBelow(r.Pictures, path)
	if err != nil {
		return r.Input(path, limit)
	}
	defer f.Close()
	return readAll(f, limit)
}
