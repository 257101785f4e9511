module chela

go 1.26.0

require (
	codeberg.org/readeck/go-readability/v2 v2.1.3 // where the main content of a page is, as Firefox's reader view decides it
	filippo.io/age v1.3.2 // encryption of profiles that move between machines
	github.com/JohannesKaufmann/html-to-markdown/v2 v2.5.2 // HTML as Markdown, with tables and what must be escaped
	github.com/at-wat/ebml-go v0.19.4 // WebM files of videos, with an index and a duration
	github.com/chromedp/cdproto v0.159.1 // the types of the DevTools protocol, generated from its definition
	github.com/coder/websocket v1.8.15 // WebSockets, for browsers reached by an endpoint
	github.com/coregx/ahocorasick v0.3.1 // values of secrets in what is written: all of them in one pass, 3 ms for 1 MB and 100 secrets
	github.com/go-json-experiment/json v0.0.0-20260820222146-c27c302e5fc3 // cdproto's types are read and written by it
	github.com/google/go-cmp v0.7.0 // tests: differences that can be read
	github.com/ledongthuc/pdf v0.0.0-20260907135840-6c8c28e0e8a0 // the objects of PDF documents, of which internal/reading/pdftext makes text
	github.com/modelcontextprotocol/go-sdk v1.8.0 // MCP, by its authors
	github.com/nats-io/jwt/v2 v2.8.2 // tests: credentials of a NATS that lets in by JWT
	github.com/nats-io/nats.go v1.55.0 // messages between the machines of a fleet; its micro package makes nodes known to NATS's own tools
	github.com/nats-io/nkeys v0.4.16 // tests: keys of such credentials
	github.com/pquerna/otp v1.5.0 // one-time codes, as the sites that ask for them make them
	github.com/prometheus/client_golang v1.25.0 // metrics, as Prometheus reads them
	github.com/prometheus/common v0.72.0 // the format of metrics; client_golang's own handler is 0.2 MB larger
	github.com/rogpeppe/go-internal v1.16.0 // tests: sessions of the command line as scripts
	github.com/spf13/cobra v1.10.2 // commands, help and completion
	github.com/spf13/pflag v1.0.9 // cobra's flags, made from the table of operations
	github.com/tailscale/hujson v0.0.0-20260727124030-b80ff77dac4f // editing the configuration, with its comments
	github.com/tiktoken-go/tokenizer v0.10.0 // tests: what snapshots cost a model, in tokens
	github.com/titanous/json5 v1.0.0 // reading the configuration
	github.com/zalando/go-keyring v0.2.8 // the keyring of the system, in which secrets are kept
	go.opentelemetry.io/otel v1.47.0 // attributes of spans, and the header traceparent
	go.opentelemetry.io/otel/sdk v1.47.0 // makes spans, where the environment names a collector
	go.opentelemetry.io/otel/trace v1.47.0 // spans of traces; the core knows only this interface
	go.uber.org/goleak v1.3.0 // tests: no goroutine is left
	golang.org/x/image v0.47.0 // a font for the refs drawn on pictures
	golang.org/x/net v0.62.0 // host names beyond ASCII, as browsers convert them; the list of public suffixes
	golang.org/x/sys v0.49.0 // processes, locks, owners and consoles on Windows
	golang.org/x/term v0.47.0 // whether a person reads the output
	golang.org/x/text v0.43.0 // character sets of documents that are no UTF-8; which letters look like others
)

require (
	filippo.io/hpke v0.4.0 // indirect
	github.com/JohannesKaufmann/dom v0.3.1 // indirect
	github.com/andybalholm/cascadia v1.3.4 // indirect
	github.com/beorn7/perks v1.0.1 // indirect
	github.com/boombuler/barcode v1.0.1-0.20190219062509-6c824513bacc // indirect
	github.com/cespare/xxhash/v2 v2.3.0 // indirect
	github.com/danieljoos/wincred v1.2.3 // indirect
	github.com/dlclark/regexp2/v2 v2.5.1 // indirect
	github.com/go-logr/logr v1.4.4 // indirect
	github.com/go-logr/stdr v1.2.2 // indirect
	github.com/go-shiori/dom v0.0.0-20230515143342-73569d674e1c // indirect
	github.com/godbus/dbus/v5 v5.2.2 // indirect
	github.com/gogs/chardet v0.0.0-20211120154057-b7413eaefb8f // indirect
	github.com/google/jsonschema-go v0.4.3 // indirect
	github.com/google/uuid v1.6.0 // indirect
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	github.com/itlightning/dateparse v0.2.1 // indirect
	github.com/klauspost/compress v1.20.1 // indirect
	github.com/munnerz/goautoneg v0.0.0-20191010083416-a7dc8b61c822 // indirect
	github.com/nats-io/nuid v1.0.1 // indirect
	github.com/prometheus/client_model v0.6.3 // indirect
	github.com/prometheus/procfs v0.22.0 // indirect
	github.com/segmentio/asm v1.1.3 // indirect
	github.com/segmentio/encoding v0.5.4 // indirect
	github.com/yosida95/uritemplate/v3 v3.0.2 // indirect
	go.opentelemetry.io/auto/sdk v1.2.1 // indirect
	go.opentelemetry.io/otel/log v1.47.0 // indirect
	go.opentelemetry.io/otel/metric v1.47.0 // indirect
	golang.org/x/crypto v0.58.0 // indirect
	golang.org/x/oauth2 v0.37.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/time v0.15.0 // indirect
	golang.org/x/tools v0.51.0 // indirect
	google.golang.org/protobuf v1.36.12 // indirect
)
