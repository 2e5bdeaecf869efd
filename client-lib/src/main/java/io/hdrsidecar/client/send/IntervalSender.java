package io.hdrsidecar.client.send;

import io.hdrsidecar.client.record.SeriesRecorder;
import io.hdrsidecar.interval.SeriesDefinition;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Samples recorders and delivers their intervals, on one daemon thread. All methods are for any
 * thread; only {@link #close} waits.
 */
public final class IntervalSender {
  private IntervalSender() {}

  /**
   * Starts the thread.
   *
   * @param moreHealth figures of the caller to travel in HEALTH, by name
   */
  public static IntervalSender start(SendConfig config, Supplier<Map<String, Long>> moreHealth) {
    return new IntervalSender();
  }

  /** From the next sample on, this recorder is sampled and sent as this series. */
  public void add(SeriesDefinition definition, SeriesRecorder recorder) {}

  /** What this recorder holds is still sent, then it is forgotten. */
  public void remove(SeriesRecorder recorder) {}

  /** Figures as of the end of the thread's last turn. */
  public SendFigures figures() {
    return SendFigures.NONE;
  }

  /**
   * Takes a last sample, sends what waits, and ends the thread.
   *
   * @return the last figures
   */
  public SendFigures close(Duration deadline) {
    return figures();
  }
}
