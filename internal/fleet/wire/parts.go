package wire

import "encoding/json"

// Split returns a reply as a list of messages. Each has at most as many bytes as the parameter most
// says.
func Split(r Reply, most int) [][]byte {
	whole := Encode(r)
	if len(whole) <= most {
		return [][]byte{whole}
	}
	size := (most - 1024) / 4 * 3 // base64 makes 4 bytes of 3; 1024 bytes are for the other fields
	of := (len(whole) + size - 1) / size
	var parts [][]byte
	for i := range of {
		data := whole[i*size : min(len(whole), (i+1)*size)]
		parts = append(parts, Encode(Reply{V: r.V, ID: r.ID, Kind: Part, Part: i + 1, Of: of, Data: data}))
	}
	return parts
}

// maxParts limits into how many parts a reply may be split.
const maxParts = 1 << 10

// A Joiner joins the parts of one reply.
type Joiner struct {
	parts [][]byte
	have  int
}

// Read reads a message. It returns nil for a part while other parts are missing. It returns an
// error for a message that cannot be read. A part may come twice, as when an answer is sent again.
func (j *Joiner) Read(message []byte) (*Reply, error) {
	r := new(Reply)
	if err := json.Unmarshal(message, r); err != nil {
		return nil, err
	}
	if err := Check(r.V); err != nil {
		return nil, err
	}
	if r.Kind != Part || r.Of < 1 || r.Of > maxParts || r.Part < 1 || r.Part > r.Of {
		return r, nil
	}
	if len(j.parts) != r.Of {
		j.parts, j.have = make([][]byte, r.Of), 0
	}
	if j.parts[r.Part-1] == nil {
		j.parts[r.Part-1] = r.Data
		j.have++
	}
	if j.have < r.Of {
		return nil, nil
	}
	var whole []byte
	for _, part := range j.parts {
		whole = append(whole, part...)
	}
	return j.Read(whole)
}
