package frame

// UsedRefs says which refs a tab has given so far. A tab that is opened again, after a crash or a
// restart of the server, gives higher refs in its new page, see [Tree.Continue]. So an old ref
// never means another element.
type UsedRefs struct {
	Numbers int `json:"numbers,omitempty"` // the highest number of an element of the main frame, or of an aria snapshot
	Frames  int `json:"frames,omitempty"`  // the highest number of a frame
}

// UsedRefs returns the refs that the frames and aria snapshots have given so far.
func (t *Tree) UsedRefs() UsedRefs {
	return UsedRefs{max(t.Main.Refs.Highest, t.AriaRefs), t.numbers - 1}
}

// After Continue, new refs of the main frame, of new frames and of aria snapshots have higher numbers
// than the used ones.
func (t *Tree) Continue(used UsedRefs) {
	t.Main.Refs.Highest = max(t.Main.Refs.Highest, used.Numbers)
	t.AriaRefs = max(t.AriaRefs, used.Numbers)
	t.numbers = max(t.numbers, used.Frames+1)
}

// RoundUp returns the next round numbers. They are saved for the next browser instead of the exact
// ones, so that not every snapshot has to save its new numbers.
func (u UsedRefs) RoundUp() UsedRefs {
	return UsedRefs{roundUp(u.Numbers, 1000), roundUp(u.Frames, 100)}
}

func roundUp(n, step int) int { return (n + step - 1) / step * step }
