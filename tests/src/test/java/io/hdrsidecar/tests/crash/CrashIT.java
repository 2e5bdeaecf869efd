package io.hdrsidecar.tests.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.JavaProcess;
import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.SidecarProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A service that is killed at a random instant, in the midst of recording, loses nothing: each
 * record that had returned is counted once, whatever its sidecar was doing.
 *
 * <p>{@code -Dhdr.crash.kills=1000} for more kills, {@code -Dhdr.crash.seed=N} for those of a run
 * before.
 */
final class CrashIT {
  private static final int KILLS_OF_A_SIDECAR = 20;
  private static final int LONGEST_LIFE_MILLIS = 2_500;

  private final int kills = Integer.getInteger("hdr.crash.kills", 12);
  private final long seed = Long.getLong("hdr.crash.seed", new SecureRandom().nextInt(1 << 30));
  private final SplittableRandom random = new SplittableRandom(seed);

  @RegisterExtension final Processes processes = new Processes();
  @RegisterExtension final CrashFolder folder = new CrashFolder(processes);
  private @Nullable SidecarProcess sidecar;
  private int port;
  private Comparison sum = Comparison.NONE;
  private long slowestMillis;

  /** What ends the service. */
  private enum End {
    KILL,
    KILL_WHILE_STOPPED,
    SEGV,
    HALT
  }

  /** What the sidecar does meanwhile. */
  private enum Neighbour {
    THERE,
    AWAY,
    KILLED,
    SLOW
  }

  @Test
  void kill_atRandomInstants_losesAndDoublesNothing() throws Exception {
    System.out.println("crash: seed=" + seed + " kills=" + kills + " begin");
    Map<String, Integer> kinds = new HashMap<>();
    for (int i = 0; i < kills; i++) {
      if (i % KILLS_OF_A_SIDECAR == 0) {
        startAnew(i);
      }
      End end = End.values()[random.nextInt(End.values().length)];
      Neighbour neighbour = Neighbour.values()[random.nextInt(Neighbour.values().length)];
      kinds.merge(end + "/" + neighbour, 1, Integer::sum);
      kill(i, end, neighbour);
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

  private SidecarProcess sidecar() {
    return Objects.requireNonNull(sidecar, "started before the first kill");
  }

  /** With a journal of its own, as each kill leaves fifty series. */
  private void startAnew(int number) throws Exception {
    if (sidecar != null) {
      sidecar.kill();
    }
    port = 0;
    startSidecar(number);
  }

  private void startSidecar(int number) throws Exception {
    sidecar =
        processes.sidecar(
            port,
            "--journal-directory="
                + folder.resolve("journal-" + number / KILLS_OF_A_SIDECAR * KILLS_OF_A_SIDECAR),
            "--crash-folder=" + folder.path(),
            "--crash-scan-interval=500ms");
    String address = sidecar().ingestAddress();
    port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
  }

  private void kill(int number, End end, Neighbour neighbour) throws Exception {
    int life = 50 + random.nextInt(LONGEST_LIFE_MILLIS);
    Path file = folder.resolve("truth-" + number);
    if (neighbour == Neighbour.AWAY) {
      sidecar().kill();
    }
    String[] arguments =
        end == End.HALT
            ? new String[] {file.toString(), "halt", Integer.toString(life)}
            : new String[] {file.toString()};
    JavaProcess victim =
        folder.victim(
            "tcp://127.0.0.1:" + port,
            Map.of(
                "HDR_SIDECAR_LABELS",
                "run=" + number,
                "HDR_SIDECAR_INTERVAL",
                random.nextBoolean() ? "1s" : "100ms"),
            arguments);
    if (neighbour == Neighbour.KILLED) {
      Thread.sleep(life / 2);
      sidecar().kill();
      startSidecar(number);
      Thread.sleep(life / 2);
    } else if (neighbour == Neighbour.SLOW) {
      Thread.sleep(life / 2);
      sidecar().signal("STOP");
      Thread.sleep(life / 2);
    } else if (end != End.HALT) {
      Thread.sleep(life);
    }
    end(victim, end);
    long deadAt = System.nanoTime();
    if (neighbour == Neighbour.SLOW) {
      sidecar().signal("CONT");
    } else if (neighbour == Neighbour.AWAY) {
      startSidecar(number);
      deadAt = System.nanoTime();
    }
    folder.awaitNoFiles();
    slowestMillis = Math.max(slowestMillis, (System.nanoTime() - deadAt) / 1_000_000);
    Comparison compared =
        Comparison.of(
            Truth.open(file), sidecar().total("crash{run=\"" + number + "\"}", "&buckets=true"));
    assertThat(compared.isExact())
        .as("kill %d, %s, %s, seed %d: %s", number, end, neighbour, seed, compared)
        .isTrue();
    assertThat(compared.inFlight()).as("one of each thread").isLessThanOrEqualTo(Truth.THREADS);
    sum = sum.and(compared);
    Files.delete(file);
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
}
