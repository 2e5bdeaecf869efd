package io.hdrsidecar.internal.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hdrsidecar.internal.crash.CrashFolder;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.record.SeriesRecorder;
import io.hdrsidecar.internal.spill.SpillFolder;
import io.hdrsidecar.internal.wire.ClientFigure;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client with a crash file delivers what it would without. */
class CrashLogTest {
  private static final Path MEMORY = Path.of("/dev/shm");
  private static final Duration TURN = Duration.ofMillis(100);
  private static final BucketLayout FINE = BucketLayout.of(1, 5);
  private static final long HIGHEST = 1L << 40;

  private final Path directory;
  private final AtomicLong overflowed = new AtomicLong();
  private Path memory = MEMORY;

  CrashLogTest(@TempDir Path directory) {
    this.directory = directory;
  }

  @BeforeEach
  void create() throws IOException {
    assumeTrue(Files.isWritable(MEMORY), "no " + MEMORY);
    memory = Files.createTempDirectory(MEMORY, "hdr-sidecar-test");
  }

  @AfterEach
  void delete() throws IOException {
    if (!memory.equals(MEMORY)) {
      Files.deleteIfExists(onlyFile());
      Files.delete(memory);
    }
  }

  private SeriesRecorder series(SendLoopHarness harness, String name) {
    SeriesDefinition definition =
        new SeriesDefinition(
            new SeriesKey(name, Labels.empty()), Unit.NANOSECONDS, "", FINE, HIGHEST);
    SeriesRecorder recorder =
        new SeriesRecorder(
            FINE,
            HIGHEST,
            Objects.requireNonNull(harness.loop().crashSeries(definition)),
            lost -> overflowed.incrementAndGet());
    harness.loop().add(definition, recorder);
    return recorder;
  }

  @Test
  void interval_thatTheOutboxCannotHold_isDeliveredInPartsAndHoldsUpNobody() throws IOException {
    CrashConfig crash = new CrashConfig(new CrashFolder(new SpillFolder(memory), 32 << 20), false);
    try (TestPeer peer = TestPeer.onUnixSocket(directory.resolve("sidecar.sock"))) {
      SendLoopHarness harness = new SendLoopHarness(peer.address(), Duration.ofSeconds(1), crash);
      harness.turnUntil("connection", () -> harness.figures().connected());
      SeriesRecorder large = series(harness, "large");
      SeriesRecorder small = series(harness, "small");
      SplittableRandom random = new SplittableRandom(1);
      long values = 1;
      for (int bucket = 0; bucket < 1 << 18; bucket++) { // 6 bits each, however they are deflated
        for (int times = 1 + random.nextInt(64); times > 0; times--) {
          large.record(bucket);
          values++;
        }
      }
      small.record(1);

      harness.pass(Duration.ofSeconds(1), TURN);
      long all = values;
      harness.turnUntil("delivery", () -> peer.mergedValues() == all);

      assertThat(overflowed).hasValue(0);
      harness.turnUntil(
          "answers",
          () ->
              harness.figures().of(ClientFigure.ACKNOWLEDGED_INTERVALS)
                  == harness.figures().of(ClientFigure.SENT_INTERVALS));
      assertThat(harness.figures().pendingValues()).isZero();
      harness.loop().close(harness.nanos() + Duration.ofSeconds(5).toNanos());
      harness.turnUntil("end", () -> Files.notExists(onlyFile()));
    }
  }

  private Path onlyFile() {
    try (Stream<Path> files = Files.list(memory)) {
      return files.findAny().orElse(memory.resolve("none"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
