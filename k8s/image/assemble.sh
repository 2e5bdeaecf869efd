#!/bin/sh
# Runs in the build stage, on a machine with a JDK 25: makes under /image what the image is copied
# from, one folder a layer. Everything has a fixed time, so that two builds give the same bytes.
#   /build: the jar of the sidecar, java.options, Training.java, this
set -eu
modified=2026-01-01T00:00:00Z # of every file; the class archive remembers that of the jar
java_home=/opt/java app=/opt/hdr-sidecar
PATH=$PATH:${JAVA_HOME:+$JAVA_HOME/bin}

version=$(java -XshowSettings:properties -version 2>&1 | sed -n 's/ *java.specification.version = //p')
[ "$version" = 25 ] || { echo "assemble: the build stage needs a JDK 25, its java is ${version:-missing}" >&2; exit 1; }

fix_times() { find "$@" -exec touch -h -d "$(touch_time)" {} +; }
touch_time() { echo "$modified" | tr TZ '  ' | sed 's/ *$//'; } # the form every touch knows
export TZ=UTC

# The runtime. java.desktop is there for java.beans, which SnakeYAML needs; without its native
# libraries, as nothing is drawn. java.net.http is that of the demo.
modules=java.base,java.desktop,java.logging,java.management,java.naming,java.net.http,jdk.management,jdk.unsupported
not_drawn='**/libawt*.so,**/libjawt.so,**/libfontmanager.so,**/libfreetype.so,**/libharfbuzz.so'
not_drawn=$not_drawn,'**/libmlib_image.so,**/liblcms.so,**/libjavajpeg.so,**/libsplashscreen.so,**/libjsound.so'
rm -rf "$java_home"
jlink --add-modules "$modules" --exclude-files "$not_drawn,**/psfont*" \
  --add-options "$(tr '\n' ' ' </build/java.options)" \
  --strip-java-debug-attributes --no-header-files --no-man-pages --output "$java_home"

mkdir -p "$app" /run/hdr-sidecar /image/runtime /image/app /image/archive
cp /build/hdr-sidecar.jar "$app/"
fix_times "$java_home" "$app"

# The class archive: which classes a sidecar needs is what it used in a training run.
# The JVM writes the list as things happen on several threads; in order of names, and without the entries of constant
# pools that happened to be resolved (@cp), it is the same each time, and the archive with it.
used=/build/used.list list=/build/classes.list
java -cp "$app/hdr-sidecar.jar" /build/Training.java \
  "$java_home/bin/java" -Xmx64m -Xshare:off -Xlog:disable -XX:DumpLoadedClassList="$used" -jar "$app/hdr-sidecar.jar" \
  serve --ingest-unix-socket /run/hdr-sidecar/hdr-sidecar.sock --http-host 127.0.0.1
{ grep -v '^[#@]' "$used" | sed 's/ .*//' | LC_ALL=C sort -u; grep '^@lambda' "$used" | LC_ALL=C sort -u; } >"$list"
"$java_home/bin/java" -Xmx256m -Xshare:dump -Xlog:disable -Xlog:all=error:stderr -XX:SharedClassListFile="$list" -jar "$app/hdr-sidecar.jar"

# What a folder of its own needs to be a file system: libc, a user, folders to mount over.
root=/image/runtime
mkdir -p "$root/opt" "$root/etc" "$root/tmp" "$root/run/hdr-sidecar" "$root/var/lib/hdr-sidecar"
chmod 1777 "$root/tmp" "$root/run/hdr-sidecar" "$root/var/lib/hdr-sidecar"
cp -a "$java_home" "$root/opt/"
libraries() { # of the launcher and of every library of the runtime
  LD_TRACE_LOADED_OBJECTS=1 "$java_home/bin/java"
  find "$java_home/lib" -name '*.so' | while read -r library; do
    LD_LIBRARY_PATH=$java_home/lib/server:$java_home/lib LD_PRELOAD=$library LD_TRACE_LOADED_OBJECTS=1 "$java_home/bin/java"
  done
}
libraries | sed -n -e 's/.*=> \(\/[^ ]*\).*/\1/p' -e 's/^[[:space:]]*\(\/[^ ]*\) (0x.*/\1/p' |
  { grep -v "^$java_home" || true; } | sort -u | while read -r library; do
    mkdir -p "$root$(dirname "$library")"
    cp -L "$library" "$root$library"
  done
echo 'hdr-sidecar:x:65532:65532::/:/' >"$root/etc/passwd"
echo 'hdr-sidecar:x:65532:' >"$root/etc/group"
echo 'hosts: files dns' >"$root/etc/nsswitch.conf"

mkdir -p "/image/app$app" "/image/archive$app"
cp -a "$app/hdr-sidecar.jar" "/image/app$app/"
cp -a "$app/classes.jsa" "/image/archive$app/"
fix_times /image
