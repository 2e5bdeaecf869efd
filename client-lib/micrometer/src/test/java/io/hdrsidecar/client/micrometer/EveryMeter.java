package io.hdrsidecar.client.micrometer;

import io.hdrsidecar.client.ClientConfig;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.LongTaskTimer;
import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Statistic;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What an application may ask a registry for, each once. */
public final class EveryMeter implements Runnable {
  @Override
  public void run() {
    MeterRegistry registry =
        HdrSidecarMeterRegistry.create(
            ClientConfig.builder().enabled(false).shutdownHook(false).build());
    for (String tag : new String[] {"1", "2"}) {
      Timer timer = registry.timer("timer", "n", tag);
      timer.record(Duration.ofMillis(1));
      timer.takeSnapshot();
      DistributionSummary.builder("summary").tag("n", tag).register(registry).record(1.5);
      LongTaskTimer.Sample task = LongTaskTimer.builder("task").register(registry).start();
      task.duration(TimeUnit.SECONDS);
      task.stop();
      registry.counter("counter", "n", tag).increment();
    }
    Gauge.builder("gauge", () -> 1).register(registry).value();
    FunctionCounter.builder("calls", this, any -> 1).register(registry).count();
    FunctionTimer.builder("times", this, any -> 1, any -> 1, TimeUnit.SECONDS)
        .register(registry)
        .count();
    Meter.builder("own", Meter.Type.OTHER, List.of(new Measurement(() -> 1.0, Statistic.VALUE)))
        .register(registry)
        .measure();
    registry.getMeters().forEach(registry::remove);
    registry.close();
  }
}
