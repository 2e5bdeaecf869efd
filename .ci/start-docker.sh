#!/bin/bash
# Gives a CI job (root, Debian) a Docker engine and a local JRE base image when it has none.
#   start-docker.sh [start]   no-op if an engine already answers; writes $DIR/env -> ". $DIR/env" in later steps
#   start-docker.sh status    succeeds if the daemon that an earlier call started is up
#   start-docker.sh stop      stops only that daemon, and takes its bridge and rules away
# Setting: DOCKER_CI_DIR (default /var/lib/docker-ci).
set -euo pipefail
DIR=${DOCKER_CI_DIR:-/var/lib/docker-ci}
SOCK=$DIR/docker.sock PIDF=$DIR/docker.pid LOG=$DIR/dockerd.log APT_LOG=$DIR/apt.log
. "$(dirname "${BASH_SOURCE[0]}")/apt.sh"
say() { echo "start-docker: $*" >&2; }
answers() { timeout 10 docker "$@" info >/dev/null 2>&1; }
alive() { [ -s "$PIDF" ] && [ "$(cat "/proc/$(cat "$PIDF")/comm" 2>/dev/null)" = dockerd ]; }
status() { alive && answers -H "unix://$SOCK"; }

remove_rules() { # only those that name Docker's own chains or bridge
  local table ipt rule chain
  for table in filter nat; do
    for ipt in iptables ip6tables; do
      { $ipt-save -t $table 2>/dev/null || true; } | sed -nE '/DOCKER|docker0|172\.17\./s/^-A/-D/p' |
        while read -r rule; do eval "$ipt -t $table $rule" 2>/dev/null || true; done   # eval: rules carry quotes
      for chain in DOCKER DOCKER-USER DOCKER-ISOLATION-STAGE-1 DOCKER-ISOLATION-STAGE-2; do
        { $ipt -t $table -F $chain && $ipt -t $table -X $chain; } 2>/dev/null || true
      done
    done
  done
  iptables -P FORWARD ACCEPT 2>/dev/null || true
}
stop() {
  if alive; then
    export DOCKER_HOST=unix://$SOCK
    docker ps -q | xargs -r docker rm -f >/dev/null 2>&1 || true
    local pid; pid=$(cat "$PIDF"); kill "$pid"
    for _ in $(seq 150); do kill -0 "$pid" 2>/dev/null || break; sleep 0.2; done
    ! kill -0 "$pid" 2>/dev/null || { say "dockerd $pid did not stop"; return 1; }
    umount "$DIR"/exec/netns/* 2>/dev/null || true
    ip link del docker0 2>/dev/null || true
    remove_rules
    say "stopped $pid"
  fi
  rm -f "$DIR/env"
}

clear_stale() { # after a killed daemon: its containerd may live on, or its pid file may name a dead one
  local f=$DIR/exec/containerd/containerd.pid pid
  if [ -s "$f" ]; then
    pid=$(cat "$f")
    if [ "$(cat "/proc/$pid/comm" 2>/dev/null)" = containerd ]; then kill "$pid" 2>/dev/null || true; sleep 1; fi
  fi
  umount "$DIR"/exec/netns/* 2>/dev/null || true
  rm -rf "$PIDF" "$SOCK" "$DIR/exec"
}
launch() { # tries one set of flags; 0 when the engine answers
  clear_stale
  setsid nohup dockerd --data-root "$DIR/data" --exec-root "$DIR/exec" --pidfile "$PIDF" -H "unix://$SOCK" "$@" \
    </dev/null >"$LOG" 2>&1 9>&- &
  local pid=$!
  for _ in $(seq 160); do
    answers -H "unix://$SOCK" && return 0
    kill -0 "$pid" 2>/dev/null || break
    sleep 0.25
  done
  kill "$pid" 2>/dev/null || true; wait "$pid" 2>/dev/null || true
  say "dockerd $* failed: $(grep -vE 'level=(info|debug)' "$LOG" | tail -1)"; return 1
}
launch_somehow() { # plain is what has worked so far; the others are for a kernel without overlayfs or netfilter
  launch && return
  if grep -qiE 'graphdriver|overlay.*not supported' "$LOG"; then launch --storage-driver=vfs && return; fi
  if grep -qiE 'iptables|bridge' "$LOG"; then launch --iptables=false --ip6tables=false --ip-masq=false && return; fi
  return 1
}
install_engine() {
  command -v dockerd >/dev/null && command -v busybox >/dev/null && return
  apt update && apt install -y --no-install-recommends docker.io busybox-static
}

jre_image() { # JRE of this machine's JDK + the libraries it needs + busybox; ~99 MB, no distribution, no apt
  docker image inspect local/jre:17 >/dev/null 2>&1 && return
  local root path; root=$(mktemp -d "$DIR/jre.XXXX")
  chmod 755 "$root"; mkdir -p "$root"/{opt,bin,etc,root,tmp,app}; chmod 1777 "$root/tmp"
  jlink --add-modules java.se,jdk.httpserver,jdk.crypto.ec,jdk.zipfs,jdk.unsupported,jdk.management,jdk.naming.dns \
    --strip-java-debug-attributes --no-header-files --no-man-pages --output "$root/opt/java"
  { find "$root/opt/java" \( -name '*.so' -o -path '*/bin/java' \) -print0 |
      LD_LIBRARY_PATH=$root/opt/java/lib:$root/opt/java/lib/server xargs -0 ldd |
      awk '/=> \//{print $3} $1 ~ /^\//&&/0x/{print $1}'
    ls /lib/*-linux-gnu/libnss_{dns,files}.so.2; } | { grep -v "^$root" || true; } | sort -u |
    while read -r path; do mkdir -p "$root$(dirname "$path")"; cp -L "$path" "$root$path"; done
  cp "$(command -v busybox)" "$root/bin/busybox"
  "$root/bin/busybox" --list | grep -vx busybox | while read -r path; do ln -sf busybox "$root/bin/$path"; done
  printf 'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/false\n' >"$root/etc/passwd"
  printf 'root:x:0:\nnogroup:x:65534:\n' >"$root/etc/group"; echo 'hosts: files dns' >"$root/etc/nsswitch.conf"
  tar -C "$root" -c . |
    docker import -c 'ENV JAVA_HOME=/opt/java' -c 'ENV PATH=/opt/java/bin:/bin' -c 'ENV LANG=C.UTF-8' - local/jre:17 >/dev/null
  rm -rf "$root"
}
write_env() {
  cat >"$DIR/env" <<END
export DOCKER_HOST=unix://$SOCK
export TESTCONTAINERS_RYUK_DISABLED=true         # its image may not be there to pull, and --privileged may be refused
export TESTCONTAINERS_HOST_OVERRIDE=localhost    # inside a container it would pull alpine to ask for the gateway
export TESTCONTAINERS_CHECKS_DISABLE=true        # else a bind mount pulls alpine
export TESTCONTAINERS_PULL_TIMEOUT=5             # a missing image fails in seconds, not minutes
END
}
start() {
  mkdir -p "$DIR"; exec 9>"$DIR/lock"; flock 9
  if status; then say "already started: . $DIR/env"
  elif command -v docker >/dev/null && answers; then
    rm -f "$DIR/env"; say "an engine already answers at ${DOCKER_HOST:-the default socket}"; return 0
  else
    [ "$(id -u)" = 0 ] || { say "no engine, and not root: cannot start one"; return 1; }
    install_engine && launch_somehow || return 1
  fi
  write_env
  # shellcheck source=/dev/null
  . "$DIR/env"
  jre_image
  say "engine $(docker info -f '{{.ServerVersion}} {{.Driver}}') at $SOCK; images: $(docker images --format '{{.Repository}}:{{.Tag}}' | tr '\n' ' ')"
}

case ${1:-start} in start | status | stop) "${1:-start}" ;; *) say "start|status|stop"; exit 2 ;; esac
