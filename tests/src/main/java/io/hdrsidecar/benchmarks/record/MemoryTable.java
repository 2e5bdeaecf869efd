package io.hdrsidecar.benchmarks.record;

import com.datadoghq.sketch.ddsketch.DDSketch;
import com.datadoghq.sketch.ddsketch.DDSketches;
import io.hdrsidecar.benchmarks.BenchmarkGroup;
import io.hdrsidecar.benchmarks.Effort;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.record.SeriesRecorder;
import java.util.Locale;
import java.util.function.LongConsumer;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.openjdk.jol.info.GraphLayout;

/** Group {@code memory}: what a series holds on the heap. */
public final class MemoryTable implements BenchmarkGroup {
  private static final String RECORDER = "HdrHistogram Recorder and its interval histogram, ";

  @Override
  public String name() {
    return "memory";
  }

  @Override
  public String about() {
    return "Bytes on the heap of one series at 3 digits, 1 ns to 1 h, measured by JOL: unused, and"
        + " after a million log-normal latencies around 1 ms from one thread.";
  }

  @Override
  public String measure(Effort effort) {
    StringBuilder table = new StringBuilder("| design | unused | used |\n|---|---|---|\n");
    SeriesRecorder ours = new SeriesRecorder(BucketLayout.of(1, 3), Latencies.HIGHEST);
    append(table, "**hdr-sidecar SeriesRecorder**", ours::record, ours);
    Recorder fixed = new Recorder(1, Latencies.HIGHEST, 3);
    append(table, RECORDER + "fixed range", fixed::recordValue, fixed, recycled(fixed));
    Recorder auto = new Recorder(3);
    append(table, RECORDER + "auto-resize", auto::recordValue, auto, recycled(auto));
    DDSketch sketch = DDSketches.unboundedDense(0.01);
    append(table, "DDSketch, 1 %", value -> sketch.accept((double) value), sketch);
    return table.toString();
  }

  private static Histogram recycled(Recorder recorder) {
    return recorder.getIntervalHistogram();
  }

  private static void append(
      StringBuilder table, String label, LongConsumer recording, Object... held) {
    long unused = bytes(held);
    for (long value : Latencies.logNormal(1_000_000, 1)) {
      recording.accept(value);
    }
    table.append(String.format(Locale.ROOT, "| %s | %,d | %,d |%n", label, unused, bytes(held)));
  }

  private static long bytes(Object... held) {
    return GraphLayout.parseInstance(held).totalSize();
  }
}
