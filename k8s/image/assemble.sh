#!/bin/sh
# Runs in the build stage, on a machine with a JDK 25: makes under /image what the image is copied
# from, one folder a layer.
#   /build: the jar of the sidecar, java.options, Training.java, OnePlatform.java, parts.sh, this
set -eu
java_home=/opt/java app=/opt/hdr-sidecar
. /build/parts.sh

# java.net.http is what export.* and the demo send with. What reads YAML does without java.desktop (YamlText).
make_runtime "$java_home" java.base,java.logging,java.management,java.naming,java.net.http,jdk.management,jdk.unsupported

mkdir -p "$app" /run/hdr-sidecar /image/runtime /image/app /image/archive
java /build/OnePlatform.java /build/hdr-sidecar.jar "$app/hdr-sidecar.jar" /build/natives
fix_times "$java_home" "$app"

# The class archive: which classes a sidecar needs is what it used in a training run.
# The JVM writes the list as things happen on several threads; in order of names it is the same each time, and the
# archive with it, but for entries of constant pools (@cp) that one run resolves and another does not. The same lambda
# line twice are two lambdas of a class, and both are needed. AOTClassLinking: classes are there from the first moment,
# and with @cp their call sites are linked, too, for which the JVM makes and compiles code at each start otherwise.
used=/build/used.list list=/build/classes.list
java -cp "$app/hdr-sidecar.jar" /build/Training.java \
  "$java_home/bin/java" -Xmx64m -Xshare:off -Xlog:disable -XX:DumpLoadedClassList="$used" -jar "$app/hdr-sidecar.jar" \
  serve --ingest-unix-socket /run/hdr-sidecar/hdr-sidecar.sock --http-host 127.0.0.1
{ grep -v '^[#@]' "$used" | sed 's/ .*//' | LC_ALL=C sort -u; grep '^@lambda' "$used" | LC_ALL=C sort; grep '^@cp' "$used" | LC_ALL=C sort -u; } >"$list"
"$java_home/bin/java" -Xmx256m -Xshare:dump -XX:+AOTClassLinking -Xlog:disable -Xlog:all=error:stderr -XX:SharedClassListFile="$list" -jar "$app/hdr-sidecar.jar"

make_root /image/runtime "$java_home"
mkdir -p "/image/app$app" "/image/archive$app"
cp -a "$app/hdr-sidecar.jar" "/image/app$app/"
cp -a "$app/classes.jsa" "/image/archive$app/"
fix_times /image
