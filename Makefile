# Each target brings what it needs: on a bare machine, Go, make and git are enough.

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c

.PHONY: types build chromium demo test race headed remote relay fleet chaos egress fuzz check bench realworld clients dropin tokens docs state dist npm install-test clean rename-module

# make build VERSION=1.2.3 builds a release. Otherwise the version is devel, with the commit.
VERSION :=
BUILD_FLAGS := -trimpath
LINKER_FLAGS := -s -w $(VERSION:%=-X main.released=%)
build:
	CGO_ENABLED=0 go build $(BUILD_FLAGS) -ldflags "$(LINKER_FLAGS)" -o bin/chela ./cmd/chela

# chela installs Chromium itself, where there is none.
chromium: build
	bin/chela install

# make demo URL=https://example.com shows another page than the shop.
demo: chromium
	bin/chela demo $(URL)

# Most packages run in Chromium's headless shell here, and in Chromium itself by make race: see
# test/chromium/shell.go. Tests of what is rare, and half of those that take long, run only there: see
# test/long. What `make build` has compiled is used again. `make check` vets, and no debugger needs the
# tables that -w leaves out of each program of tests. The packages whose tests take longest come
# first, so that no core is idle at the end, and one more than there are cores runs at once: tests
# wait for seconds that something does not happen. With two more, tests run into their deadlines.
test: chromium
	CHELA_TEST_SHELL="$$(tools/headless-shell)" CGO_ENABLED=0 go test -short -p $$(($$(getconf _NPROCESSORS_ONLN) + 1)) -trimpath -vet=off -ldflags=-w -timeout 30m \
		./test/around ./internal/engine/page ./test/acts ./test/contract ./test/scripts ./test/watched ./test/chaos ./test/dashboard ./test/recovery \
		./test/secrets ./internal/reading/pagejs ./test/repo ./internal/engine/browser ./test/programs ./...

# The same tests in Chromium, and the long ones, with the race detector. Of the scripts, only those
# about servers that start and end run with it, as each command starts slowly then. It needs a C
# compiler, and has each program sleep for a second before it exits, unless it is told not to.
race: chromium
	tools/need gcc
	GORACE=atexit_sleep_ms=0 go test -race -vet=off -ldflags=-w -timeout 30m ./test/around ./test/watched ./test/acts ./test/contract ./test/recovery ./test/chaos ./test/programs ./test/secrets ./internal/...
	go test -race -vet=off -ldflags=-w -timeout 30m ./test/scripts -run 'TestScripts/(ports|race|recovery|signals)$$'
	go test -vet=off -ldflags=-w -timeout 30m ./test/repo -run 'TestNewcomer|TestRenameModule'
	go test -vet=off -ldflags=-w -timeout 30m ./test/scripts ./test/dashboard -skip 'TestScripts/(ports|race|recovery|signals)$$'

# The tests of acting and reading in a browser with windows, where Chromium paints
# and handles the mouse by other code. The dashboard is used in such a browser that another program
# has started, as a person's is.
headed: chromium
	tools/need xvfb-run
	CHELA_TEST_HEADED=1 xvfb-run -a -s "-screen 0 1920x1200x24" go test -timeout 60m -count=1 ./internal/engine/page ./internal/reading/pagejs ./test/acts ./test/contract ./test/around ./test/watched ./test/recovery
	CHELA_TEST_HEADED=1 CHELA_TEST_REMOTE=1 xvfb-run -a -s "-screen 0 1920x1200x24" go test -timeout 60m -count=1 ./test/dashboard

# The same tests in a Chromium that another program has started, which is reached by its debugging port.
remote: chromium
	CHELA_TEST_REMOTE=1 go test -timeout 60m -count=1 ./internal/engine/page ./test/acts ./test/contract ./test/around ./test/watched ./test/recovery

# The extension in a browser with windows, with a keyboard and a window manager as a person has them.
# Then the tests of acting and reading, in tabs that are shared by it.
# make relay FULL=1 has eight agents work during 100 deaths of its worker, 100 restarts of the server
# and 20 suspends of 40 seconds, and takes half an hour.
relay: chromium
	tools/need xvfb-run openbox xdotool
	CHELA_TEST_RELAY=1 xvfb-run -a -s "-screen 0 1280x900x24" go test -timeout 90m -count=1 ./test/relay $(if $(FULL),-v -run Agents -agents=8 -deaths=100 -restarts=100 -suspends=20 -suspended=40s)
	$(if $(FULL),,xvfb-run -a -s "-screen 0 1280x900x24" go run ./test/differences ./internal/engine/page ./test/acts ./test/contract)

