# Sourced: apt without questions. Setting: where its last output is kept, $APT_LOG.
# shellcheck shell=bash
export DEBIAN_FRONTEND=noninteractive

apt() { # waits up to 5 minutes for somebody else's apt: only dpkg's own lock is waited for by an option
  local _
  for _ in $(seq 60); do
    apt-get -qq -o DPkg::Lock::Timeout=300 "$@" </dev/null >"$APT_LOG" 2>&1 && return
    grep -q 'Could not get lock' "$APT_LOG" || break
    sleep 5
  done
  tail -5 "$APT_LOG" >&2
  return 1
}
apt_has() { apt-cache show "$1" >/dev/null 2>&1; }
