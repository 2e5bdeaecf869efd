#!/bin/bash
# Builds the pinned kube-apiserver, kubectl and etcd (kubernetes/go.mod) and prints the folder that holds them.
# About 7 minutes cold on 2 cores; a no-op once cached. Setting: HDR_SIDECAR_CI_CACHE (default /var/cache/hdr-sidecar-ci).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
. ./go-tools.sh

[[ $(<kubernetes/go.mod) =~ k8s.io/kubernetes\ v([0-9]+)\.([0-9]+)\.([0-9]+) ]] || { say "no Kubernetes version in go.mod"; exit 1; }
version=${BASH_REMATCH[1]}.${BASH_REMATCH[2]}.${BASH_REMATCH[3]}
about=k8s.io/component-base/version
go_tools kubernetes "$version" netgo \
  "-X $about.gitMajor=${BASH_REMATCH[1]} -X $about.gitMinor=${BASH_REMATCH[2]} -X $about.gitVersion=v$version" \
  k8s.io/kubernetes/cmd/kube-apiserver k8s.io/kubernetes/cmd/kubectl ./etcd
