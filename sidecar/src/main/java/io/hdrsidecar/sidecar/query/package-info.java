/**
 * Answers questions about what was counted.
 *
 * <p>Input: a selector as in PromQL, a window, a format. Output: the join of all series that match,
 * as JSON, as HdrHistogram's percentile text, or in HdrHistogram's encoding. Knows the store and no
 * HTTP; errors are {@link io.hdrsidecar.sidecar.query.ApiException}.
 */
@NullMarked
package io.hdrsidecar.sidecar.query;

import org.jspecify.annotations.NullMarked;
