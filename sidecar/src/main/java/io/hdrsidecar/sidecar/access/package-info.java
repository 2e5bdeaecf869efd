/**
 * The right to connect: TLS, client certificates and tokens, for ingest and for HTTP alike.
 *
 * <p>Input: the files that {@link io.hdrsidecar.sidecar.access.AccessConfig} names, read at the
 * start and whenever they change. Output: what a listener needs of them, {@link
 * io.hdrsidecar.sidecar.access.Access}.
 */
@NullMarked
package io.hdrsidecar.sidecar.access;

import org.jspecify.annotations.NullMarked;
