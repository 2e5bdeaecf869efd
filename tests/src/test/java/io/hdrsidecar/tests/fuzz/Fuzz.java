package io.hdrsidecar.tests.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Feeds a target with inputs made from seeds, one after the other, and holds heap and file handles
 * after a warm-up against those at the end.
 *
 * <p>A reading that has grown is not yet a leak: a bounded memory may have filled. So the same
 * number of inputs is fed again, up to {@value #MOST_STRETCHES} times in all. What has a bound
 * stops growing; what leaks grows each time, by as much as before.
 *
 * <p>Two seconds, or as many as the system property {@code hdr.fuzz.seconds} or else the
 * environment variable {@code HDR_FUZZ_SECONDS} says: {@code 15}, or {@code 15,otlp=60}, which
 * gives one target others than the rest. The first seed is new each time, or {@code hdr.fuzz.seed};
 * round n has that seed + n. A failure names the seed of its round: with it the same input comes
 * first, and {@code -Dhdr.fuzz.seconds=0} feeds no other.
 */
final class Fuzz {
  private static final double WARM_UP_SHARE = 0.4;
  private static final int MOST_STRETCHES = 4;
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

  /** How long a target is fed. */
  private interface Amount {
    boolean isFed(long rounds, long nanos);

    static Amount ofSeconds(double seconds) {
      return (rounds, nanos) -> nanos >= seconds * 1e9;
    }

    static Amount ofRounds(long most) {
      return (rounds, nanos) -> rounds >= most;
    }
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

  private final String name;
  private final Target target;
  private final long firstSeed = Long.getLong("hdr.fuzz.seed", System.nanoTime());
  private final Tally tally = new Tally();
  private final List<Held> readings = new ArrayList<>();
  private final long start = System.nanoTime();
  private long rounds;

  private Fuzz(String name, Target target) {
    this.name = name;
    this.target = target;
  }

  /** Feeds the target for the time configured and prints one line. */
  static void run(String name, Target target) {
    run(name, configuredSeconds(name), target);
  }

  /** The same for so many seconds, and longer only if it seems to leak. */
  static void run(String name, double seconds, Target target) {
    Fuzz fuzz = new Fuzz(name, target);
    if (seconds > 0) {
      fuzz.run(
          Amount.ofSeconds(seconds * WARM_UP_SHARE),
          Amount.ofSeconds(seconds * (1 - WARM_UP_SHARE)),
          TIME_TO_SETTLE);
    } else {
      fuzz.feed(Amount.ofRounds(1));
    }
  }

  /** The same with so many rounds to warm up and in each stretch, and no patience with handles. */
  static void runRounds(String name, long rounds, Target target) {
    new Fuzz(name, target).run(Amount.ofRounds(rounds), Amount.ofRounds(rounds), Duration.ZERO);
  }

  /** For how long a target of this name is fed. */
  static double configuredSeconds(String name) {
    String environment = System.getenv().getOrDefault("HDR_FUZZ_SECONDS", "2");
    return secondsOf(System.getProperty("hdr.fuzz.seconds", environment), name);
  }

  /** What a text such as {@code 15,otlp=60} says of a target. */
  static double secondsOf(String text, String name) {
    String own = name + "=";
    String[] parts = text.split(",", -1);
    return Arrays.stream(parts)
        .filter(part -> part.startsWith(own))
        .mapToDouble(part -> Double.parseDouble(part.substring(own.length())))
        .findFirst()
        .orElseGet(() -> Double.parseDouble(parts[0]));
  }

  private void run(Amount warmUp, Amount stretch, Duration patience) {
    feed(warmUp);
    readings.add(Held.now());
    long fed = feed(stretch);
    boolean flat = isFlat(patience);
    while (!flat && readings.size() <= MOST_STRETCHES) {
      feed(Amount.ofRounds(fed));
      flat = isFlat(patience);
    }
    System.out.printf(
        Locale.ROOT,
        "fuzz %s: seed=%d inputs=%d accepted=%d refused=%d seconds=%.0f held %s%n",
        name,
        firstSeed,
        tally.accepted + tally.refused,
        tally.accepted,
        tally.refused,
        (System.nanoTime() - start) / 1e9,
        readings);
    assertThat(flat)
        .as("heap and file handles stay flat, with %d rounds between: %s", fed, readings)
        .isTrue();
    assertThat(tally.accepted).as("inputs accepted").isPositive();
    assertThat(tally.refused).as("inputs refused").isPositive();
  }

  private boolean isFlat(Duration patience) {
    Held before = readings.get(readings.size() - 1);
    Held after = Held.settledSince(before, patience);
    readings.add(after);
    return after.isFlatSince(before);
  }

  private long feed(Amount amount) {
    long begin = System.nanoTime();
    long fed = 0;
    do {
      long seed = firstSeed + rounds++;
      try {
        target.feed(new SplittableRandom(seed), tally);
      } catch (Exception | Error e) {
        throw new AssertionError(name + ": -Dhdr.fuzz.seed=" + seed + ": " + e, e);
      }
      fed++;
    } while (!amount.isFed(fed, System.nanoTime() - begin));
    return fed;
  }
}
