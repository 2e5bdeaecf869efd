package io.hdrsidecar.tests.chaos;

import io.hdrsidecar.client.ClientHealth;
import io.hdrsidecar.client.DeliveryResult;
import io.hdrsidecar.client.HdrSidecarClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes down, while a client runs, which of its values must have been acknowledged: what outlives
 * a {@code kill -9} of it.
 *
 * <p>How that is known from outside: the figures are those of the end of a turn of the client's
 * thread, and within a turn either all recorders are emptied or none.
 *
 * <ol>
 *   <li>Note how much each thread has recorded. Those values are in a recorder or further on.
 *   <li>Wait until the number of harvested values has changed twice. The first change may be from a
 *       turn that was emptying recorders during step 1; the second is from one that began later, so
 *       the values are harvested.
 *   <li>Wait until nothing waits and nothing is in flight. All that was harvested is then
 *       acknowledged, the values of step 1 among it.
 * </ol>
 */
final class Witness extends Thread {
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final HdrSidecarClient client;
  private final List<Load> loads;
  private final Path ledger;
  private volatile boolean stopped;

  private String lastHealth = "";
  private @Nullable List<Long> noted;
  private long harvestedThen;
  private int harvests;

  Witness(HdrSidecarClient client, List<Load> loads, Path ledger) {
    super("witness");
    this.client = client;
    this.loads = loads;
    this.ledger = ledger;
  }

  @Override
  public void run() {
    while (!stopped) {
      ClientHealth health = client.health();
      look(health);
      if (noted == null) {
        noted = loads.stream().map(Load::recorded).toList();
        harvestedThen = client.health().harvestedValues(); // not before the note was taken
        harvests = 0;
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private void look(ClientHealth health) {
    writeHealth(health);
    if (health.harvestedValues() != harvestedThen) {
      harvestedThen = health.harvestedValues();
      harvests++;
    }
    List<Long> settled = noted;
    boolean quiet = health.pendingIntervals() == 0 && health.inFlightIntervals() == 0;
    if (settled != null && harvests >= 2 && quiet) {
      write("settled " + settled.stream().map(String::valueOf).collect(Collectors.joining(" ")));
      noted = null;
    }
  }

  private void writeHealth(ClientHealth health) {
    long lost = health.lostValues().values().stream().mapToLong(Long::longValue).sum();
    String line =
        "health "
            + health.harvestedValues()
            + " "
            + health.acknowledgedValues()
            + " "
            + health.pendingIntervals()
            + " "
            + health.inFlightIntervals()
            + " "
            + (lost + health.loopFailures());
    if (!line.equals(lastHealth)) {
      lastHealth = line;
      write(line);
    }
  }

  /** Ends the thread. */
  void end() throws InterruptedException {
    stopped = true;
    join();
  }

  /** The client was closed, after {@link #end}. */
  void closed(DeliveryResult result) {
    writeHealth(client.health());
    write(
        "closed "
            + (result.spillFile() == null ? result.undeliveredValues() : 0)
            + " "
            + result.spilledValues());
  }

  private void write(String line) {
    try {
      Files.writeString(
          ledger,
          line + "\n",
          StandardCharsets.US_ASCII,
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      e.printStackTrace();
      Runtime.getRuntime().halt(ChaosClient.EXIT_NO_TRUTH);
    }
  }
}
