package io.hdrsidecar.internal.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hdrsidecar.internal.crash.CrashArea;
import io.hdrsidecar.internal.crash.CrashFolder;
import io.hdrsidecar.internal.crash.CrashSeries;
import io.hdrsidecar.internal.crash.PickupReader;
import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.record.IntervalSource;
import io.hdrsidecar.internal.record.SeriesRecorder;
import io.hdrsidecar.internal.spill.SpillClaim;
import io.hdrsidecar.internal.spill.SpillContents;
import io.hdrsidecar.internal.spill.SpillFile;
import io.hdrsidecar.internal.spill.SpillFolder;
import io.hdrsidecar.internal.spill.SpillLimits;
import io.hdrsidecar.internal.spill.SpillVisitor;
import io.hdrsidecar.internal.wire.ClientFigure;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  /** A bucket that counts a billion values a second for longer than a counter can. */
  private static final class Flood implements IntervalSource {
    private static final int TIMES = 1 << 30;
    private final CrashSeries series;
    private long counted;

    Flood(CrashSeries series) {
      this.series = series;
    }

    @Override
    public long harvestInto(Accumulation target) {
      CrashArea area = Objects.requireNonNull(series.shared());
      area.countShared(area.createPage(0), 7, 7, TIMES);
      target.counts().add(7, TIMES);
      target.sum().add(7L * TIMES);
      target.widen(7, 7);
      counted += TIMES;
      return TIMES;
    }

    @Override
    public CrashSeries crashSeries() {
      return series;
    }
  }

  @ParameterizedTest(name = "interval of {0} s")
  @ValueSource(ints = {1, 5})
  void values_thatWaitBeyondWhatACounterHolds_areAllInTheFile(int seconds) throws IOException {
    CrashConfig crash = new CrashConfig(new CrashFolder(new SpillFolder(memory), 4 << 20), false);
    String nobody = "unix://" + directory.resolve("nobody.sock");
    SendLoopHarness harness = new SendLoopHarness(nobody, Duration.ofSeconds(seconds), crash);
    SeriesDefinition definition =
        new SeriesDefinition(
            new SeriesKey("flood", Labels.empty()), Unit.NANOSECONDS, "", FINE, HIGHEST);
    Flood flood = new Flood(Objects.requireNonNull(harness.loop().crashSeries(definition)));
    harness.loop().add(definition, flood);

    harness.pass(Duration.ofSeconds(23), TURN);

    assertThat(flood.counted).isGreaterThan(5L << 32);
    assertThat(valuesLeft()).isEqualTo(flood.counted);
  }

  /** Of a second part it counts a bucket that is not in the file, so that this cannot be framed. */
  private static final class Unframable implements IntervalSource {
    private static final int BUCKETS = 6_000;
    private final CrashSeries series;
    private boolean isHarvested;

    Unframable(CrashSeries series) {
      this.series = series;
    }

    @Override
    public long harvestInto(Accumulation target) {
      if (isHarvested) {
        return 0;
      }
      isHarvested = true;
      CrashArea area = Objects.requireNonNull(series.shared());
      for (int bucket = 0; bucket < BUCKETS; bucket++) {
        area.countShared(area.createPage(bucket >> 8), bucket, bucket, 1);
        target.counts().add(bucket, 1);
        target.sum().add(bucket);
      }
      target.counts().add(100_000, 1);
      target.sum().add(100_000);
      target.widen(0, 100_000);
      return BUCKETS + 1;
    }

    @Override
    public CrashSeries crashSeries() {
      return series;
    }
  }

  /** As without memory: the first part is in the file, and made anew with the others. */
  @Test
  void interval_whoseSecondPartCannotBeFramed_isDeliveredOnceAndNotLeftAsWell() throws IOException {
    CrashConfig crash = new CrashConfig(new CrashFolder(new SpillFolder(memory), 32 << 20), false);
    try (TestPeer peer = TestPeer.onUnixSocket(directory.resolve("sidecar.sock"))) {
      SendLoopHarness harness = new SendLoopHarness(peer.address(), Duration.ofSeconds(1), crash);
      harness.turnUntil("connection", () -> harness.figures().connected());
      SeriesDefinition definition =
          new SeriesDefinition(
              new SeriesKey("half", Labels.empty()), Unit.NANOSECONDS, "", FINE, HIGHEST);
      Unframable source =
          new Unframable(Objects.requireNonNull(harness.loop().crashSeries(definition)));
      harness.loop().add(definition, source);

      Throwable failure = catchThrowable(() -> harness.pass(Duration.ofSeconds(1), TURN));

      assertThat(failure).hasMessageContaining("was never counted in the file");
      assertThat(onlyFile()).doesNotExist();
      harness.loop().onFailure(failure);
      harness.pass(Duration.ofSeconds(1), TURN);
      harness.turnUntil("delivery", () -> peer.mergedValues() == Unframable.BUCKETS + 1);
      assertThat(harness.logged()).anyMatch(line -> line.contains("goes on without a crash file"));
    }
  }

  /** A sidecar may read it, and is to tell people if it cannot. */
  @Test
  void run_onAFileOfANewerVersion_leavesItWhereItIs() throws IOException {
    CrashConfig crash = new CrashConfig(new CrashFolder(new SpillFolder(memory), 4 << 20), true);
    String nobody = "unix://" + directory.resolve("nobody.sock");
    SendLoopHarness harness = new SendLoopHarness(nobody, Duration.ofSeconds(1), crash);
    Path theirs = copyAsOfAnother();
    try (FileChannel channel = FileChannel.open(theirs, StandardOpenOption.WRITE)) {
      ByteBuffer version = ByteBuffer.allocate(4).order(ByteOrder.nativeOrder()).putInt(0, 99);
      channel.write(version, 8);
    }

    try (SpillClaim claim = new SpillFolder(directory).claim().orElseThrow()) {
      new SpillReplay(theirs, harness.config(), harness.log()).run(claim, () -> false);
    }

    assertThat(theirs).exists();
    assertThat(harness.logged())
        .anyMatch(line -> line.contains("left to the sidecar") && line.contains("99"));
  }

  private Path copyAsOfAnother() throws IOException {
    String ours = String.valueOf(onlyFile().getFileName());
    Path theirs = directory.resolve(ours.replaceAll("-[0-9a-f]+\\.hdr", "-fedcba9876543210.hdr"));
    return Files.copy(onlyFile(), theirs);
  }

  /** As who comes after this process finds them. */
  private long valuesLeft() throws IOException {
    Path theirs = copyAsOfAnother();
    try (SpillClaim claim = new SpillFolder(directory).claim().orElseThrow();
        SpillFile file = claim.open(theirs)) {
      SpillLimits limits = SpillLimits.of(1 << 30, 1 << 24, 1 << 20, 1 << 20);
      SpillContents left = PickupReader.read(file, limits, Long.MAX_VALUE, new Ignoring());
      assertThat(left.damage()).isEmpty();
      return left.values();
    }
  }

  /** What counts is the number of values. */
  private static final class Ignoring implements SpillVisitor {
    @Override
    public void series(int id, SeriesDefinition definition) {}

    @Override
    public void interval(
        InstanceId instance, long sequence, int seriesId, long values, byte[] frame) {}

    @Override
    public void tooLarge(InstanceId instance, long sequence, int seriesId) {}
  }

  private Path onlyFile() {
    try (Stream<Path> files = Files.list(memory)) {
      return files.findAny().orElse(memory.resolve("none"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
