#!/bin/bash
# Builds promql-parse, prometheus-client and prometheus-write (promql/): Prometheus' own parser and client. Prints the folder that
# holds them. Half a minute cold on 2 cores; a no-op once cached. Setting: HDR_SIDECAR_CI_CACHE (default /var/cache/hdr-sidecar-ci).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
. ./go-tools.sh

[[ $(<promql/go.mod) =~ prometheus/prometheus\ v([0-9.]+) ]] || { say "no Prometheus version in go.mod"; exit 1; }
go_tools promql "${BASH_REMATCH[1]}" netgo "" ./promql-parse ./prometheus-client ./prometheus-write
