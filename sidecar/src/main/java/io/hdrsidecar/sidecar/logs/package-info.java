/**
 * The log of the process for its operators: log records in, lines of logfmt or JSON on standard
 * error out. The text of a record is a template, {@code event=reloaded changed={0}}; its parts with
 * an equals sign are fields, the rest is the message.
 */
@NullMarked
package io.hdrsidecar.sidecar.logs;

import org.jspecify.annotations.NullMarked;
