package io.hdrsidecar.client.micrometer;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.internal.DefaultLongTaskTimer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A long task timer that records how long each task took when it stops.
 *
 * <p>Tasks still running are not in the series: sampling them each interval would count a task as
 * often as it is seen, so that counts would no longer be tasks. They stay where Micrometer shows
 * them: active tasks, their durations and their maximum, in process.
 */
final class RecordingLongTaskTimer extends DefaultLongTaskTimer implements SentMeter {
  private final SeriesOutput output;

  RecordingLongTaskTimer(
      Id id, Clock clock, DistributionStatisticConfig statistics, SeriesOutput output) {
    super(id, clock, TimeUnit.SECONDS, statistics, false);
    this.output = output;
  }

  @Override
  public Sample start() {
    return new RecordingSample(super.start());
  }

  @Override
  public void release() {
    output.close();
  }

  private final class RecordingSample extends Sample {
    private final Sample task;
    private final AtomicBoolean recorded = new AtomicBoolean();

    RecordingSample(Sample task) {
      this.task = task;
    }

    /** Nanoseconds the task took, or -1 when it was stopped before. */
    @Override
    public long stop() {
      long nanos = task.stop();
      // The task knows that it was stopped, but two threads can stop it at the same time.
      if (nanos >= 0 && recorded.compareAndSet(false, true)) {
        output.record(nanos);
      }
      return nanos;
    }

    @Override
    public double duration(TimeUnit unit) {
      return task.duration(unit);
    }
  }
}
