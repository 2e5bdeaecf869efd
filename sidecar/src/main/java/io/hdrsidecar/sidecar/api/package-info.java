/**
 * The HTTP server: {@code /metrics}, {@code /api/v1/...}, {@code /-/healthy}, {@code /-/ready}, and
 * the explorer's files at {@code /}.
 *
 * <p>Input: requests. Output: pages of {@code expose}, answers of {@code query}, and intervals of
 * uploaded logs for {@code merge}. Event loops only read and write sockets here: rendering, queries
 * and parsing run on workers of their own, merging on the merge context in short slices.
 */
@NullMarked
package io.hdrsidecar.sidecar.api;

import org.jspecify.annotations.NullMarked;
