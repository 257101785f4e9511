package cdp

import (
	"bytes"
	"strconv"

	proto "github.com/chromedp/cdproto/cdp"
	json "github.com/chromedp/cdproto/cdp/jsonv2"
)

// lenient accepts text that is not valid UTF-8, which Chromium sends at times. A string of
// JavaScript can have half of a surrogate pair, as when a script cuts an emoji in two. A strict
// decoder would refuse the whole message for it.
var lenient = json.AllowInvalidUTF8(true)

// message is one frame from the browser: a reply when ID is set, else an event.
type message struct {
	ID        int64      `json:"id"`
	Method    string     `json:"method"`
	SessionID string     `json:"sessionId"`
	Params    json.Value `json:"params"`
	Result    json.Value `json:"result"`
	Error     *Error     `json:"error"`
}

// parse decodes a frame with splitFrame, or with the JSON decoder if splitFrame cannot. The decoder
// reads replies that have an error instead of a result. It also reads frames in which a proxy has
// changed the order of the fields. The result is false if the frame is not a message of the protocol.
func parse(frame []byte) (message, bool) {
	if m, ok := splitFrame(frame); ok {
		return m, true
	}
	var m message
	err := json.Unmarshal(frame, &m, lenient)
	return m, err == nil && (m.ID != 0 || m.Method != "")
}

// splitFrame takes a frame apart without scanning its value. The frame must have one of the two
// shapes that Chromium writes:
//
//	{"id":N,"result":{…}[,"sessionId":"S"]}
//	{"method":"M","params":{…}[,"sessionId":"S"]}
//
// In this way, a reply of many megabytes is neither scanned nor copied here. Whether the value is
// valid JSON is checked when it is decoded.
//
// splitFrame looks only at the beginning and the end of the frame, and accepts the frame only if
// both are exactly as above. A text within the value cannot be mistaken for either: its quotes are
// escaped. In a frame of another shape, the part taken for the id may be very long. So at most 20
// digits are converted, as many as 64 bits need.
func splitFrame(frame []byte) (m message, ok bool) {
	value := &m.Result
	id, rest, isReply := replyTo(frame)
	if m.ID = id; !isReply {
		method, params, isEvent := eventOf(frame)
		if !isEvent {
			return message{}, false
		}
		value, m.ID, m.Method, rest = &m.Params, 0, string(method), params
	}
	raw, session, ok := splitSession(rest)
	if !ok || len(raw) < 2 || raw[0] != '{' || raw[len(raw)-1] != '}' {
		return message{}, false
	}
	*value, m.SessionID = raw, session
	return m, true
}

// splitSession splits `VALUE}` or `VALUE,"sessionId":"S"}`. It returns false for an end that is
// neither. A value that is an object ends with }, so a quote before the last } can only belong to
// the session.
func splitSession(rest []byte) (raw []byte, session string, ok bool) {
	rest, ok = bytes.CutSuffix(rest, []byte(`}`))
	if !ok {
		return nil, "", false
	}
	unquoted, ends := bytes.CutSuffix(rest, []byte(`"`))
	if !ends {
		return rest, "", true
	}
	quote := bytes.LastIndexByte(unquoted, '"')
	id := unquoted[quote+1:]
	raw, ok = bytes.CutSuffix(unquoted[:quote+1], []byte(`,"sessionId":"`))
	return raw, string(id), ok && needsNoEscape(id)
}

// needsNoEscape reports whether JSON writes s without escapes: it is not empty, and has only
// printable ASCII that needs none.
func needsNoEscape[S []byte | string](s S) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return len(s) > 0
}

// command returns the frame of a call. Only the parameters go through the encoder. The method is a
// constant of cdproto or was checked by [Session.Forward], and [Conn.attach] has checked the id of
// the session. So both need no escapes.
func command(id int64, session, method string, params any) ([]byte, error) {
	var value []byte
	if _, none := params.(proto.Empty); !none {
		var err error
		if value, err = json.Marshal(params, lenient); err != nil {
			return nil, err
		}
	}
	frame := make([]byte, 0, len(value)+len(method)+len(session)+64)
	frame = append(frame, `{"id":`...)
	frame = strconv.AppendInt(frame, id, 10)
	frame = append(frame, `,"method":"`...)
	frame = append(frame, method...)
	if session != "" {
		frame = append(frame, `","sessionId":"`...)
		frame = append(frame, session...)
	}
	frame = append(frame, '"')
	if value != nil {
		frame = append(frame, `,"params":`...)
		frame = append(frame, value...)
	}
	return append(frame, '}'), nil
}
