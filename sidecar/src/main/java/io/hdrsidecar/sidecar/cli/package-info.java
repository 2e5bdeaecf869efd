/**
 * The log tools, {@code hdr-sidecar log ...}: what people do with histogram interval logs on the
 * command line, without a sidecar. Input: logs of any HdrHistogram port, as files or on standard
 * input, read once from front to end; output: text, tables and logs. {@link
 * io.hdrsidecar.sidecar.cli.LogScan} reads, {@link io.hdrsidecar.sidecar.cli.ValueCounts} adds up
 * without loss, each command writes. docs/log-tools.md shows every command.
 */
@NullMarked
package io.hdrsidecar.sidecar.cli;

import org.jspecify.annotations.NullMarked;
