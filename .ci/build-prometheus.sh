#!/bin/bash
# Builds the pinned prometheus and promtool (prometheus/go.mod), static, and prints the folder that holds them.
# About 3 minutes cold on 2 cores; a no-op once cached. Setting: HDR_SIDECAR_CI_CACHE (default /var/cache/hdr-sidecar-ci).
set -euo pipefail
say() { echo "build-prometheus: $*" >&2; }
cd "$(dirname "${BASH_SOURCE[0]}")/prometheus"

# remove_all_sd: no service discovery but static and file, so far less to compile. Without `builtinassets` the web
# pages are missing (the module has their sources only); the HTTP API is complete.
tags=netgo,remove_all_sd
[[ $(<go.mod) =~ prometheus/prometheus\ v0\.([0-9]+)([0-9]{2})\.([0-9]+) ]] || { say "no Prometheus version in go.mod"; exit 1; }
version=${BASH_REMATCH[1]}.$((10#${BASH_REMATCH[2]})).${BASH_REMATCH[3]}   # the numbering: see go.mod
key=$( (cat go.mod go.sum; echo "$tags $(uname -m)") | sha256sum | cut -c1-12)
cache=${HDR_SIDECAR_CI_CACHE:-/var/cache/hdr-sidecar-ci}
out=$cache/prometheus-$version-$key

mkdir -p "$cache"
exec 9>"$cache/prometheus.lock"; flock 9   # two builds at once would only be slower than one after the other
if [ ! -d "$out" ]; then
  command -v go >/dev/null || { say "Go is missing"; exit 1; }
  # From 1.21 on, Go fetches the newer toolchain that go.mod asks for; an older one cannot even read the file.
  go_version=$(go env GOVERSION)
  printf '%s\n' go1.21 "$go_version" | sort -VC || { say "needs Go 1.21 or later, found $go_version"; exit 1; }
  tmp=$(mktemp -d "$out.XXXX"); trap 'rm -rf "$tmp"' EXIT
  say "building Prometheus $version with $go_version"
  CGO_ENABLED=0 nice -n 10 go build -buildvcs=false -trimpath -tags "$tags" \
    -ldflags "-s -w -X github.com/prometheus/common/version.Version=$version" -o "$tmp/" \
    github.com/prometheus/prometheus/cmd/prometheus github.com/prometheus/prometheus/cmd/promtool >&2
  chmod 755 "$tmp"; mv -T "$tmp" "$out"    # whole or not at all
fi
echo "$out"
