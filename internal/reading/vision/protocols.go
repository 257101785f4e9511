package vision

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"chela/internal/reading/picture"
)

// An object is a JSON object.
type object = map[string]any

// openAI is the protocol of chat completions. The number of tokens is not limited: models know the
// limit by different names, and refuse the wrong one.
var openAI = protocol{
	baseURL:   "https://api.openai.com/v1",
	variables: []string{"OPENAI_API_KEY"},
	url:       func(base, _ string) string { return base + "/chat/completions" },
	header: func(h http.Header, key string) {
		if key != "" {
			h.Set("Authorization", "Bearer "+key)
		}
	},
	body: func(m Model, p picture.Picture) any {
		data := "data:" + p.Type + ";base64," + base64.StdEncoding.EncodeToString(p.Data)
		return object{"model": m.Name, "messages": []object{{"role": "user", "content": []object{
			{"type": "text", "text": m.prompt()},
			{"type": "image_url", "image_url": object{"url": data}},
		}}}}
	},
	text: openAIText,
}

// openAIText returns the text of the first choice. Its content is a text, or a list of parts with
// some servers.
func openAIText(answer []byte) (string, error) {
	var a struct {
		Choices []struct {
			Message struct {
				Content json.RawMessage
				Refusal string
			}
			FinishReason string `json:"finish_reason"`
		}
	}
	if err := json.Unmarshal(answer, &a); err != nil || len(a.Choices) == 0 {
		return "", errNoText
	}
	message := a.Choices[0].Message
	var text string
	if json.Unmarshal(message.Content, &text) != nil {
		var parts []part
		json.Unmarshal(message.Content, &parts) // content of another type than a list has no text
		text = join(parts)
	}
	if text == "" && message.Refusal != "" {
		return "", fmt.Errorf("the model refuses: %s", message.Refusal)
	}
	return marked(text, a.Choices[0].FinishReason == "length"), nil
}

// anthropic is the protocol of messages. The limit of 5 MB for a picture applies to its base64.
var anthropic = protocol{
	baseURL:   "https://api.anthropic.com",
	variables: []string{"ANTHROPIC_API_KEY"},
	maxBytes:  5 << 20 / 4 * 3,
	url:       func(base, _ string) string { return strings.TrimSuffix(base, "/v1") + "/v1/messages" },
	header: func(h http.Header, key string) {
		h.Set("anthropic-version", "2023-06-01")
		if key != "" {
			h.Set("x-api-key", key)
		}
	},
	body: func(m Model, p picture.Picture) any {
		source := object{"type": "base64", "media_type": p.Type, "data": p.Data} // encoding/json writes []byte as base64
		return object{"model": m.Name, "max_tokens": tokens(m.maxChars()), "messages": []object{{"role": "user", "content": []object{
			{"type": "image", "source": source},
			{"type": "text", "text": m.prompt()},
		}}}}
	},
	text: func(answer []byte) (string, error) {
		var a struct {
			Content    []part
			StopReason string `json:"stop_reason"`
		}
		if err := json.Unmarshal(answer, &a); err != nil || len(a.Content) == 0 {
			return "", errNoText
		}
		return marked(join(a.Content), a.StopReason == "max_tokens"), nil
	},
}

// tokens returns a limit of tokens that has room for a text of this many characters in any
// language, and that models accept.
func tokens(chars int) int { return min(max(1024, chars), 8192) }

// gemini is the protocol of generateContent.
var gemini = protocol{
	baseURL:   "https://generativelanguage.googleapis.com/v1beta",
	variables: []string{"GEMINI_API_KEY", "GOOGLE_API_KEY"},
	url:       geminiURL,
	header: func(h http.Header, key string) {
		if key != "" {
			h.Set("x-goog-api-key", key)
		}
	},
	body: func(m Model, p picture.Picture) any {
		return object{"contents": []object{{"role": "user", "parts": []object{
			{"text": m.prompt()},
			{"inlineData": object{"mimeType": p.Type, "data": p.Data}},
		}}}}
	},
	text: geminiText,
}

// geminiURL returns the URL for requests to a model. A base without a path gets the version of the
// API, as in Google's own SDKs.
func geminiURL(base, model string) string {
	if u, err := url.Parse(base); err == nil && u.Path == "" {
		base += "/v1beta"
	}
	return base + "/models/" + url.PathEscape(strings.TrimPrefix(model, "models/")) + ":generateContent"
}

// geminiText returns the text of the first candidate, without what the model has thought.
func geminiText(answer []byte) (string, error) {
	var a struct {
		Candidates []struct {
			Content      struct{ Parts []part }
			FinishReason string
		}
		PromptFeedback struct{ BlockReason string }
	}
	err := json.Unmarshal(answer, &a)
	switch {
	case err == nil && a.PromptFeedback.BlockReason != "":
		return "", fmt.Errorf("the request was blocked: %s", a.PromptFeedback.BlockReason)
	case err != nil || len(a.Candidates) == 0:
		return "", errNoText
	}
	text := join(a.Candidates[0].Content.Parts)
	if text == "" && a.Candidates[0].FinishReason != "STOP" {
		return "", fmt.Errorf("the model has ended with %s", a.Candidates[0].FinishReason)
	}
	return marked(text, a.Candidates[0].FinishReason == "MAX_TOKENS"), nil
}

// marked returns a text. If the model's limit of tokens has cut the text, a mark follows that says so.
func marked(text string, cut bool) string {
	if text = strings.TrimSpace(text); text == "" || !cut {
		return text
	}
	return text + "… (the model's limit ended the description)"
}

var errNoText = errors.New("the answer is not one of a model")

// A part is a piece of an answer. Parts without text, and parts with the thoughts of a model, say
// nothing of the picture.
type part struct {
	Text    string
	Thought bool
}

// join returns the text of all parts.
func join(parts []part) string {
	var b strings.Builder
	for _, p := range parts {
		if !p.Thought {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}
