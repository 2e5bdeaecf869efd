package io.hdrsidecar.internal.record;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.openjdk.jol.info.GraphLayout;

class SeriesRecorderMemoryTest {
  private static final long ONE_HOUR = TimeUnit.HOURS.toNanos(1);
  private static final BucketLayout LAYOUT = BucketLayout.of(1, 3);
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** Object headers differ between JVMs; on HotSpot 17 both figures are equal. */
  private static final Percentage OTHER_JVMS = Percentage.withPercentage(10);

  private final SeriesRecorder recorder = new SeriesRecorder(LAYOUT, ONE_HOUR);

  /** What goes when the recorder goes: without what it shares with others. */
  private static long measuredBytes(SeriesRecorder recorder) {
    SeriesRecorder other = new SeriesRecorder(LAYOUT, ONE_HOUR);
    return GraphLayout.parseInstance(other, recorder).totalSize()
        - GraphLayout.parseInstance(other).totalSize();
  }

  @Test
  void allocatedBytes_unused_isWhatTheHeapHolds_atMost2KiB() {
    assertThat(recorder.allocatedBytes()).isCloseTo(measuredBytes(recorder), OTHER_JVMS);
    assertThat(recorder.allocatedBytes()).isLessThanOrEqualTo(2 << 10);
  }

  @Test
  void allocatedBytes_spreadOfAWebService_isWhatTheHeapHolds_atMost64KiB()
      throws InterruptedException {
    RecordedValues values = RecordedValues.logNormal(LAYOUT, ONE_HOUR, 1_000_000, 1);
    Thread thread = new Thread(() -> values.recordInto(recorder));
    thread.start();
    thread.join();
    recorder.harvestInto(new Accumulation(LAYOUT)); // lets go of the thread, which is not its own

    assertThat(recorder.allocatedBytes()).isCloseTo(measuredBytes(recorder), OTHER_JVMS);
    assertThat(recorder.allocatedBytes()).isLessThanOrEqualTo(64 << 10);
  }

  @Test
  void recordAndHarvest_afterWarmUp_allocateNothing() {
    RecordedValues values = RecordedValues.logNormal(LAYOUT, ONE_HOUR, 10_000, 1);
    Accumulation target = new Accumulation(LAYOUT);
    long allocated = 0;
    for (int round = 0; round < 50; round++) {
      long before = THREADS.getCurrentThreadAllocatedBytes();
      values.recordInto(recorder);
      target.clear();
      recorder.harvestInto(target);
      allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
    }

    assertThat(allocated).isZero();
  }
}
