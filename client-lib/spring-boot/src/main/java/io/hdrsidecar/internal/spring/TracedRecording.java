package io.hdrsidecar.internal.spring;

import io.hdrsidecar.client.LatencyRecorder;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Records with the trace and span of the thread, if they are sampled: others lead nowhere.
 *
 * <p>The tracer is asked for when all beans are there, as it may need the registry itself.
 */
final class TracedRecording implements ValueRecording, SmartInitializingSingleton {
  private final ObjectProvider<Tracer> tracers;
  private volatile @Nullable Tracer tracer;

  TracedRecording(ObjectProvider<Tracer> tracers) {
    this.tracers = tracers;
  }

  @Override
  public void afterSingletonsInstantiated() {
    tracer = tracers.getIfUnique();
  }

  @Override
  public void accept(LatencyRecorder recorder, long value) {
    Tracer current = tracer;
    Span span = current == null ? null : current.currentSpan();
    if (span == null || !Boolean.TRUE.equals(span.context().sampled())) {
      recorder.record(value);
      return;
    }
    TraceContext trace = span.context();
    recorder.record(value, trace.traceId(), trace.spanId());
  }
}
