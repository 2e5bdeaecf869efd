package io.hdrsidecar.sidecar.api;

import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.metric.MetricRegistry;
import io.hdrsidecar.sidecar.sla.SlaEvaluator;
import java.util.concurrent.Executor;

/**
 * What a server answers from: parts of its process, which it does not close.
 *
 * @param mergeContext runs tasks where the store may be written
 * @param registry the process' own metrics
 * @param slas evaluates the rules
 * @param heap what those who ask may hold is taken from
 */
public record HttpContext(
    SeriesStore store,
    Executor mergeContext,
    MetricRegistry registry,
    StatusSource status,
    SlaEvaluator slas,
    HeapBudget heap) {}
