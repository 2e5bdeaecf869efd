/**
 * What comes by OTLP over HTTP and gRPC: histograms, merged as intervals, and where they are kept
 * sums and gauges, as families of the page.
 *
 * <p>Input: requests of {@code POST /v1/metrics} in protobuf or JSON, and calls of gRPC's service.
 * Output: what each histogram has counted since its last point, merged into the store before the
 * request is answered, and counters of all that was not kept, by reason. One worker thread takes
 * requests one after another; nothing of this package is loaded where OTLP is off.
 */
@NullMarked
package io.hdrsidecar.sidecar.otlp;

import org.jspecify.annotations.NullMarked;
