package page

import (
	"context"
	"fmt"
	"time"

	protocol "github.com/chromedp/cdproto/cdp"
	proto "github.com/chromedp/cdproto/page"

	"chela/internal/cdp"
	"chela/internal/op"
)

// A Dialog is an alert, confirm, prompt or beforeunload question of the page.
type Dialog struct {
	ID           string     `json:"id" doc:"names the dialog"`
	Type         string     `json:"type" doc:"alert, confirm, prompt or beforeunload"`
	Message      op.Foreign `json:"message" doc:"what the page asks"`
	DefaultValue op.Foreign `json:"defaultValue,omitempty" doc:"what a prompt suggests"`
	URL          op.Foreign `json:"url" doc:"of the frame that asks"`
	OpenedAt     time.Time  `json:"openedAt" doc:"when it opened"`
	ClosedAt     *time.Time `json:"closedAt,omitempty" doc:"when it closed"`
	ClosedBy     string     `json:"closedBy,omitempty" doc:"agent: by a call; armed: by one made before; remote: by the page or a person"`
}

// DialogOpen is why a turn ended when a dialog opened: the page waits for its answer.
type DialogOpen struct{ Dialog Dialog }

func (d *DialogOpen) Error() string {
	return fmt.Sprintf("the page waits for an answer to its %s dialog %s", d.Dialog.Type, d.Dialog.ID)
}

const recentDialogs = 20

// dialogs are those of a tab. All its frames share them: one that is open
// blocks the tab.
type dialogs struct {
	count   int
	pending []*Dialog
	recent  []Dialog
	armed   *dialogAnswer
}

type dialogAnswer struct {
	accept bool
	text   string
	until  time.Time
}

// open returns why the page can not answer while a dialog is pending, or nil.
func (d *dialogs) open() error {
	if len(d.pending) == 0 {
		return nil
	}
	return &DialogOpen{*d.pending[0]}
}

func (p *Page) dialogOpening(_ *cdp.Session, ev proto.EventJavascriptDialogOpening) {
	p.dialogs.count++
	p.note(Asked)
	d := &Dialog{
		ID: fmt.Sprintf("d%d", p.dialogs.count), Type: string(ev.Type), Message: op.Foreign(ev.Message),
		DefaultValue: op.Foreign(ev.DefaultPrompt), URL: op.Foreign(ev.URL), OpenedAt: time.Now(),
	}
	p.dialogs.pending = append(p.dialogs.pending, d)
	if armed := p.dialogs.armed; armed != nil {
		p.dialogs.armed = nil
		if time.Now().Before(armed.until) {
			d.ClosedBy = "armed"
			p.handleDialog(armed.accept, armed.text)
			return
		}
	}
	p.interrupt(&DialogOpen{*d})
}

func (p *Page) dialogClosed(_ *cdp.Session, _ proto.EventJavascriptDialogClosed) {
	if len(p.dialogs.pending) == 0 {
		return
	}
	d := p.dialogs.pending[0]
	p.dialogs.pending = p.dialogs.pending[1:]
	now := time.Now()
	if d.ClosedAt = &now; d.ClosedBy == "" {
		d.ClosedBy = "remote"
	}
	p.dialogs.recent = append(p.dialogs.recent, *d)
	p.dialogs.recent = p.dialogs.recent[max(0, len(p.dialogs.recent)-recentDialogs):]
}

func (p *Page) handleDialog(accept bool, text string) *cdp.Reply[protocol.Empty] {
	return cdp.Send(p.session, proto.HandleJavaScriptDialog, proto.HandleJavaScriptDialogParams{Accept: accept, PromptText: text})
}

// Dialogs returns the dialogs that wait for an answer, and the last that had one.
func (p *Page) Dialogs() (pending, recent []Dialog) {
	p.mu.Lock()
	defer p.mu.Unlock()
	pending = []Dialog{}
	for _, d := range p.dialogs.pending {
		pending = append(pending, *d)
	}
	return pending, append([]Dialog{}, p.dialogs.recent...)
}

// AnswerDialog answers the dialog with this id, or the only one that is
// pending; with none pending it arms the answer for the next, for a time.
func (p *Page) AnswerDialog(ctx context.Context, id string, accept bool, text string, armFor time.Duration) error {
	p.mu.Lock()
	d, err := p.dialogs.choose(id)
	if err == nil && d == nil {
		p.dialogs.armed = &dialogAnswer{accept, text, time.Now().Add(armFor)}
	}
	if err != nil || d == nil {
		p.mu.Unlock()
		return err
	}
	d.ClosedBy = "agent"
	reply := p.handleDialog(accept, text)
	p.mu.Unlock()
	if _, err := reply.Wait(ctx); err != nil {
		return fmt.Errorf("answer dialog %s: %w", d.ID, err)
	}
	return p.await(ctx, func() bool { return len(p.dialogs.pending) == 0 || p.dialogs.pending[0] != d })
}

// choose returns the pending dialog with this id, without one the only pending
// one, or nil.
func (d *dialogs) choose(id string) (*Dialog, error) {
	for _, pending := range d.pending {
		if pending.ID == id {
			return pending, nil
		}
	}
	switch {
	case id != "":
		return nil, op.Errorf(op.NotFound, "Dialog %q is not pending.", id).Hinted("list the dialogs")
	case len(d.pending) > 1:
		return nil, op.Errorf(op.Conflict, "Multiple dialogs are pending; pass dialogId.")
	case len(d.pending) == 1:
		return d.pending[0], nil
	}
	return nil, nil
}

// ArmDialog answers the next dialog in advance, until DisarmDialog.
func (p *Page) ArmDialog(accept bool, text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dialogs.armed = &dialogAnswer{accept, text, time.Now().Add(time.Hour)}
}

// DisarmDialog takes back an answer that no dialog has asked for.
func (p *Page) DisarmDialog() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dialogs.armed = nil
}
