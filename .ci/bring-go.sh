#!/bin/bash
# Prints the folder of a Go that can read the go.mod files here: that of this machine from 1.21 on, which fetches what they
# ask for. An older one, as Debian 12 has, cannot even read them, but it can fetch a newer one: toolchains are modules.
set -euo pipefail
version=1.26.3
command -v go >/dev/null || { echo "bring-go.sh: Go is missing (Debian: apt-get install golang-go)" >&2; exit 1; }
if printf '%s\n' go1.21 "$(go env GOVERSION)" | sort -VC; then dirname "$(command -v go)"; exit; fi

module=golang.org/toolchain@v0.0.1-go$version.$(go env GOOS)-$(go env GOARCH)
folder=$(cd / && go mod download -json "$module" | sed -n 's/^\t"Dir": "\(.*\)",*$/\1/p')
[ -x "$folder/bin/go" ] || chmod +x "$folder"/bin/* "$folder"/pkg/tool/*/* # modules have no such modes
"$folder/bin/go" version >&2
echo "$folder/bin"
