package dashboard

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"chela/test/long"
	"chela/test/pages"
	"chela/test/service"
)

// A live view that cannot connect tries again after longer and longer pauses. It stops when the tab
// has gone for good.
func TestPausesOfALiveView(t *testing.T) {
	tab := enter(t, watched)
	got := tab.Eval(`async () => {
		const { Live } = await import("/ui/live.js")
		const fetched = window.fetch, timed = window.setTimeout, said = []
		let answers = 6
		window.fetch = async (address, options) => {
			if (!String(address).includes("/screencast/ticket")) return fetched(address, options)
			return Response.json({ error: "no" }, { status: answers-- > 0 ? 503 : 404 })
		}
		window.setTimeout = (f, pause) => {
			if (!String(f).includes(".connect(")) return timed(f, pause)
			said.push(pause)
			timed(f, 0)
		}
		await new Promise(done => new Live({ targetId: "gone" }, {}, new Image(), m => {
			if (m.type !== "broken") done(said.push(m.type, m.reason))
		}).start())
		window.fetch = fetched
		window.setTimeout = timed
		return said.join(" ")
	}`)
	if want := "1000 2000 4000 8000 10000 10000 end tab-closed"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A live view without a connection says so. What the person does in its old picture is not sent later.
func TestBrokenView(t *testing.T) {
	long.Test(t)
	agent := watched.In("shopper").Open(t, site.URL+pages.HTML(`<title>Waits</title><input autofocus aria-label="Name">`))
	tab := enter(t, watched)
	tab.Eval(`() => {
		const Real = WebSocket
		window.WebSocket = class extends Real { constructor(...args) { super(...args); window.opened = this } }
	}`)
	show(tab, "tab/chela/"+agent.ID)
	sees(tab, `document.querySelector(".stage img")?.naturalWidth > 300`, "true")
	takeOver(tab, agent)
	sees(tab, `document.activeElement.className + document.querySelector(".stage-state").hidden`, "keystrue")
	fails(tab, "/screencast/ticket", 503)
	tab.Eval(`() => opened.close()`)
	sees(tab, `document.querySelector(".stage-state:not([hidden])")?.textContent`, "The live view is not connected. It connects again by itself.")
	tab.Act("press", args{"key": "x"})
	fails(tab, "", 0)
	sees(tab, `document.querySelector(".stage-state").hidden`, "true")
	tab.Act("press", args{"key": "y"})
	shows(agent, ": y")
}

// A tab that was missing from the list for a while can be used again, and closed.
func TestTabComesBack(t *testing.T) {
	long.Test(t)
	agent := watched.In("shopper").Open(t, shareable("Back"))
	tab := enter(t, watched)
	show(tab, "tab/chela/"+agent.ID)
	const close = `[...document.querySelectorAll("button")].find(b => b.textContent === "Close tab").checkVisibility()`
	sees(tab, `document.querySelector("h1 bdi").textContent + " " + `+close, "Back true")
	tab.Eval(`() => {
		const real = window.fetch
		window.fetch = async (address, options) => {
			if (!String(address).includes("api/tabs")) return real(address, options)
			window.fetch = real
			return Response.json({ tabs: [] })
		}
	}`)
	changed(tab)
	sees(tab, `document.querySelector(".stage-state").textContent + " " + `+close, "The tab is closed. false")
	changed(tab)
	sees(tab, close, "true")
	sees(tab, `document.querySelector(".stage-state").hidden`, "true")
	calm(tab)
}

// Files that could not be sent can be chosen again.
func TestFilesAgain(t *testing.T) {
	long.Test(t)
	agent := watched.In("shopper").Open(t, shareable("Files"))
	tab := enter(t, watched)
	show(tab, "tab/chela/"+agent.ID)
	takeOver(tab, agent)
	file := filepath.Join(service.UploadRoot(t), "again-for-the-dashboard.png")
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Remove(file) })
	for _, each := range []struct {
		status int
		said   string
	}{{500, "it failed"}, {0, "1 file ready: now click what asks for files in the page."}} {
		fails(tab, "api/files", each.status)
		tab.OK("POST /hooks/file-chooser", args{"element": `.tab-view input[type=file]`, "paths": []string{file}})
		sees(tab, `document.querySelector("#said").textContent`, each.said)
		// A browser reports only a choice that differs from what the field has.
		sees(tab, `document.querySelector(".tab-view input[type=file]").files.length`, "0")
	}
}

