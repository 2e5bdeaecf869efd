#!/bin/bash
# Builds grafana-prometheus (promlib/), which is the back end of Grafana's data source for Prometheus, and prints the folder that
# holds it. Two minutes cold on 2 cores; a no-op once cached. Setting: HDR_SIDECAR_CI_CACHE (default /var/cache/hdr-sidecar-ci).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
. ./go-tools.sh

[[ $(<promlib/go.mod) =~ pkg/promlib\ v([0-9.]+) ]] || { say "no promlib version in go.mod"; exit 1; }
go_tools promlib "${BASH_REMATCH[1]}" netgo "" ./grafana-prometheus
