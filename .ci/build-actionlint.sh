#!/bin/bash
# Builds the pinned actionlint (actionlint/go.mod) and prints the folder that holds it.
# A few seconds on 2 cores; a no-op once cached. Setting: HDR_SIDECAR_CI_CACHE (default /var/cache/hdr-sidecar-ci).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
. ./go-tools.sh

[[ $(<actionlint/go.mod) =~ rhysd/actionlint\ v([0-9.]+) ]] || { say "no actionlint version in go.mod"; exit 1; }
go_tools actionlint "${BASH_REMATCH[1]}" netgo "" github.com/rhysd/actionlint/cmd/actionlint
