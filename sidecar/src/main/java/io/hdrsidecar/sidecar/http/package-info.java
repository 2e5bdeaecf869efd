/**
 * A server that is limited and closed to strangers: connections, bodies, failures. The API, the
 * webhook and OTLP are servers of this kind. Event loop of the server.
 *
 * <p>HTTP/1 is read by Vert.x, and HTTP/2, where a server takes it, by Netty's codec: a stream is a
 * request, with its headers, its body piece by piece, and a way to answer. Streams, headers and
 * frames are limited, and what they hold is counted as for HTTP/1.
 */
@NullMarked
package io.hdrsidecar.sidecar.http;

import org.jspecify.annotations.NullMarked;
