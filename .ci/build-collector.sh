#!/bin/bash
# Builds otelcol (collector/), OpenTelemetry's Collector with OTLP in and out, and prints the folder that holds it.
# Some minutes cold on 2 cores; a no-op once cached. Setting: HDR_SIDECAR_CI_CACHE (default /var/cache/hdr-sidecar-ci).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
. ./go-tools.sh

[[ $(<collector/go.mod) =~ collector/otelcol\ v([0-9.]+) ]] || { say "no version of the Collector in go.mod"; exit 1; }
go_tools collector "${BASH_REMATCH[1]}" netgo "" ./otelcol
