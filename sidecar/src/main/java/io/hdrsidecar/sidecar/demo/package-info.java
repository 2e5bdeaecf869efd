/**
 * The proof that coordinated omission is real: a load generator on a fixed schedule calls a mock
 * service that stalls, and records each call twice, from its actual and from its intended start.
 *
 * <p>Input: the options of the {@code demo} command. Output: two series in a sidecar that runs in
 * the same process, but is reached as any service reaches it, through the client library and a
 * socket; and a table of what that sidecar then answers over HTTP.
 */
@NullMarked
package io.hdrsidecar.sidecar.demo;

import org.jspecify.annotations.NullMarked;
