/**
 * Answers the queries of the API: what each is asked, and its answer as JSON or as HdrHistogram
 * writes it.
 *
 * <p>Input: the parameters of a query, and what {@code query} finds. Output: the body of an answer
 * in blocks, each of which is claimed before it is filled, and the headers that say what a body has
 * no place for. Knows no request and no status code; what has no answer is a {@link
 * io.hdrsidecar.sidecar.query.QueryException}.
 */
@NullMarked
package io.hdrsidecar.sidecar.answer;

import org.jspecify.annotations.NullMarked;
