package io.hdrsidecar.internal.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hdrsidecar.internal.crash.CrashArea;
import io.hdrsidecar.internal.crash.CrashFile;
import io.hdrsidecar.internal.crash.CrashFolder;
import io.hdrsidecar.internal.crash.CrashSeries;
import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.PagedCounts;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.spill.SpillFolder;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Counters in a file are harvested as those on the heap are. */
class MappedRecorderTest {
  private static final Path MEMORY = Path.of("/dev/shm");
  private static final long ONE_HOUR = TimeUnit.HOURS.toNanos(1);
  private static final BucketLayout LAYOUT = BucketLayout.of(1, 3);

  private final ExecutorService other = Executors.newSingleThreadExecutor();
  private final AtomicLong overflowed = new AtomicLong();
  private CrashFile file;
  private SeriesRecorder recorder;

  @BeforeEach
  void create() throws IOException {
    assumeTrue(Files.isWritable(MEMORY), "no " + MEMORY);
    Path folder = Files.createTempDirectory(MEMORY, "hdr-sidecar-test");
    file =
        CrashFile.create(
            new CrashFolder(new SpillFolder(folder), 16 << 20),
            InstanceId.random(),
            Labels.empty(),
            1_000,
            0);
    Files.delete(file.path()); // What is mapped stays.
    Files.delete(folder);
    recorder = recorder("a");
  }

  private SeriesRecorder recorder(String name) {
    return new SeriesRecorder(LAYOUT, ONE_HOUR, series(name), lost -> overflowed.incrementAndGet());
  }

  private CrashSeries series(String name) {
    SeriesDefinition definition =
        new SeriesDefinition(
            new SeriesKey(name, Labels.empty()), Unit.NANOSECONDS, "", LAYOUT, ONE_HOUR);
    return Objects.requireNonNull(file.series(definition, 0));
  }

  @AfterEach
  void end() {
    other.shutdownNow();
    if (file != null) {
      file.close();
    }
  }

  @Test
  void harvestInto_ownersAndOthers_equalsTheRawList() throws Exception {
    RecordedValues mine = RecordedValues.logNormal(LAYOUT, ONE_HOUR, 300_000, 1);
    RecordedValues theirs = RecordedValues.logNormal(LAYOUT, ONE_HOUR, 300_000, 2);
    Accumulation total = new Accumulation(LAYOUT);
    Accumulation alone = new Accumulation(LAYOUT);
    mine.recordInto(recorder);
    recorder.harvestInto(alone);
    mine.assertEqualTo(alone);

    Future<?> recording = other.submit(() -> theirs.recordInto(recorder));
    while (!recording.isDone()) {
      recorder.snapshotInto(new Accumulation(LAYOUT));
      recorder.harvestInto(total);
    }
    recording.get();
    recorder.harvestInto(total);

    theirs.assertEqualTo(total);
    assertThat(recorder.harvestInto(total)).isZero();
    assertThat(overflowed).hasValue(0);
  }

  /** docs/crash-safe.md states it. */
  @Test
  void usedBytes_ofASeries_are3KiBAndTwicePagesOf1KiBForItsFirstThread() {
    int before = file.usedBytes();
    SeriesRecorder another = recorder("another");
    assertThat(file.usedBytes() - before).isLessThanOrEqualTo(2 << 10);
    RecordedValues values = RecordedValues.logNormal(LAYOUT, ONE_HOUR, 100_000, 1);
    values.recordInto(another);
    Accumulation harvested = new Accumulation(LAYOUT);
    another.harvestInto(harvested);
    Set<Integer> pages = new HashSet<>();
    harvested.counts().forEach((index, count) -> pages.add(index >>> AtomicPage.BITS));

    int used = file.usedBytes() - before;

    System.out.printf(
        "memory of a series: %d bytes in the file, %d ranges of 256 buckets, %d bytes on the heap%n",
        used, pages.size(), another.allocatedBytes());
    assertThat(used).isBetween(pages.size() * 2 * 1_088, (3 << 10) + pages.size() * 2 * 1_088);
    assertThat(another.allocatedBytes()).isLessThan((5 << 10) + pages.size() * 1_100L);
  }

