package io.hdrsidecar.tests.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Feeds a target with inputs made from seeds, one after the other, and holds heap and file handles
 * after a warm-up against those at the end.
 *
 * <p>Two seconds, or as many as the system property {@code hdr.fuzz.seconds} or else the
 * environment variable {@code HDR_FUZZ_SECONDS} says. The first seed is new each time, or {@code
 * hdr.fuzz.seed}; round n has that seed + n. A failure names the seed of its round: with it the
 * same input comes first, and {@code -Dhdr.fuzz.seconds=0} feeds no other.
 */
final class Fuzz {
  /** Of a heap that some ten megabytes of live data make up. */
  private static final long MAX_HEAP_GROWTH = 4 << 20;

  /** A class loaded late may open a file; a leak opens one with every other input. */
  private static final long MAX_HANDLE_GROWTH = 4;

  private static final double WARM_UP_SHARE = 0.4;
  private static final Duration TIME_TO_SETTLE = Duration.ofSeconds(20);

  /** Something that is fed. */
  interface Target {
    /**
     * Makes inputs from the random numbers alone, feeds them, and checks what must hold afterwards.
     *
     * @throws Exception nothing that an input causes may: that is the failure
     */
    void feed(SplittableRandom random, Tally tally) throws Exception;
  }

  /** What became of the inputs. */
  static final class Tally {
    private long accepted;
    private long refused;

    /** An input gave a result. */
    void accepted() {
      accepted++;
    }

    /** An input was refused, with an error made for that. */
    void refused() {
      refused++;
    }

    void add(boolean wasAccepted) {
      if (wasAccepted) {
        accepted();
      } else {
        refused();
      }
    }
  }

  /** Live heap and open file handles. */
  private record Held(long heapBytes, long handles) {
    static Held now() {
      for (int i = 0; i < 3; i++) {
        System.gc();
      }
      long handles =
          ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
              ? unix.getOpenFileDescriptorCount()
              : 0;
      return new Held(ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(), handles);
    }

    boolean isFlatSince(Held before) {
      return heapBytes - before.heapBytes <= MAX_HEAP_GROWTH
          && handles - before.handles <= MAX_HANDLE_GROWTH;
    }
  }

  private final String name;
  private final double seconds;
  private final long firstSeed;
  private final Target target;
  private final Tally tally = new Tally();
  private long rounds;

  private Fuzz(String name, double seconds, Target target) {
    this.name = name;
    this.seconds = seconds;
    this.firstSeed = Long.getLong("hdr.fuzz.seed", System.nanoTime());
    this.target = target;
  }

  /** Feeds the target for the time configured and prints one line. */
  static void run(String name, Target target) {
    run(name, configuredSeconds(), target);
  }

  /** The same for so many seconds. */
  static void run(String name, double seconds, Target target) {
    run(name, seconds, TIME_TO_SETTLE, target);
  }

  /** The same, with another patience for what the last input left behind. */
  static void run(String name, double seconds, Duration patience, Target target) {
    new Fuzz(name, seconds, target).run(patience);
  }

  /** For how long a target is fed. */
  static double configuredSeconds() {
    String environment = System.getenv().getOrDefault("HDR_FUZZ_SECONDS", "2");
    return Double.parseDouble(System.getProperty("hdr.fuzz.seconds", environment));
  }

  private void run(Duration patience) {
    feedFor(seconds * WARM_UP_SHARE);
    Held before = Held.now();
    feedFor(seconds * (1 - WARM_UP_SHARE));
    Held after = settled(before, patience);
    System.out.printf(
        Locale.ROOT,
        "fuzz %s: seed=%d inputs=%d accepted=%d refused=%d seconds=%.0f heap %+.1f MiB fds %+d%n",
        name,
        firstSeed,
        tally.accepted + tally.refused,
        tally.accepted,
        tally.refused,
        seconds,
        (after.heapBytes - before.heapBytes) / (double) (1 << 20),
        after.handles - before.handles);
    assertThat(after.isFlatSince(before))
        .as("heap and file handles stay flat: from %s to %s", before, after)
        .isTrue();
    if (seconds > 0) {
      assertThat(tally.accepted).as("inputs accepted").isPositive();
      assertThat(tally.refused).as("inputs refused").isPositive();
    }
  }

  private void feedFor(double time) {
    long deadline = System.nanoTime() + (long) (time * 1e9);
    do {
      long seed = firstSeed + rounds++;
      try {
        target.feed(new SplittableRandom(seed), tally);
      } catch (Exception | Error e) {
        throw new AssertionError(name + ": -Dhdr.fuzz.seed=" + seed + ": " + e, e);
      }
    } while (System.nanoTime() - deadline < 0);
  }

  /** What the last input left behind, such as connections being closed, may take its time. */
  private static Held settled(Held before, Duration patience) {
    long deadline = System.nanoTime() + patience.toNanos();
    Held held = Held.now();
    while (!held.isFlatSince(before) && System.nanoTime() - deadline < 0) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
      held = Held.now();
    }
    return held;
  }
}
