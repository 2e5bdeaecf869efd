package io.hdrsidecar.client.micrometer;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.LongTaskTimer;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.noop.NoopDistributionSummary;
import io.micrometer.core.instrument.noop.NoopLongTaskTimer;
import io.micrometer.core.instrument.noop.NoopTimer;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * What the application gets when a meter cannot be made: one that works in process or, where not
 * even that can be had, one without effect.
 *
 * <p>The application chooses Micrometer's version, and its requests run through our meters. A class
 * or method that its version lacks shows as a {@link LinkageError} in the middle of a request; it
 * must not come any further.
 */
final class Fallbacks {
  private final Clock clock;
  private final Logger logger;
  private final Set<String> said = ConcurrentHashMap.newKeySet();

  Fallbacks(Clock clock, Logger logger) {
    this.clock = clock;
    this.logger = logger;
  }

  Timer timer(Meter.Id id, Supplier<Timer> sent) {
    return first(
        id,
        sent,
        () -> Timer.builder(id.getName()).tags(id.getTags()).register(inProcess()),
        () -> new NoopTimer(id));
  }

  DistributionSummary summary(Meter.Id id, double scale, Supplier<DistributionSummary> sent) {
    return first(
        id,
        sent,
        () ->
            DistributionSummary.builder(id.getName())
                .tags(id.getTags())
                .baseUnit(id.getBaseUnit())
                .scale(scale)
                .register(inProcess()),
        () -> new NoopDistributionSummary(id));
  }

  LongTaskTimer longTaskTimer(Meter.Id id, Supplier<LongTaskTimer> sent) {
    return first(
        id,
        sent,
        () -> LongTaskTimer.builder(id.getName()).tags(id.getTags()).register(inProcess()),
        () -> new NoopLongTaskTimer(id));
  }

  private MeterRegistry inProcess() {
    return InProcess.registry(clock);
  }

  /** Apart, since the JVM looks for a class returned as another when it verifies who does so. */
  private static final class InProcess {
    /** A registry for one meter: all of it is public and was there in every version so far. */
    static MeterRegistry registry(Clock clock) {
      return new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
    }
  }

  /**
   * A meter that is not sent in any case. Name the interface when calling it: of a lambda that
   * returns a class, the JVM loads that class already when it verifies who calls.
   */
  <M extends Meter> M other(Meter.Id id, Supplier<M> inProcess, Supplier<M> withoutEffect) {
    return attempt(id, inProcess, withoutEffect);
  }

  private <M extends Meter> M first(
      Meter.Id id, Supplier<M> sent, Supplier<M> inProcess, Supplier<M> withoutEffect) {
    return attempt(id, sent, () -> attempt(id, inProcess, withoutEffect));
  }

  private <M extends Meter> M attempt(Meter.Id id, Supplier<M> wanted, Supplier<M> otherwise) {
    try {
      return wanted.get();
    } catch (RuntimeException | LinkageError e) {
      warn(id, e);
      return otherwise.get();
    }
  }

  /** Once for a kind of meter and a cause: what fails for one meter fails for the next as well. */
  private void warn(Meter.Id id, Throwable cause) {
    if (said.add(id.getType() + " " + cause)) {
      logger.log(
          Level.WARNING,
          "meter={0}{1} and others of type {2} are not sent to the sidecar: Micrometer {3} is"
              + " supported from 1.13 to 1.17, and with this one they cannot be made: {4}",
          id.getName(),
          id.getTags(),
          id.getType(),
          MeterRegistry.class.getPackage().getImplementationVersion(),
          cause);
    }
  }
}