# Several machines that work as one, as processes of this one, with a server of NATS between them. The
# server is built from its own module, and is no part of chela. make fleet FLEET=Outlives ROUNDS=5 breaks
# nodes, lines and NATS five times in turn, while AGENTS work.
FLEET :=
ROUNDS := 1
AGENTS := 16
fleet: chromium
	cd test/fleet/server && go build -o $(CURDIR)/.cache/nats-server github.com/nats-io/nats-server/v2
	CHELA_TEST_NATS=$(CURDIR)/.cache/nats-server go test -v -timeout 30m -count=1 -run '$(FLEET)' ./test/fleet -rounds=$(ROUNDS) -agents=$(AGENTS)

# Many calls at once while browsers and renderers are killed; a SEED repeats the
# same sequence. Deadlines are checked exactly, so nothing else may run meanwhile.
SEED := 1
chaos: chromium
	tools/need gcc
	go test -v -count=1 -run Memory ./internal/reading/parser -hostile 100
	go test -v -count=1 -run Adversary ./internal/reading/pagejs -adversaries 100
	go test -race -v -timeout 60m ./test/chaos -strict -seed=$(SEED) -kills=100 -serverkills=100 -places=200 -agents=32 -agentops=200 -profiles=4 -tabs=200 -ops=10000 -opens=2000 -renders=1000

# Addresses of special use, tried by a page in every way, in a network of its own, where
# nothing that leaves the browser is missed. Root only.
egress: chromium
	tools/need ip
	CHELA_TEST_EGRESS=1 go test -v -timeout 30m -count=1 ./test/egress
	CHELA_TEST_EGRESS=1 go test -v -count=1 -run WhatIsNotJudged ./internal/engine/browser

# Each parser and classifier with inputs that are made up, for FUZZTIME. What breaks one
# is kept in testdata/fuzz, and from then on a test. make fuzz ONLY=FuzzHost tries one.
FUZZTIME := 1m
fuzz:
	@grep -rhoE --include=*_test.go '^func Fuzz\w+' internal -H | sed 's|/[^/]*:func | |' | grep -E '$(or $(ONLY),.) *$$' | while read -r folder target; do \
		echo "$$folder $$target"; \
		go test "./$$folder" -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) || exit 1; \
	done

check:
	@files=$$(gofmt -l .); [[ -z $$files ]] || { echo "not formatted by gofmt:" $$files; exit 1; }
	go vet ./...
	GOOS=darwin go vet ./...
	GOOS=windows go vet ./...
	go tool -modfile=tools/go.mod staticcheck ./...
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory types; \
	else echo "left out, as npm is not installed: the types of the dashboard; make types installs it" >&2; fi

# An archive of the state that this version leaves, for a test that later versions read it.
state: chromium
	go test -count=1 ./test/state -run TestWrite -write '$(or $(RELEASE),$(error it needs the version: make state RELEASE=1.2.3))'

# The types of the dashboard's modules, which are written in their comments. TypeScript comes from npm.
TYPES := .cache/types
types:
	tools/need npm
	[[ -e $(TYPES)/node_modules/.bin/tsc ]] || $(NPM_INSTALL) --prefix $(TYPES) typescript@7.0.2
	$(TYPES)/node_modules/.bin/tsc -p internal/surface/dashboard/jsconfig.json

REAL := .cache/real

# The built program and a real Chromium, beside bare commands to a second one.
# make bench ONLY="starts network" measures these parts alone; their names are in bench/main.go.
bench: chromium $(REAL)
	CGO_ENABLED=0 go build -trimpath -ldflags "-s -w" -o bin/bare ./bench/bare
	go run ./bench -bin bin/chela -bare bin/bare -packages $(REAL) -only '$(ONLY)'

