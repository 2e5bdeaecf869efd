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
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Meters that the application gets when its own cannot be made: one that works in process or, where
 * not even that can be had, one without effect.
 *
 * <p>The application chooses Micrometer's version, and its requests run through our meters. A class
 * or method that its version lacks shows as a {@link LinkageError} in the middle of a request; it
 * must not come any further.
 */
final class Fallbacks {
  private static final String NO_EFFECT = "have no effect";

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
    try {
      return inProcess.get();
    } catch (RuntimeException | LinkageError e) {
      warn(id, NO_EFFECT, e);
      return withoutEffect.get();
    }
  }

  private <M extends Meter> M first(
      Meter.Id id, Supplier<M> sent, Supplier<M> inProcess, Supplier<M> withoutEffect) {
    try {
      return sent.get();
    } catch (RuntimeException | LinkageError e) {
      return inProcess(id, inProcess, withoutEffect, e);
    }
  }

  private <M extends Meter> M inProcess(
      Meter.Id id, Supplier<M> inProcess, Supplier<M> withoutEffect, Throwable cause) {
    M meter;
    try {
      meter = inProcess.get();
    } catch (RuntimeException | LinkageError e) {
      warn(id, NO_EFFECT, cause);
      return withoutEffect.get();
    }
    warn(id, "work in process and are not sent to the sidecar", cause);
    return meter;
  }

  /** Once for a kind of meter and a cause: what fails for one meter fails for the next as well. */
  private void warn(Meter.Id id, String effect, Throwable cause) {
    if (said.add(id.getType() + effect + cause)) {
      logger.log(
          Level.WARNING,
          "meter={0}{1} and others of type {2} that fail as it does {3}: {4}: {5}",
          id.getName(),
          id.getTags(),
          id.getType(),
          effect,
          reason(cause),
          cause);
    }
  }

  /** Only what does not link can be the fault of a version. */
  private static String reason(Throwable cause) {
    return cause instanceof LinkageError
        ? "they need Micrometer 1.13 to 1.17, and this is "
            + Objects.requireNonNullElse(
                MeterRegistry.class.getPackage().getImplementationVersion(),
                "one without a version")
        : "they cannot be made";
  }
}
