package io.hdrsidecar.tests.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.Processes;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A service that is killed at a random instant, in the midst of recording, loses nothing: each
 * record that had returned is counted once, whatever its sidecar was doing.
 *
 * <p>{@code -Dhdr.crash.kills=1000} for more kills, {@code -Dhdr.crash.together=4} for so many
 * services that share a sidecar, {@code -Dhdr.crash.lanes=2} for so many sidecars at a time, {@code
 * -Dhdr.crash.seed=N} for the kills of a run before.
 */
final class CrashIT {
  private final int kills = Integer.getInteger("hdr.crash.kills", 12);
  private final int lanes = Integer.getInteger("hdr.crash.lanes", 1);
  private final int together = Integer.getInteger("hdr.crash.together", 1);
  private final long seed = Long.getLong("hdr.crash.seed", new SecureRandom().nextInt(1 << 30));

  @RegisterExtension final Processes processes = new Processes();
  @RegisterExtension final CrashFolder folder = new CrashFolder(processes);

  @Test
  void kill_atRandomInstants_losesAndDoublesNothing() throws Exception {
    System.out.println("crash: seed=" + seed + " kills=" + kills + " begin");
    Comparison sum = Comparison.NONE;
    Map<String, Integer> kinds = new TreeMap<>();
    long slowestMillis = 0;
    for (CrashLane lane : run()) {
      sum = sum.and(lane.sum());
      lane.kinds().forEach((kind, times) -> kinds.merge(kind, times, Integer::sum));
      slowestMillis = Math.max(slowestMillis, lane.slowestMillis());
    }
    System.out.printf(
        "crash: seed=%d kills=%d %s recorded=%d in-flight=%d lost=%d doubled=%d slowest=%d ms%n",
        seed,
        kills,
        kinds,
        sum.recorded(),
        sum.inFlight(),
        sum.lost(),
        sum.doubled(),
        slowestMillis);
    assertThat(sum.recorded()).isPositive();
  }

  private List<CrashLane> run() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(lanes);
    try {
      AtomicInteger next = new AtomicInteger();
      List<Future<CrashLane>> running = new ArrayList<>();
      for (int i = 0; i < lanes; i++) {
        running.add(
            threads.submit(
                new CrashLane(processes, folder.beside(i), seed, kills, together, next)));
      }
      List<CrashLane> done = new ArrayList<>();
      for (Future<CrashLane> lane : running) {
        done.add(lane.get());
      }
      return done;
    } finally {
      threads.shutdownNow();
    }
  }
}
