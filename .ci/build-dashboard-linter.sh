#!/bin/bash
# Builds the pinned dashboard-linter (dashboard-linter/go.mod) and prints the folder that holds it.
# About half a minute cold on 2 cores; a no-op once cached. Setting: HDR_SIDECAR_CI_CACHE (default /var/cache/hdr-sidecar-ci).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
. ./go-tools.sh

[[ $(<dashboard-linter/go.mod) =~ grafana/dashboard-linter\ v([0-9.]+) ]] || { say "no dashboard-linter version in go.mod"; exit 1; }
go_tools dashboard-linter "${BASH_REMATCH[1]}" netgo "" github.com/grafana/dashboard-linter
