/**
 * HTTP/2 for servers that take requests of one message each, as gRPC's.
 *
 * <p>Input: connections that begin with its preface, on a port of HTTP/1. Output: requests, each
 * with its headers, its body piece by piece, and a way to answer. Streams, headers and frames are
 * limited, so that peers cannot make it hold much, and counted where HTTP/1 is. Bodies are read at
 * once and limited by the code that takes them.
 */
@NullMarked
package io.hdrsidecar.sidecar.http2;

import org.jspecify.annotations.NullMarked;
