package io.hdrsidecar.client.micrometer;

import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.client.LatencyRecorder;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ObjLongConsumer;

/**
 * The recorders that meters record into, each removed from the client with its last meter.
 *
 * <p>Two meters can lead to one series, as {@code a.b} and {@code a_b} do; their values are counted
 * together, and removing one must not end the other. Opening and closing take a lock; recording
 * does not.
 */
final class SharedRecorders {
  private final HdrSidecarClient client;
  private final ObjLongConsumer<LatencyRecorder> recording;
  private final Map<LatencyRecorder, Integer> users = new HashMap<>();

  SharedRecorders(HdrSidecarClient client, ObjLongConsumer<LatencyRecorder> recording) {
    this.client = client;
    this.recording = recording;
  }

  /**
   * A way into the series.
   *
   * @throws IllegalArgumentException when the client refuses the series, saying why
   */
  synchronized SeriesOutput open(MeterSeries series) {
    LatencyRecorder recorder = client.recorder(series.name(), series.labels(), series.config());
    users.merge(recorder, 1, Integer::sum);
    return new Output(recorder, series.unitsPerAmount());
  }

  private synchronized void release(LatencyRecorder recorder) {
    if (users.computeIfPresent(recorder, (key, count) -> count == 1 ? null : count - 1) == null) {
      client.remove(recorder);
    }
  }

  private final class Output implements SeriesOutput {
    private final LatencyRecorder recorder;
    private final double unitsPerAmount;
    private final AtomicBoolean closed = new AtomicBoolean();

    Output(LatencyRecorder recorder, double unitsPerAmount) {
      this.recorder = recorder;
      this.unitsPerAmount = unitsPerAmount;
    }

    @Override
    public void record(long value) {
      recording.accept(recorder, value);
    }

    @Override
    public void recordAmount(double amount) {
      recording.accept(recorder, Math.round(amount * unitsPerAmount));
    }

    @Override
    public void close() {
      if (closed.compareAndSet(false, true)) {
        release(recorder);
      }
    }
  }
}
