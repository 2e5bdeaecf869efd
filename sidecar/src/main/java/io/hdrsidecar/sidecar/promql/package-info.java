/**
 * The grammar of PromQL: text in, a tree of expressions out, with the place of each in the text. It
 * knows what Prometheus' own parser accepts, which is more than is answered here, so that a mistake
 * in writing is told from a query that has no answer. It knows no series and no store.
 */
@NullMarked
package io.hdrsidecar.sidecar.promql;

import org.jspecify.annotations.NullMarked;
