package io.hdrsidecar.tests.chaos;

import io.hdrsidecar.tests.chaos.FaultKind.Target;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * All faults of a run, made from its seed before it begins.
 *
 * @param seed gives the same faults again
 * @param faults in the order of their times
 */
record FaultSchedule(long seed, List<Fault> faults) {
  /** On average; with two clients the sidecar has some 4 s between two faults of its own. */
  private static final long MILLIS_PER_FAULT_OF_ONE_CLIENT = 1240;

  /** Enough for every way in which a kind of fault varies. */
  private static final int VARIANTS = 5040;

  FaultSchedule {
    faults = List.copyOf(faults);
  }

  /** So many faults, at times that are uniform over the whole run. */
  static FaultSchedule of(long seed, int count, int clients) {
    long millis = count * MILLIS_PER_FAULT_OF_ONE_CLIENT / clients;
    SplittableRandom random = new SplittableRandom(seed);
    List<Fault> faults = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      FaultKind kind = kind(random.nextInt(FaultKind.totalWeight()));
      int client = kind.target() == Target.SIDECAR ? 0 : random.nextInt(clients);
      long at = random.nextLong(millis);
      faults.add(new Fault(kind, client, at, duration(kind, random), random.nextInt(VARIANTS)));
    }
    faults.sort(Comparator.comparingLong(Fault::atMillis));
    return new FaultSchedule(seed, faults);
  }

  private static FaultKind kind(int ticket) {
    int left = ticket;
    for (FaultKind kind : FaultKind.values()) {
      left -= kind.weight();
      if (left < 0) {
        return kind;
      }
    }
    throw new IllegalArgumentException("no kind of fault has ticket " + ticket);
  }

  /** Mostly short, up to the longest: the square of a uniform number. */
  private static long duration(FaultKind kind, SplittableRandom random) {
    double part = random.nextDouble();
    return kind.minMillis() + Math.round((kind.maxMillis() - kind.minMillis()) * part * part);
  }

  /** The faults by lane, each in the order of their times. */
  Map<String, List<Fault>> lanes() {
    return faults.stream()
        .collect(Collectors.groupingBy(Fault::lane, LinkedHashMap::new, Collectors.toList()));
  }

  /** {@code kill sidecar 31, kill client 28, ...}. */
  static String byKind(List<Fault> faults) {
    Map<FaultKind, Long> counts =
        faults.stream().collect(Collectors.groupingBy(Fault::kind, Collectors.counting()));
    List<String> parts = new ArrayList<>();
    for (FaultKind kind : FaultKind.values()) {
      parts.add(kind.label() + " " + counts.getOrDefault(kind, 0L));
    }
    return String.join(", ", parts);
  }

  /** One line for each fault. */
  @Override
  public String toString() {
    return faults.stream().map(Fault::toString).collect(Collectors.joining("\n", "", "\n"));
  }
}
