package io.hdrsidecar.sidecar.evaluation;

import io.hdrsidecar.sidecar.promql.ValueType;
import java.util.List;

/**
 * What a query gives.
 *
 * @param type of an instant query that of the expression; of a range query {@link ValueType#MATRIX}
 * @param timeMillis of an instant query
 * @param scalar if that is the type
 * @param text if that is a string
 * @param series of vectors and matrices; of a vector with one sample each
 * @param annotations to be said beside it
 */
public record EvaluatedResult(
    ValueType type,
    long timeMillis,
    double scalar,
    String text,
    List<ResultSeries> series,
    Annotations annotations) {}