// A view whose first request failed loads when the server answers again.
func TestViewsLoadLater(t *testing.T) {
	long.Test(t)
	tab := enter(t, watched)
	for _, each := range []struct{ view, path, shown string }{
		{"settings", "/ui/settings", ".setting"},
		{"doctor", "api/profiles", ".check"},
	} {
		fails(tab, each.path, 503)
		show(tab, each.view)
		sees(tab, `document.querySelector("#said .bad")?.textContent`, "it failed")
		fails(tab, each.path, 0)
		changed(tab)
		sees(tab, fmt.Sprintf(`document.querySelector(%q) !== null`, each.shown), "true")
		tab.Eval(`() => { document.querySelector("#said").replaceChildren() }`)
	}
}

// When a person takes over a tab, an old answer does not take it away again.
func TestOldAnswerAfterTakeOver(t *testing.T) {
	long.Test(t)
	agent := watched.In("shopper").Open(t, shareable("Old"))
	tab := enter(t, watched)
	show(tab, "tab/chela/"+agent.ID)
	sees(tab, `document.querySelector(".stage img")?.naturalWidth > 300`, "true")
	holds(tab)
	tab.Eval(`async () => {
		window.late = hold("api/tabs")
		document.dispatchEvent(new Event("visibilitychange"))
		await late.begun
	}`)
	takeOver(tab, agent)
	got := tab.Eval(`async () => {
		late.release()
		await new Promise(done => setTimeout(done, 50))
		return document.activeElement.className + " " + document.querySelector(".tab-view").className
	}`)
	if want := "keys tab-view held"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	calm(tab)
}

// A picture that could not be fetched is fetched the next time. If its id has expired, the list is
// asked to load again. The details of a call show a picture that came after its row.
func TestPicturesOfCalls(t *testing.T) {
	tab := enter(t, watched)
	got := tab.Eval(`async () => {
		const { callRows } = await import("/ui/calls.js")
		const real = window.fetch, said = []
		const pixel = await (await real("/ui/icon.svg")).arrayBuffer()
		window.fetch = async (address, options) => {
			if (!String(address).includes("api/files/")) return real(address, options)
			const id = address.split("/").at(-1)
			said.push(id)
			return id === "good" ? new Response(pixel) : Response.json({ error: id }, { status: id === "busy" ? 503 : 404 })
		}
		const place = document.createElement("div")
		place.style.cssText = "position: fixed; top: 0"
		document.body.append(place)
		const rows = callRows(() => said.push("expired"))
		place.append(rows.root)
		const call = { profile: "p", id: "1", time: "2030-01-01T00:00:00Z", tab: "t1", op: "click", title: "click", ms: 1 }
		rows.show([call])
		const until = async (holds) => { while (!holds()) await new Promise(done => setTimeout(done, 10)) }
		const images = () => place.querySelectorAll("img[src]").length
		for (const pictureId of ["busy", "old", "good"]) {
			rows.show([{ ...call, picture: "/a.jpg", pictureId }])
			await until(() => said.includes(pictureId) && (images() === 1 || !place.querySelector("img"))) // an image without its picture is removed
		}
		place.querySelector("details").open = true
		await until(() => images() === 2)
		window.fetch = real
		said.push(images())
		rows.end()
		place.remove()
		return said.join(" ")
	}`)
	if want := "busy old expired good 2"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
