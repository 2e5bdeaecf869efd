package io.hdrsidecar.tests.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Something that happens to a fleet of two lanes, each a client and the sidecar below, and to the
 * sidecar above both.
 *
 * @param lane the first or the second
 * @param variant of a cut, after how many bytes; any number
 * @param millis how long it lasts, and the pause behind it
 */
record FleetFault(Kind kind, int lane, int variant, int millis) {
  private static final int SHORTEST_MILLIS = 50;
  private static final int LONGEST_MILLIS = 1_500;
  private static final int VARIANTS = 1 << 12;

  /** What can happen. */
  enum Kind {
    /** {@code kill -9} of the sidecar below. */
    KILL_LOWER,
    /** The same of the one above. */
    KILL_UPPER,
    /** Both at once. */
    KILL_BOTH,
    /** The sidecar below stands still. */
    STOP_LOWER,
    /** The one above stands still. */
    STOP_UPPER,
    /** The sidecar below gets SIGTERM, hands on what it has, and starts again. */
    END_LOWER,
    /** The one above gets SIGTERM. */
    END_UPPER,
    /** {@code kill -9} of a client. */
    KILL_CLIENT,
    /** The connection between a client and its sidecar breaks. */
    CUT_BELOW,
    /** The connection between both sidecars breaks, within a frame or an answer. */
    CUT_ABOVE
  }

  /** So many, the same for the same seed. */
  static List<FleetFault> of(long seed, int count) {
    SplittableRandom random = new SplittableRandom(seed);
    List<FleetFault> faults = new ArrayList<>();
    Kind[] kinds = Kind.values();
    for (int i = 0; i < count; i++) {
      faults.add(
          new FleetFault(
              kinds[random.nextInt(kinds.length)],
              random.nextInt(FleetRun.LANES),
              random.nextInt(VARIANTS),
              random.nextInt(SHORTEST_MILLIS, LONGEST_MILLIS)));
    }
    return faults;
  }
}
