package io.hdrsidecar.internal.spring;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import brave.Tracing;
import brave.propagation.ThreadLocalCurrentTraceContext;
import brave.sampler.Sampler;
import io.hdrsidecar.internal.interval.Exemplar;
import io.hdrsidecar.internal.send.TestPeer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.brave.bridge.BraveBaggageManager;
import io.micrometer.tracing.brave.bridge.BraveCurrentTraceContext;
import io.micrometer.tracing.brave.bridge.BraveTracer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationContext;

/** The trace of a slow value, from a real tracer. */
class ExemplarsTest {
  private static Tracer tracer(Sampler sampler) {
    Tracing tracing =
        Tracing.newBuilder()
            .currentTraceContext(ThreadLocalCurrentTraceContext.newBuilder().build())
            .sampler(sampler)
            .build();
    return new BraveTracer(
        tracing.tracer(),
        new BraveCurrentTraceContext(tracing.currentTraceContext()),
        new BraveBaggageManager());
  }

  private static Span recordInASpan(ApplicationContext context) {
    Tracer tracer = context.getBean(Tracer.class);
    Span span = tracer.nextSpan().start();
    try (Tracer.SpanInScope scope = tracer.withSpan(span)) {
      assertThat(scope).isNotNull();
      context.getBean(MeterRegistry.class).timer("calls").record(Duration.ofMillis(7));
    }
    span.end();
    return span;
  }

  @Test
  void valueInASampledSpan_hasItsIds() throws Exception {
    try (TestPeer peer = TestPeer.onTcp()) {
      AtomicReference<Span> span = new AtomicReference<>();
      Applications.sendingTo(peer)
          .withBean(Tracer.class, () -> tracer(Sampler.ALWAYS_SAMPLE))
          .run(context -> span.set(recordInASpan(context)));

      Exemplar exemplar = requireNonNull(requireNonNull(peer.merged("calls")).exemplar());
      TraceContext trace = requireNonNull(span.get()).context();
      assertThat(exemplar.traceId()).isEqualTo(trace.traceId());
      assertThat(exemplar.spanId()).isEqualTo(trace.spanId());
      assertThat(exemplar.value()).isEqualTo(7_000_000);
    }
  }

  @Test
  void valueInASpanThatIsNotSampled_isCounted_andLeadsNowhere() throws Exception {
    try (TestPeer peer = TestPeer.onTcp()) {
      Applications.sendingTo(peer)
          .withBean(Tracer.class, () -> tracer(Sampler.NEVER_SAMPLE))
          .run(ExemplarsTest::recordInASpan);

      assertThat(requireNonNull(peer.merged("calls")).count()).isEqualTo(1);
      assertThat(requireNonNull(peer.merged("calls")).exemplar()).isNull();
    }
  }
}