# Packages that real pages are made with, as files: what they depend on is in their bundles.
$(REAL): bench/real/packages
	tools/need npm
	rm -rf $@ $@.new && mkdir -p $@.new
	while read -r name version; do \
		mkdir -p "$@.new/$$name"; \
		(cd $@.new && tar xzf "$$(npm pack --silent "$$name@$$version")" --strip-components 1 -C "$$name"); \
	done <$<
	rm $@.new/*.tgz
	mv $@.new $@

# What answers of the agent tool cost a model, for docs/tokens.md.
tokens: chromium
	CHELA_TEST_TOKENS=1 go test -count=1 -run TestTable ./test/tokens

docs:
	go generate ./...

# make rename-module MODULE=example.com/chela gives the module another path, everywhere.
rename-module:
	tools/rename-module '$(MODULE)'

# The packages of a day, so that what they depend on is the same each time. npm checks the registry's
# checksums, and no package runs anything when it is installed.
NPM_INSTALL := npm install --before=2026-11-20 --silent --ignore-scripts --no-package-lock --no-audit --no-fund

# Applications and widgets nobody here wrote, fetched and built, and an application in five frameworks
# that replaces all of its elements at each click. axe-core looks at a report and at the dashboard. make realworld ONLY="grid rerender" tries these alone.
APPS := .cache
NPM := $(APPS)/npm/node_modules/.installed

realworld: chromium $(NPM)
	go build -o $(APPS)/ ./test/realworld/swagger ./test/realworld/widgets
	cd test/realworld/pocketbase && go build -o $(CURDIR)/$(APPS)/pocketbase github.com/pocketbase/pocketbase/examples/base
	cd test/realworld/rerender/bundle && go run . -apps ../apps -npm $(CURDIR)/$(APPS)/npm/node_modules -out $(CURDIR)/$(APPS)/rerender
	test/realworld/run.sh $(APPS) $(ONLY)

$(NPM): test/realworld/package.json
	tools/need npm
	mkdir -p $(APPS)/npm && cp $< $(APPS)/npm
	$(NPM_INSTALL) --prefix $(APPS)/npm --omit=optional
	touch $@

# Programs of others: clients of MCP over both transports, libraries that drive browsers, and clients
# that are generated from the OpenAPI document. They need node, and are installed in a folder of their
# own.
clients: chromium
	tools/need npm
	mkdir -p $(APPS)/clients && cp test/clients/package.json $(APPS)/clients
	$(NPM_INSTALL) --prefix $(APPS)/clients
	test/clients/run.sh $(APPS)/clients
	cp -r test/clients/endpoint.mjs test/clients/oapi test/clients/openapi $(APPS)/clients
	cd test/clients/chromedp && go build -o $(CURDIR)/$(APPS)/clients/chromedp .
	CHELA_TEST_CLIENTS=$(CURDIR)/$(APPS)/clients go test -count=1 ./test/clients
	tools/need xvfb-run
	CHELA_TEST_RELAY=1 CHELA_TEST_CLIENTS=$(CURDIR)/$(APPS)/clients xvfb-run -a -s "-screen 0 1280x900x24" go test -count=1 ./test/clients

# The agent tool and the command line of OpenClaw, as published, drive chela. They need a newer node than
# Debian's, which comes from npm, too. It takes some minutes: each command of OpenClaw starts for seconds.
NODE := node-linux-$(if $(filter aarch64,$(shell uname -m)),arm64,x64)@24.21.0

dropin: chromium
	tools/need npm
	mkdir -p $(APPS)/dropin && cp test/dropin/package.json $(APPS)/dropin
	$(NPM_INSTALL) --prefix $(APPS)/dropin --omit=optional $(NODE)
	test/dropin/run.sh $(APPS)/dropin

# Archives and packages for all systems, in dist/. Without VERSION, their version is made from the commit.
# Nothing is published. GoReleaser and syft are built from modules of their own. Go records the commit
# in the programs, which needs a clone: in a worktree of git, Go finds none.
TOOLS := $(CURDIR)/$(APPS)/tools
dist: BUILD_FLAGS += -buildvcs=true
dist: build $(TOOLS)/goreleaser $(TOOLS)/syft
	VERSION='$(VERSION)' GOFLAGS='$(BUILD_FLAGS)' LINKER_FLAGS='$(LINKER_FLAGS)' PATH="$(TOOLS):$$PATH" tools/dist

# The packages for npm, of what `make dist` makes: files in dist/npm, which are not published.
npm: dist
	tools/need npm
	node npm/pack.mjs dist dist/npm

# What `make npm` has made is tried as a new user would: in a fresh Debian, by npm in an empty folder, as an
# image of a container. It is also made twice, with equal bytes; make install-test FULL=1 compiles all
# of it again for that. ONLY=Debian tries one. Root only.
DEBIAN := $(CURDIR)/$(APPS)/debian.tar
install-test: npm $(DEBIAN)
	tools/need buildah runc zstd
	CHELA_TEST_INSTALL=$(DEBIAN) CHELA_TEST_INSTALL_FULL=$(FULL) go test -v -timeout 90m -count=1 -run '$(ONLY)' ./test/install

# The Debian of this machine, from where it has its packages.
$(DEBIAN):
	tools/need mmdebstrap
	mmdebstrap --variant=apt --include=ca-certificates,mount "$$(. /etc/os-release && echo "$$VERSION_CODENAME")" $@ - \
		<$(firstword $(wildcard /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list))

$(TOOLS)/goreleaser: tools/goreleaser/go.mod
	cd tools/goreleaser && go build -trimpath -o $@ github.com/goreleaser/goreleaser/v2

$(TOOLS)/syft: tools/syft/go.mod
	cd tools/syft && go build -trimpath -ldflags "-X main.version=$$(go list -m -f '{{.Version}}' github.com/anchore/syft)" -o $@ github.com/anchore/syft/cmd/syft

clean:
	rm -rf bin dist $(APPS)
