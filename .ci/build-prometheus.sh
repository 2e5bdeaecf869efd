#!/bin/bash
# Builds the pinned prometheus and promtool (prometheus/go.mod) and prints the folder that holds them.
# About 3 minutes cold on 2 cores; a no-op once cached. Setting: HDR_SIDECAR_CI_CACHE (default /var/cache/hdr-sidecar-ci).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
. ./go-tools.sh

[[ $(<prometheus/go.mod) =~ prometheus/prometheus\ v0\.([0-9]+)([0-9]{2})\.([0-9]+) ]] || { say "no Prometheus version in go.mod"; exit 1; }
version=${BASH_REMATCH[1]}.$((10#${BASH_REMATCH[2]})).${BASH_REMATCH[3]}   # the numbering: see go.mod
# remove_all_sd: no service discovery but static and file, so far less to compile. Without `builtinassets` the web
# pages are missing (the module has their sources only); the HTTP API is complete.
go_tools prometheus "$version" netgo,remove_all_sd "-X github.com/prometheus/common/version.Version=$version" \
  github.com/prometheus/prometheus/cmd/prometheus github.com/prometheus/prometheus/cmd/promtool
