package io.hdrsidecar.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.client.LatencyRecorder;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.tests.support.BucketTexts;
import io.hdrsidecar.tests.support.Eventually;
import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.ReservedPort;
import io.hdrsidecar.tests.support.SidecarProcess;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** With the journal on, a sidecar may be killed at any moment: every value is counted once. */
final class JournalIT {
  private static final int ROUNDS = 5;
  private static final int SERIES = 4;
  private static final long HIGHEST = Duration.ofHours(1).toNanos();

  @RegisterExtension final Processes processes = new Processes();
  @TempDir Path journal = Path.of("set by JUnit");

  private SidecarProcess sidecar(int port) throws Exception {
    return processes.sidecar(
        port,
        "--journal-directory=" + journal,
        "--journal-flush=20ms",
        "--journal-rotate-size=64KiB",
        "--journal-retain-size=256KiB");
  }

  /** Records on its own thread, and keeps the truth beside in a histogram of HdrHistogram. */
  private static final class Load extends Thread {
    private final LatencyRecorder recorder;
    private final AtomicBoolean stopped;
    private final SplittableRandom random;
    private final Histogram truth = new Histogram(1, HIGHEST, 3);
    private long sum;

    Load(LatencyRecorder recorder, AtomicBoolean stopped, long seed) {
      this.recorder = recorder;
      this.stopped = stopped;
      this.random = new SplittableRandom(seed);
    }

    @Override
    public void run() {
      while (!stopped.get()) {
        long value = random.nextLong(1L << (1 + random.nextInt(33)));
        recorder.record(value);
        truth.recordValue(value);
        sum += value;
        LockSupport.parkNanos(1); // leaves some processor time to the others
      }
    }
  }

  @Test
  void kill_inTheMiddleOfLoad_everyValueIsCountedOnce() throws Exception {
    try (ReservedPort reserved = new ReservedPort()) {
      killInTheMiddleOfLoad(reserved.number());
    }
  }

  private void killInTheMiddleOfLoad(int port) throws Exception {
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    AtomicBoolean stopped = new AtomicBoolean();
    List<Load> loads = new ArrayList<>();
    SidecarProcess sidecar = sidecar(port);
    try (HdrSidecarClient client =
        HdrSidecarClient.create(
            ClientConfig.builder()
                .address("tcp://127.0.0.1:" + port)
                .interval(Duration.ofMillis(10))
                .backoff(Duration.ofMillis(20), Duration.ofMillis(200))
                .build())) {
      for (int i = 0; i < SERIES; i++) {
        Load load =
            new Load(
                client.recorder("load", Labels.of("series", "s" + i)), stopped, random.nextLong());
        loads.add(load);
        load.start();
      }
      for (int round = 0; round < ROUNDS; round++) {
        long acknowledged = client.health().acknowledgedValues();
        long wanted = acknowledged + 1 + random.nextInt(10_000);
        Eventually.holds(
            () -> assertThat(client.health().acknowledgedValues()).isGreaterThan(wanted));
        sidecar.kill();
        sidecar = sidecar(port);
      }
      stopped.set(true);
      for (Load load : loads) {
        load.join();
      }
      assertThat(client.close(Duration.ofSeconds(60)).deliveredAll()).as("seed %d", seed).isTrue();
    } finally {
      stopped.set(true);
    }
    assertExact(sidecar, loads, seed);

    sidecar.kill();
    assertExact(sidecar(port), loads, seed);
  }

  @Test
  void start_fileEndsInTheMiddleOfARecord_saysHowMuchIsCutOff() throws Exception {
    SidecarProcess before = sidecar(0);
    try (HdrSidecarClient client =
        HdrSidecarClient.create(
            ClientConfig.builder()
                .address(before.ingestAddress())
                .interval(Duration.ofMillis(20))
                .build())) {
      client.recorder("torn").record(5);
      Eventually.holds(() -> assertThat(client.health().acknowledgedValues()).isEqualTo(1));
    }
    before.kill();
    try (Stream<Path> files = Files.list(journal)) {
      Path last =
          files.filter(f -> f.toString().matches(".*/intervals-[^/]*\\.hlog")).findFirst().get();
      Files.writeString(last, "#R 7 1 1 7 ", StandardOpenOption.APPEND);
    }

    SidecarProcess after = sidecar(0);

    assertThat(after.metrics()).contains("hdr_sidecar_journal_torn_bytes 11.0\n");
    assertThat(after.output()).containsPattern("WARN.*event=journal_torn .*cut_bytes=11");
    assertThat(after.total("torn", "").getLong("count")).isEqualTo(1);
  }

  private static void assertExact(SidecarProcess sidecar, List<Load> loads, long seed)
      throws Exception {
    for (int i = 0; i < loads.size(); i++) {
      Load load = loads.get(i);
      JsonObject total = sidecar.total("load{series=\"s" + i + "\"}", "&buckets=true");
      assertThat(total.getLong("count")).as("seed %d", seed).isEqualTo(load.truth.getTotalCount());
      assertThat(total.getLong("sum")).as("seed %d", seed).isEqualTo(load.sum);
      assertThat(BucketTexts.of(total)).as("seed %d", seed).isEqualTo(BucketTexts.of(load.truth));
    }
  }
}
