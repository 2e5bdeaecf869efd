package io.hdrsidecar.fleet.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.ClientHealth;
import io.hdrsidecar.client.DeliveryResult;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.client.LatencyRecorder;
import io.hdrsidecar.series.Labels;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/** A real client that records at random into some series, and remembers what. */
public final class RememberedLoad implements AutoCloseable {
  /** How many series. */
  public static final int SERIES = 12;

  private static final String NAME = "checkout";
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final int PAUSE_AFTER = 500;

  private final HdrSidecarClient client;
  private final List<LatencyRecorder> recorders = new ArrayList<>();
  private final Random random;
  private long[] values = new long[1 << 14];
  private int size;

  /** Connects to a port of loopback. */
  public RememberedLoad(int port, long seed) {
    client =
        HdrSidecarClient.create(
            ClientConfig.builder()
                .address("tcp://127.0.0.1:" + port)
                .interval(Duration.ofMillis(10))
                .backoff(Duration.ofMillis(5), Duration.ofMillis(200))
                .stallTimeout(Duration.ofMinutes(2))
                .build());
    random = new Random(seed);
    for (int i = 0; i < SERIES; i++) {
      recorders.add(client.recorder(NAME, Labels.of("route", "/" + i)));
    }
  }

  /** Records so many values. One thread at a time. */
  public void record(int count) {
    record(count, 0);
  }

  /**
   * The same over some time.
   *
   * @param pauseMicros pause after some hundred values
   */
  public void record(int count, int pauseMicros) {
    for (int i = 0; i < count; i++) {
      long value = (long) Math.exp(random.nextDouble() * 20) + 1;
      recorders.get(random.nextInt(SERIES)).record(value);
      if (size == values.length) {
        values = Arrays.copyOf(values, 2 * size);
      }
      values[size++] = value;
      if (pauseMicros > 0 && i % PAUSE_AFTER == 0) {
        LockSupport.parkNanos(pauseMicros * 1000L);
      }
    }
  }

  /** How delivery goes. */
  public ClientHealth health() {
    return client.health();
  }

  /** Closes the client, and says that all was acknowledged and nothing lost. */
  public void delivered() {
    DeliveryResult result = client.close(PATIENCE);
    assertThat(result.deliveredAll()).as("%s, %s", result, health()).isTrue();
    assertThat(health().lostValues().values()).allMatch(lost -> lost == 0);
  }

  /** What is on the topic is what was recorded, bucket by bucket. */
  public void assertExact(FleetTruth truth) {
    assertThat(truth.named(NAME)).isEqualTo(truth.of(NAME, Arrays.copyOf(values, size)));
    System.out.printf(
        "%d values in %d records, %d of them resent ones that count no more; %d intervals resent,"
            + " %d reconnects%n",
        size, truth.records(), truth.skipped(), health().resentIntervals(), health().reconnects());
  }

  @Override
  public void close() {
    client.close(Duration.ZERO);
  }
}
