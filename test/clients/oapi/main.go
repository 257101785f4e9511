// Drives chela by the client that oapi-codegen generates from its OpenAPI document:
// oapi SERVER TOKEN SITE.
package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
	"time"
)

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	server, token, site := os.Args[1], os.Args[2], os.Args[3]
	client, err := NewClientWithResponses(server, WithRequestEditorFn(func(_ context.Context, req *http.Request) error {
		req.Header.Set("Authorization", "Bearer "+token)
		req.Header.Set("X-Chela-Session", "oapi-codegen")
		return nil
	}))
	check(err)

	opened, err := client.OpenWithResponse(ctx, OpenRequest{Url: site})
	check(err)
	if opened.JSON200 == nil || opened.JSON200.TabId == "" {
		log.Fatalf("open: %s", opened.Body)
	}
	seen, err := client.SnapshotWithResponse(ctx, &SnapshotParams{})
	check(err)
	if seen.JSON200 == nil || seen.JSON200.Snapshot == nil {
		log.Fatalf("snapshot: %s", seen.Body)
	}
	_, after, _ := strings.Cut(*seen.JSON200.Snapshot, `button "Go" [ref=`)
	ref, _, found := strings.Cut(after, "]")
	if !found {
		log.Fatalf("no button in %s", *seen.JSON200.Snapshot)
	}

	clicked := act(ctx, client, ClickRequest{Ref: ref})
	if clicked.JSON200 == nil {
		log.Fatalf("click: %s", clicked.Body)
	}
	answer, err := clicked.JSON200.AsActAnswer()
	check(err)
	if !answer.Ok || len(answer.Effects) == 0 {
		log.Fatalf("click: %+v", answer)
	}
	refused := act(ctx, client, ClickRequest{Ref: "e999"})
	if refused.JSON4XX == nil || refused.JSON4XX.Code != UnknownRef || refused.JSON4XX.Hint == nil {
		log.Fatalf("click on nothing: %s", refused.Body)
	}

	shot, err := client.ScreenshotWithResponse(ctx, ScreenshotRequest{})
	check(err)
	if shot.JSON200 == nil {
		log.Fatalf("screenshot: %s", shot.Body)
	}
	picture, err := client.FetchFileWithResponse(ctx, (*shot.JSON200.FileIds)[*shot.JSON200.Path])
	check(err)
	if !bytes.HasPrefix(picture.Body, []byte("\x89PNG")) {
		log.Fatalf("%d bytes of a picture", len(picture.Body))
	}
	sent, err := client.SendFileWithBodyWithResponse(ctx, &SendFileParams{Name: "a.txt"}, "application/octet-stream", io.LimitReader(strings.NewReader("content"), 7))
	check(err)
	if sent.JSON200 == nil || sent.JSON200.Path == "" {
		log.Fatalf("send: %s", sent.Body)
	}
	closed, err := client.CloseWithResponse(ctx, opened.JSON200.TabId, &CloseParams{})
	check(err)
	if closed.JSON200 == nil {
		log.Fatalf("close: %s", closed.Body)
	}
	fmt.Println("ok")
}

// act clicks. Acts share a route, so the request is one of a union.
func act(ctx context.Context, client *ClientWithResponses, click ClickRequest) *ActResponse {
	var body ActJSONRequestBody
	check(body.FromClickRequest(click))
	resp, err := client.ActWithResponse(ctx, body)
	check(err)
	return resp
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
