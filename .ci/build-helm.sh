#!/bin/bash
# Builds the pinned helm (helm/go.mod) and prints the folder that holds it.
# About 2 minutes cold on 2 cores; a no-op once cached. Setting: HDR_SIDECAR_CI_CACHE (default /var/cache/hdr-sidecar-ci).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
. ./go-tools.sh

[[ $(<helm/go.mod) =~ helm.sh/helm/v3\ v([0-9.]+) ]] || { say "no Helm version in go.mod"; exit 1; }
version=${BASH_REMATCH[1]}
# Without a cluster, helm takes its own Kubernetes version for that of the cluster.
[[ $(<helm/go.mod) =~ k8s.io/client-go\ v0\.([0-9]+) ]] || { say "no client-go version in go.mod"; exit 1; }
kubernetes=${BASH_REMATCH[1]}
helm=helm.sh/helm/v3
flags="-X $helm/internal/version.version=v$version"
for package in pkg/chartutil pkg/lint/rules; do
  flags+=" -X $helm/$package.k8sVersionMajor=1 -X $helm/$package.k8sVersionMinor=$kubernetes"
done
go_tools helm "$version" netgo "$flags" $helm/cmd/helm
