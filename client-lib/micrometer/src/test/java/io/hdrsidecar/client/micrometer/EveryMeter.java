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
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * What an application may ask a registry for. The result says by the meter's name what each counts,
 * or holds, after one use: 1 where it works, 0 where it has no effect.
 */
public final class EveryMeter implements Supplier<Map<String, Double>> {
  @Override
  public Map<String, Double> get() {
    MeterRegistry registry =
        HdrSidecarMeterRegistry.create(
            ClientConfig.builder().enabled(false).shutdownHook(false).build());
    Map<String, Double> used = new TreeMap<>();
    for (String tag : new String[] {"1", "2"}) {
      Timer timer = registry.timer("timer", "n", tag);
      timer.record(Duration.ofMillis(1));
      used.put("timer " + tag, (double) timer.takeSnapshot().count());
      DistributionSummary summary =
          DistributionSummary.builder("summary").tag("n", tag).register(registry);
      summary.record(1.5);
      used.put("summary " + tag, (double) summary.count());
      registry.counter("counter", "n", tag).increment();
      used.put("counter " + tag, registry.counter("counter", "n", tag).count());
    }
    LongTaskTimer tasks = LongTaskTimer.builder("task").register(registry);
    LongTaskTimer.Sample task = tasks.start();
    used.put("task", (double) tasks.activeTasks());
    task.duration(TimeUnit.SECONDS);
    task.stop();
    used.put("gauge", Gauge.builder("gauge", () -> 1).register(registry).value());
    used.put("calls", FunctionCounter.builder("calls", this, any -> 1).register(registry).count());
    used.put(
        "times",
        FunctionTimer.builder("times", this, any -> 1, any -> 1, TimeUnit.SECONDS)
            .register(registry)
            .count());
    double own = 0;
    for (Measurement measurement :
        Meter.builder("own", Meter.Type.OTHER, List.of(new Measurement(() -> 1.0, Statistic.VALUE)))
            .register(registry)
            .measure()) {
      own += measurement.getValue();
    }
    used.put("own", own);
    registry.getMeters().forEach(registry::remove);
    registry.close();
    return used;
  }
}
