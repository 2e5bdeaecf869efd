package io.hdrsidecar.tests.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.JavaProcess;
import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.SidecarProcess;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Kills one service after the other, with a sidecar and a crash folder of its own. */
final class CrashLane implements Callable<CrashLane> {
  private static final int KILLS_OF_A_SIDECAR = 20;
  private static final int LONGEST_LIFE_MILLIS = 2_500;

  /** Of a service that died before it recorded anything, if the truth says so, too. */
  private static final JsonObject NOTHING =
      new JsonObject().put("count", 0L).put("buckets", new JsonArray());

  private final Processes processes;
  private final CrashFolder folder;
  private final long seed;
  private final int kills;
  private final int together;
  private final AtomicInteger next;
  private final Map<String, Integer> kinds = new TreeMap<>();

  private @Nullable SidecarProcess sidecar;
  private Path journal = Path.of("set by startAnew");
  private volatile int port;
  private Comparison sum = Comparison.NONE;
  private long slowestMillis;

  /** What ends the service. */
  private enum End {
    KILL,
    KILL_WHILE_STOPPED,
    SEGV,
    HALT
  }

  private record Killed(int number, End end, Path truth) {}

  /** What the sidecar does meanwhile. */
  private enum Neighbour {
    THERE,
    AWAY,
    KILLED,
    SLOW
  }

  /**
   * Of all kills those whose numbers it takes.
   *
   * @param together so many services at a time share a sidecar, and its fate
   * @param next the number of the next kill that nobody has taken
   */
  CrashLane(
      Processes processes,
      CrashFolder folder,
      long seed,
      int kills,
      int together,
      AtomicInteger next) {
    this.processes = processes;
    this.folder = folder;
    this.seed = seed;
    this.kills = kills;
    this.together = together;
    this.next = next;
  }

  Comparison sum() {
    return sum;
  }

  /** How often each end came with each neighbour. */
  Map<String, Integer> kinds() {
    return kinds;
  }

  /** The longest time from a death until the file was gone. */
  long slowestMillis() {
    return slowestMillis;
  }

  @Override
  public CrashLane call() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(together);
    try {
      int done = 0;
      for (int number = take(); number < kills; number = take()) {
        if (done % KILLS_OF_A_SIDECAR < together) {
          startAnew(number);
        }
        int victims = Math.min(together, kills - number);
        round(threads, number, victims, new SplittableRandom(seed + 1_000_003L * number));
        done += victims;
      }
      return this;
    } finally {
      threads.shutdownNow();
    }
  }

  private int take() {
    return next.getAndAdd(together);
  }

  private SidecarProcess sidecar() {
    return Objects.requireNonNull(sidecar, "started before the first kill");
  }

  /** With a journal of its own, as each kill leaves fifty series. */
  private void startAnew(int number) throws Exception {
    if (sidecar != null) {
      sidecar.kill();
    }
    port = 0;
    journal = folder.resolve("journal-" + number);
    startSidecar();
  }

  private void startSidecar() throws Exception {
    sidecar =
        processes.sidecar(
            port,
            "--journal-directory=" + journal,
            "--crash-folder=" + folder.path(),
            "--crash-scan-interval=500ms");
    String address = sidecar().ingestAddress();
    port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
  }

  /** One fate of the sidecar, and the services killed meanwhile. */
  private void round(ExecutorService threads, int number, int victims, SplittableRandom random)
      throws Exception {
    Neighbour neighbour = Neighbour.values()[random.nextInt(Neighbour.values().length)];
    if (neighbour == Neighbour.AWAY) {
      sidecar().kill();
    }
    int life = life(random);
    CountDownLatch recording = new CountDownLatch(victims);
    List<Future<Killed>> dying = new ArrayList<>();
    for (int i = 0; i < victims; i++) {
      SplittableRandom own = random.split();
      int victim = number + i;
      int itsLife = i == 0 ? life : life(own);
      dying.add(threads.submit(() -> kill(victim, itsLife, own, recording)));
    }
    recording.await();
    meanwhile(neighbour, life);
    List<Killed> killed = new ArrayList<>();
    for (Future<Killed> one : dying) {
      killed.add(one.get());
    }
    recover(neighbour);
    for (Killed one : killed) {
      kinds.merge(one.end() + "/" + neighbour, 1, Integer::sum);
      compare(one.number(), one.truth(), one.end() + ", " + neighbour);
      Files.delete(one.truth());
    }
  }

  private static int life(SplittableRandom random) {
    return 50 + random.nextInt(LONGEST_LIFE_MILLIS);
  }

  private void meanwhile(Neighbour neighbour, int life) throws Exception {
    if (neighbour == Neighbour.KILLED) {
      Thread.sleep(life / 2);
      sidecar().kill();
      startSidecar();
    } else if (neighbour == Neighbour.SLOW) {
      Thread.sleep(life / 2);
      sidecar().signal("STOP");
    }
  }

  /** From the last death on, or from when the sidecar is there. */
  private void recover(Neighbour neighbour) throws Exception {
    long deadAt = System.nanoTime();
    if (neighbour == Neighbour.SLOW) {
      sidecar().signal("CONT");
    } else if (neighbour == Neighbour.AWAY) {
      startSidecar();
      deadAt = System.nanoTime();
    }
    folder.awaitNoFiles();
    slowestMillis = Math.max(slowestMillis, (System.nanoTime() - deadAt) / 1_000_000);
  }

  private Killed kill(int number, int life, SplittableRandom random, CountDownLatch recording)
      throws Exception {
    End end = End.values()[random.nextInt(End.values().length)];
    Path truth = folder.resolve("truth-" + number);
    String[] arguments =
        end == End.HALT
            ? new String[] {truth.toString(), "halt", Integer.toString(life)}
            : new String[] {truth.toString()};
    String interval = random.nextBoolean() ? "1s" : "100ms";
    try {
      JavaProcess victim =
          folder.victim(
              "tcp://127.0.0.1:" + port,
              Map.of("HDR_SIDECAR_LABELS", "run=" + number, "HDR_SIDECAR_INTERVAL", interval),
              arguments);
      recording.countDown();
      if (end != End.HALT) {
        Thread.sleep(life);
      }
      end(victim, end);
      return new Killed(number, end, truth);
    } catch (Exception | AssertionError e) {
      recording.countDown(); // Who waits for it is told by the future.
      throw e;
    }
  }

  private static void end(JavaProcess victim, End end) throws Exception {
    switch (end) {
      case HALT -> victim.awaitExit();
      case SEGV -> {
        victim.signal("SEGV");
        victim.awaitExit();
      }
      case KILL_WHILE_STOPPED -> {
        victim.signal("STOP");
        Thread.sleep(1_200); // a sidecar would have looked twice
        victim.kill();
      }
      default -> victim.kill();
    }
  }

  private void compare(int number, Path file, String how) throws Exception {
    Comparison compared =
        Comparison.of(
            Truth.open(file),
            sidecar().totalIfAny("crash{run=\"" + number + "\"}", "&buckets=true").orElse(NOTHING));
    assertThat(compared.isExact())
        .as("kill %d, %s, seed %d: %s", number, how, seed, compared)
        .isTrue();
    assertThat(compared.inFlight()).as("one of each thread").isLessThanOrEqualTo(Truth.THREADS);
    sum = sum.and(compared);
  }
}