  /** As with a thread for each request: each owns counters, waits, and ends after the next came. */
  @Test
  void harvestInto_ownersThatGiveWayAndEnd_leaveTheirPlaceInTheFile() throws Exception {
    Accumulation total = new Accumulation(LAYOUT);
    int usedByFew = 0;
    int generations = 60;
    for (int generation = 0; generation < generations; generation++) {
      CountDownLatch recorded = new CountDownLatch(1);
      CountDownLatch mayEnd = new CountDownLatch(1);
      Thread owner =
          new Thread(
              () -> {
                recorder.record(1_000);
                recorded.countDown();
                try {
                  mayEnd.await();
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              });
      owner.start();
      recorded.await();
      for (int interval = 0; interval < 2; interval++) {
        recorder.add(77, OwnedValues.CAPACITY); // as all other threads do
        recorder.harvestInto(total);
      }
      mayEnd.countDown();
      owner.join();
      usedByFew = generation == 10 ? file.usedBytes() : usedByFew;
    }
    recorder.harvestInto(total);

    assertThat(file.usedBytes()).isEqualTo(usedByFew);
    assertThat(total.count()).isEqualTo(generations * (2L * OwnedValues.CAPACITY + 1));
    assertThat(total.counts().countAt(LAYOUT.indexOf(1_000))).isEqualTo(generations);
    assertThat(overflowed).hasValue(0);
  }

  /** A harvest that comes while a copy is made must not have it take more from less. */
  @Test
  void copy_whileAHarvestIsUnderWay_hasNoMoreThanWasCounted() {
    CrashArea area = Objects.requireNonNull(series("copied").shared());
    MappedCounts counts = new MappedCounts(area);
    int page = area.createPage(0);
    area.countShared(page, 200, 200, 7);
    counts.drain(0, new PagedCounts(LAYOUT), new HarvestTally());
    area.countShared(page, 3, 3, 1);
    PagedCounts copied = new PagedCounts(LAYOUT);

    counts.copy(
        copied,
        new HarvestTally() {
          @Override
          void add(long added, int low, int high) {
            if (low == 3) {
              area.countShared(page, 200, 200, 7);
              counts.drain(0, new PagedCounts(LAYOUT), new HarvestTally());
            }
          }
        });

    assertThat(copied.countAt(3)).isEqualTo(1);
    assertThat(copied.countAt(200)).isLessThanOrEqualTo(7);
  }

  @Test
  void record_ofARecorderMadeWhileTheFileWasFull_isInTheFileOnceThereIsRoom() {
    CrashSeries early = series("early");
    fill();
    SeriesRecorder late =
        new SeriesRecorder(LAYOUT, ONE_HOUR, early, lost -> overflowed.incrementAndGet());
    Accumulation harvested = new Accumulation(LAYOUT);
    late.add(5, 2);
    assertThat(late.harvestInto(harvested)).isZero();
    assertThat(overflowed).hasValue(2);

    for (int attempt = 0; attempt < 100 && file.isFull(); attempt++) {
      System.gc();
      file.alive(0);
    }
    assertThat(file.isFull()).isFalse();
    assertThat(late.harvestInto(harvested)).isZero();
    late.add(7, 3);

    assertThat(late.harvestInto(harvested)).isEqualTo(3);
    assertThat(harvested.counts().countAt(LAYOUT.indexOf(7))).isEqualTo(3);
    assertThat(overflowed).hasValue(2);
  }

  /** With a series that nobody can reach after that. */
  private void fill() {
    CrashSeries filler = series("filler");
    CrashArea area = filler.owned();
    while (area != null) {
      for (int page = 0; page < area.pages(); page++) {
        area.createPage(page);
      }
      area = filler.owned();
    }
    file.alive(0);
    assertThat(file.isFull()).isTrue();
  }

  /** A file has room for a thousand areas of a series; each start of a pool must not cost one. */
  @Test
  void ownedBy_manyThreadsAtOnce_makesCountersForOne() throws Exception {
    int threads = 8;
    int stripes = 300;
    CrashSeries series = series("many");
    int before = file.usedBytes();
    int usedByOne = usedByOne(series);
    ExecutorService all = Executors.newFixedThreadPool(threads);
    try {
      for (int i = 1; i < stripes; i++) {
        MappedStripe stripe = new MappedStripe(LAYOUT, series);
        CyclicBarrier start = new CyclicBarrier(threads);
        List<Callable<OwnerSlot>> asking =
            Collections.nCopies(
                threads,
                () -> {
                  start.await();
                  return stripe.ownedBy(Thread.currentThread());
                });
        int owners = 0;
        for (Future<OwnerSlot> asked : all.invokeAll(asking)) {
          owners += asked.get() == null ? 0 : 1;
        }
        assertThat(owners).isEqualTo(1);
      }
    } finally {
      all.shutdownNow();
    }

    assertThat(file.usedBytes() - before).isEqualTo(stripes * usedByOne);
  }

  private int usedByOne(CrashSeries series) {
    int before = file.usedBytes();
    assertThat(new MappedStripe(LAYOUT, series).ownedBy(Thread.currentThread())).isNotNull();
    return file.usedBytes() - before;
  }
}
