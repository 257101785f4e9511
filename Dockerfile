# chela with Chromium, for an ordinary user. docs/deploy.md says how it is run. BUILD is an image with Go,
# BASE one of Debian or of what is made from it.

ARG BUILD=golang:1.26-bookworm
ARG BASE=debian:bookworm-slim

FROM $BUILD AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY cmd cmd
COPY docs docs
COPY extension extension
COPY internal internal
ARG VERSION=devel
RUN CGO_ENABLED=0 go build -trimpath -buildvcs=false -ldflags "-s -w -X main.released=$VERSION" -o /out/chela ./cmd/chela

FROM $BASE
# Chromium's sandbox is made by user namespaces, so its program with the setuid bit (chromium-sandbox) is left out. tini, as
# the first process, waits for processes of browsers whose parents have ended.
RUN apt-get update \
 && apt-get install --yes --no-install-recommends ca-certificates chromium fonts-liberation fonts-noto-cjk fonts-noto-color-emoji fonts-noto-core tini \
 && apt-get clean \
 && rm -rf /var/lib/apt/lists/* \
 && groupadd --gid 10001 chela \
 && useradd --uid 10001 --gid chela --create-home chela \
 && install --directory --owner=chela --group=chela --mode=0700 /data
COPY --from=build /out/chela /usr/local/bin/chela
USER 10001:10001
ENV CHELA_STATE_DIR=/data CHELA_HEADLESS=1
VOLUME /data
EXPOSE 18791
HEALTHCHECK --interval=30s --timeout=10s --start-period=10s CMD ["chela", "status", "--need-server"]
ENTRYPOINT ["/usr/bin/tini", "--"]
CMD ["chela", "serve"]
