package mcp

import (
	"context"
	"strings"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"chela/internal/base/regular"
)

// pictureURI is the URI of an MCP resource: the last picture of a connection. With it, an agent's
// program can show its user what the model sees. The resource does not exist before the first picture.
const pictureURI = "chela://screenshot/last"

// maxResource limits the bytes of a picture that is read as a resource. It is larger than maxPicture,
// since programs show this picture to people and not to a model.
const maxResource = 32 << 20

// lastPicture has the path and the MIME type of the last picture. The file is read only on request,
// since pictures are large and few are requested. If chela has removed the file by then, the resource
// is not found.
type lastPicture struct {
	mu         sync.Mutex // guards the rest
	path, kind string
}

// keepPicture makes the last picture in a result the resource at pictureURI, and notifies the
// agent's program. It ignores pictures that the model does not get, such as those that are
// described in words.
func (c *connection) keepPicture(ctx context.Context, result *sdk.CallToolResult) {
	path, kind := pictureIn(result)
	if path == "" {
		return
	}
	c.last.mu.Lock()
	listed := c.last.kind == kind
	c.last.path, c.last.kind = path, kind
	c.last.mu.Unlock()
	if !listed {
		c.server.AddResource(&sdk.Resource{
			URI: pictureURI, Name: "screenshot", Title: "Last screenshot", MIMEType: kind,
			Description: "The last picture that the browser tool has answered with on this connection.",
		}, c.readPicture)
	}
	c.server.ResourceUpdated(ctx, &sdk.ResourceUpdatedNotificationParams{URI: pictureURI}) // the call succeeds even if this fails
}

// pictureIn returns the path and the MIME type of the last picture in a result. It finds them in the
// link that follows each picture. A downloaded picture has no link, so another file's may follow it.
func pictureIn(result *sdk.CallToolResult) (path, kind string) {
	for i, content := range result.Content {
		if _, ok := content.(*sdk.ImageContent); !ok || i+1 == len(result.Content) {
			continue
		}
		if link, ok := result.Content[i+1].(fileLink); ok && strings.HasPrefix(link.MIMEType, "image/") {
			path, kind = link.path, link.MIMEType
		}
	}
	return path, kind
}

// readPicture answers with the last picture.
func (c *connection) readPicture(_ context.Context, _ *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	c.last.mu.Lock()
	path, kind := c.last.path, c.last.kind
	c.last.mu.Unlock()
	data, err := regular.ReadFile(path, maxResource)
	if err != nil {
		return nil, sdk.ResourceNotFoundError(pictureURI)
	}
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: pictureURI, MIMEType: kind, Blob: data}}}, nil
}

// subscribe accepts subscriptions to pictureURI, even before there is a picture. It refuses others,
// since each would take memory.
func (c *connection) subscribe(_ context.Context, req *sdk.SubscribeRequest) error {
	if req.Params.URI != pictureURI {
		return sdk.ResourceNotFoundError(req.Params.URI)
	}
	return nil
}

func (c *connection) unsubscribe(context.Context, *sdk.UnsubscribeRequest) error { return nil }
