#!/bin/sh
# Runs in the build stage, on a machine with a JDK 25: makes under /image what the image is copied
# from, one folder a layer.
#   /build: the jar of the fleet, java.options, OnePlatform.java, parts.sh, this
# There is no class archive of our own, as gateways and nodes begin seldom; the JDK's is there.
set -eu
java_home=/opt/java app=/opt/hdr-sidecar-fleet
. /build/parts.sh

# As the sidecar's, and what Kafka's clients need for SASL and Kerberos.
make_runtime "$java_home" \
  java.base,java.logging,java.management,java.naming,java.security.jgss,java.security.sasl,jdk.management,jdk.security.auth,jdk.unsupported \
  --generate-cds-archive

mkdir -p "/image/app$app" /image/runtime
java /build/OnePlatform.java /build/hdr-sidecar-fleet.jar "/image/app$app/hdr-sidecar-fleet.jar" /build/natives
make_root /image/runtime "$java_home" /build/natives
fix_times /image
