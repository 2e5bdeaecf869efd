/**
 * Finds what is asked for among all that was counted.
 *
 * <p>Input: a selector as in PromQL, a window or a range of time. Output: the series that match and
 * what they counted, joined, whole or step by step. Knows the store, reads its history, and knows
 * no HTTP and no JSON; what has no answer is a {@link io.hdrsidecar.sidecar.query.QueryException}.
 */
@NullMarked
package io.hdrsidecar.sidecar.query;

import org.jspecify.annotations.NullMarked;
