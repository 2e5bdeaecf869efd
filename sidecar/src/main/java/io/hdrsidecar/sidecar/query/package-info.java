/**
 * Answers questions about what was counted.
 *
 * <p>Input: a selector as in PromQL, a window or a range of time, a format. Output: the join of all
 * series that match, whole or step by step, as JSON or as HdrHistogram writes it. Knows the store,
 * reads its history, and knows no HTTP; errors are {@link
 * io.hdrsidecar.sidecar.query.ApiException}.
 */
@NullMarked
package io.hdrsidecar.sidecar.query;

import org.jspecify.annotations.NullMarked;
