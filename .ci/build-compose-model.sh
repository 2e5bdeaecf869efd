#!/bin/bash
# Builds compose-model (compose/), which reads Compose files, and prints the folder that holds it.
# A few seconds on 2 cores; a no-op once cached. Setting: HDR_SIDECAR_CI_CACHE (default /var/cache/hdr-sidecar-ci).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
. ./go-tools.sh

[[ $(<compose/go.mod) =~ compose-spec/compose-go/v2\ v([0-9.]+) ]] || { say "no compose-go version in go.mod"; exit 1; }
go_tools compose "${BASH_REMATCH[1]}" netgo "" ./compose-model
