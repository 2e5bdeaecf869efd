#!/bin/bash
# Builds a stand-in for the released Prometheus image, under its name, where that one is not already present and may
# not be there to pull. A test names the one image and gets this here and the released one elsewhere.
set -euo pipefail
say() { echo "prometheus-image: $*" >&2; }
IMAGE=prom/prometheus:v3.15.0   # the version of prometheus/go.mod, and what the tests ask for
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

if docker image inspect "$IMAGE" >/dev/null 2>&1; then say "$IMAGE is present"; exit 0; fi
bin=$("$here/build-prometheus.sh")
built=$("$bin/prometheus" --version | awk 'NR == 1 {print $3}')
[ "$built" = "${IMAGE##*:v}" ] || { say "go.mod builds $built, but the image is $IMAGE"; exit 1; }
busybox=$(command -v busybox) || { say "needs busybox (static): apt-get install busybox-static"; exit 1; }
tar -c -C "$here/prometheus" Dockerfile -C "$bin" prometheus promtool -C "$(dirname "$busybox")" busybox |
  DOCKER_BUILDKIT=0 docker build --quiet --tag "$IMAGE" - >/dev/null   # BuildKit may not be installed
say "$IMAGE built"
