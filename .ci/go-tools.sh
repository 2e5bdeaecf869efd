# Sourced by the build-*.sh beside it: builds pinned Go programs from a module in this folder, static, and keeps them in a
# cache outside of the checkout. Setting: HDR_SIDECAR_CI_CACHE (default /var/cache/hdr-sidecar-ci).
# shellcheck shell=bash
say() { echo "${0##*/}: $*" >&2; }

# go_tools <name> <version> <tags> <ldflags> <package>...: builds the packages of ./<name>/go.mod unless the cache has them,
# and prints the folder that holds them.
go_tools() {
  local name=$1 version=$2 tags=$3 ldflags=$4 key cache out go_version; shift 4
  cd "$(dirname "${BASH_SOURCE[0]}")/$name"
  key=$( (cat go.mod go.sum; find . -name "*.go" -exec cat {} +; echo "$tags $(uname -m)") | sha256sum | cut -c1-12)
  cache=${HDR_SIDECAR_CI_CACHE:-/var/cache/hdr-sidecar-ci}
  out=$cache/$name-$version-$key

  mkdir -p "$cache"
  exec 9>"$cache/$name.lock"; flock 9   # two builds at once would only be slower than one after the other
  if [ ! -d "$out" ]; then
    PATH=$(../bring-go.sh):$PATH || return 1
    go_version=$(go env GOVERSION)
    tmp=$(mktemp -d "$out.XXXX") # not local: the trap outlives the function
    trap 'rm -rf "$tmp"' EXIT
    say "building $name $version with $go_version"
    CGO_ENABLED=0 nice -n 10 go build -buildvcs=false -trimpath -tags "$tags" -ldflags "-s -w $ldflags" -o "$tmp/" "$@" >&2
    chmod 755 "$tmp"; mv -T "$tmp" "$out"    # whole or not at all
  fi
  echo "$out"
}
