package io.hdrsidecar.internal.send;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.record.IntervalSource;
import io.hdrsidecar.internal.record.SeriesRecorder;
import io.hdrsidecar.internal.wire.ClientFigure;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ResourceBundle;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A send loop turned by the test, whose clocks the test turns as well. */
final class SendLoopHarness {
  private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");
  private static final long HOUR_NANOS = 3_600_000_000_000L;
  private static final BucketLayout LAYOUT = BucketLayout.of(1, 3);

  private final RecordingLogger logger = new RecordingLogger();
  private long nanos;
  private Runnable atNextLook = () -> {};
  private final SendConfig config;
  private final StateLog log = new StateLog(logger, () -> nanos());
  private final SendLoop loop;

  SendLoopHarness(String address, Duration interval) {
    this(address, interval, null);
  }

  SendLoopHarness(String address, Duration interval, @Nullable CrashConfig crash) {
    this.config =
        new SendConfig(
            SidecarAddress.parse(address),
            true,
            interval,
            Labels.empty(),
            TokenSource.NONE,
            TlsFiles.NONE,
            Duration.ofSeconds(30),
            Duration.ofMillis(100),
            Duration.ofSeconds(10),
            null,
            crash,
            ((InstantSource) this::instant).withZone(ZoneOffset.UTC),
            () -> nanos,
            new SplittableRandom(1));
    this.loop = new SendLoop(config, () -> Map.of(ClientFigure.OVERFLOWED_LOOKUPS, 7L), log);
  }

  private Instant instant() {
    Runnable meanwhile = atNextLook;
    atNextLook = () -> {};
    meanwhile.run();
    return BEGIN.plusNanos(nanos);
  }

  /** What another thread does while the loop looks at its clock, in the midst of the next turn. */
  void meanwhile(Runnable action) {
    atNextLook = action;
  }

  SeriesRecorder series(String name) {
    SeriesRecorder recorder = new SeriesRecorder(LAYOUT, HOUR_NANOS);
    add(name, recorder);
    return recorder;
  }

  void add(String name, IntervalSource source) {
    loop.add(
        new SeriesDefinition(
            new SeriesKey(name, Labels.empty()), Unit.NANOSECONDS, "", LAYOUT, HOUR_NANOS),
        source);
  }

  SendConfig config() {
    return config;
  }

  StateLog log() {
    return log;
  }

  SendLoop loop() {
    return loop;
  }

  /** Lines logged so far. */
  List<String> logged() {
    return List.copyOf(logger.lines);
  }

  SendFigures figures() {
    return loop.figures();
  }

  long nanos() {
    return nanos;
  }

  /** Time passes, in steps small enough to meet every deadline, and the loop turns at each. */
  void pass(Duration time, Duration step) {
    long end = nanos + time.toNanos();
    while (nanos < end) {
      nanos = Math.min(end, nanos + step.toNanos());
      turn();
    }
  }

  void turn() {
    try {
      loop.turn(false);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Turns, while no time passes by the loop's clock, until the peer has done its part. */
  void turnUntil(String what, BooleanSupplier condition) {
    Await.until(
        what,
        () -> {
          turn();
          return condition.getAsBoolean();
        });
  }

  private static final class RecordingLogger implements System.Logger {
    private final List<String> lines = new ArrayList<>();

    @Override
    public String getName() {
      return "test";
    }

    @Override
    public boolean isLoggable(Level level) {
      return true;
    }

    @Override
    public void log(
        Level level,
        @Nullable ResourceBundle bundle,
        @Nullable String message,
        @Nullable Throwable thrown) {
      lines.add(level + " " + message);
    }

    @Override
    public void log(
        Level level,
        @Nullable ResourceBundle bundle,
        @Nullable String format,
        @Nullable Object... parameters) {
      lines.add(level + " " + format);
    }
  }
}
