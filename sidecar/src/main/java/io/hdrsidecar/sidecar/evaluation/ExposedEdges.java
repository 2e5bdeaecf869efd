package io.hdrsidecar.sidecar.evaluation;

import io.hdrsidecar.series.Unit;
import java.util.List;
import java.util.function.Function;

/**
 * What decides which series Prometheus would see of one of ours.
 *
 * @param quantiles of the window gauges
 * @param ofUnit edges of the classic buckets, in the base unit
 */
public record ExposedEdges(List<Double> quantiles, Function<Unit, List<Double>> ofUnit) {}
