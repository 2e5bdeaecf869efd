# What the images of this folder have in common. Read by their assemble.sh, in the build stage, on a machine with a JDK 25.
# Everything has a fixed time, so that two builds give the same bytes.
modified=2026-01-01T00:00:00Z # of every file; the class archive remembers that of the jar
PATH=$PATH:${JAVA_HOME:+$JAVA_HOME/bin}
export TZ=UTC

version=$(java -XshowSettings:properties -version 2>&1 | sed -n 's/ *java.specification.version = //p')
[ "$version" = 25 ] || { echo "assemble: the build stage needs a JDK 25, its java is ${version:-missing}" >&2; exit 1; }

fix_times() { find "$@" -exec touch -h -d "$(touch_time)" {} +; }
touch_time() { echo "$modified" | tr TZ '  ' | sed 's/ *$//'; } # the form every touch knows

# make_runtime FOLDER MODULES OPTION...: a runtime of these modules, with the flags of java.options.
make_runtime() {
  made=$1 modules=$2
  shift 2
  rm -rf "$made"
  jlink --add-modules "$modules" --add-options "$(tr '\n' ' ' </build/java.options)" \
    --strip-java-debug-attributes --no-header-files --no-man-pages "$@" --output "$made"
}

# make_root FOLDER JAVA_HOME [LIBRARIES]: what a folder of its own needs to be a file system: libc, a user, folders to mount over.
# With what the libraries of the folder LIBRARIES need, too.
make_root() {
  root=$1 java_home=$2 natives=${3:-$2/lib}
  mkdir -p "$root/opt" "$root/etc" "$root/tmp" "$root/run/hdr-sidecar" "$root/var/lib/hdr-sidecar"
  chmod 1777 "$root/tmp" "$root/run/hdr-sidecar" "$root/var/lib/hdr-sidecar"
  cp -a "$java_home" "$root/opt/"
  libraries "$java_home" "$natives" |
    sed -n -e 's/.*=> \(\/[^ ]*\).*/\1/p' -e 's/^[[:space:]]*\(\/[^ ]*\) (0x.*/\1/p' |
    { grep -v -e "^$java_home" -e "^$natives" || true; } | sort -u | while read -r library; do
      mkdir -p "$root$(dirname "$library")"
      cp -L "$library" "$root$library"
    done
  echo 'hdr-sidecar:x:65532:65532::/:/' >"$root/etc/passwd"
  echo 'hdr-sidecar:x:65532:' >"$root/etc/group"
  echo 'hosts: files dns' >"$root/etc/nsswitch.conf"
}

libraries() { # of the launcher, of every library of the runtime, and of others
  LD_TRACE_LOADED_OBJECTS=1 "$1/bin/java"
  find "$1/lib" "$2" -name '*.so' | while read -r library; do
    LD_LIBRARY_PATH=$1/lib/server:$1/lib LD_PRELOAD=$library LD_TRACE_LOADED_OBJECTS=1 "$1/bin/java"
  done
}
