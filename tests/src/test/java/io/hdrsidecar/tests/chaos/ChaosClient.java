package io.hdrsidecar.tests.chaos;

import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.client.LatencyRecorder;
import io.hdrsidecar.client.RecorderConfig;
import io.hdrsidecar.series.Labels;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A program that records, as a user's would: until SIGTERM, until it is told to finish on standard
 * input, or until it is killed. It ends with whoever started it.
 *
 * <p>Arguments: address of the sidecar, label {@code run} of all series, name of this process's
 * files and the folder for them, seed of its values.
 */
final class ChaosClient {
  static final String METRIC = "chaos";
  static final int SERIES = 50;
  static final int THREADS = 4;
  static final int DIGITS = 2;
  static final long HIGHEST_NANOS = Duration.ofHours(1).toNanos();

  /** In the folder of all files; the sidecar's too. */
  static final String SPILL_FOLDER = "spill";

  /** On standard input: deliver everything, however long it takes, and end. */
  static final int FINISH = 'f';

  static final int EXIT_NO_TRUTH = 3;
  private static final int EXIT_ORPHAN = 4;

  private static final Duration FINISH_TIMEOUT = Duration.ofSeconds(90);

  private final HdrSidecarClient client;
  private final List<Load> loads = new ArrayList<>();
  private final Witness witness;
  private final AtomicBoolean closing = new AtomicBoolean();

  private ChaosClient(ClientConfig config, String life, Path folder, long seed) throws IOException {
    this.client = HdrSidecarClient.create(config);
    List<LatencyRecorder> recorders = new ArrayList<>();
    for (int series = 0; series < SERIES; series++) {
      recorders.add(
          client.recorder(
              METRIC,
              Labels.of("series", label(series)),
              RecorderConfig.latency().withSignificantDigits(DIGITS)));
    }
    for (int thread = 0; thread < THREADS; thread++) {
      Path truth = folder.resolve(truthFile(life, thread));
      loads.add(new Load("load-" + thread, recorders, truth, seed * THREADS + thread));
    }
    this.witness = new Witness(client, loads, folder.resolve(ledgerFile(life)));
  }

  static String label(int series) {
    return String.format("%02d", series);
  }

  static String truthFile(String life, int thread) {
    return life + ".thread" + thread + ".truth";
  }

  static String ledgerFile(String life) {
    return life + ".ledger";
  }

  /** See above. */
  public static void main(String[] arguments) throws Exception {
    ClientConfig config =
        ClientConfig.builder()
            .address(arguments[0])
            .commonLabels(Labels.of("run", arguments[1]))
            .interval(Duration.ofMillis(200))
            .stallTimeout(Duration.ofSeconds(2))
            .backoff(Duration.ofMillis(20), Duration.ofMillis(500))
            .spillFolder(Path.of(arguments[3], SPILL_FOLDER))
            .shutdownHook(false) // closed below, once nobody records any more
            .build();
    ChaosClient program =
        new ChaosClient(config, arguments[2], Path.of(arguments[3]), Long.parseLong(arguments[4]));
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> program.close(config.closeTimeout()), "close"));
    program.start();
    if (System.in.read() == FINISH) {
      program.close(FINISH_TIMEOUT);
    } else {
      Runtime.getRuntime().halt(EXIT_ORPHAN);
    }
  }

  private void start() {
    loads.forEach(Thread::start);
    witness.start();
  }

  private void close(Duration timeout) {
    if (!closing.compareAndSet(false, true)) {
      return;
    }
    try {
      for (Load load : loads) {
        load.end();
      }
      witness.end();
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts the end", e);
    }
    witness.closed(client.close(timeout));
  }
}
