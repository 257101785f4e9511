package recorder

import (
	"context"
	"os"
	"testing"
	"time"

	"chela/test/pages"
	"chela/test/tab"
)

func TestMain(m *testing.M) { os.Exit(tab.Main(m)) }

// A tab may be occupied by what is not recorded, such as a snapshot of a trace. It gets its picture
// afterwards, although no recorded call ends then.
func TestPictureAfterWhatIsNotRecorded(t *testing.T) {
	tt := tab.Open(t, pages.HTML("<p>Hello"))
	var c Camera
	defer c.Close()
	begun, end, taken := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go tt.Watch(tt.Ctx, func(context.Context) error {
		close(begun)
		<-end
		return nil
	})
	<-begun
	c.Shoot(tt.Tab(), func(Picture, []byte) { close(taken) })
	c.mu.Lock()
	s := c.waiting[tt.Tab()]
	c.mu.Unlock()
	s.timer.Stop()
	c.take(t.Context(), tt.Tab(), s) // as the timer would do
	close(end)
	select {
	case <-taken:
	case <-tt.Ctx.Done():
		t.Fatal("there is no picture")
	}
}

// The camera keeps no tab that has gone, although a call has paused the picture of that tab. Its picture
// is cancelled: the tab may come back, and must not get that of an earlier call.
func TestCameraForgetsTabs(t *testing.T) {
	c := Camera{next: time.Now().Add(time.Hour)} // takes no picture here
	defer c.Close()
	cancelled := false
	t.Run("a tab", func(t *testing.T) {
		tt := tab.Open(t, pages.HTML("<p>Hello"))
		c.Shoot(tt.Tab(), func(Picture, []byte) {})
		c.Pause(tt.Tab())
		c.waiting[tt.Tab()].stop = func() { cancelled = true }
	})
	tt := tab.Open(t, pages.HTML("<p>Hello"))
	c.Shoot(tt.Tab(), func(Picture, []byte) {})
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.waiting) != 1 {
		t.Errorf("the camera has %d tabs", len(c.waiting))
	}
	if !cancelled {
		t.Error("the picture of the tab that has gone is not cancelled")
	}
}
