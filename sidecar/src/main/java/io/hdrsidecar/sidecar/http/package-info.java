/**
 * A server that is limited and closed to strangers: connections, bodies, failures. The API and the
 * webhook are servers of this kind. Event loop of the server.
 */
@NullMarked
package io.hdrsidecar.sidecar.http;

import org.jspecify.annotations.NullMarked;
