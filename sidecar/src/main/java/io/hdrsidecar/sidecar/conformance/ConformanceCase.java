package io.hdrsidecar.sidecar.conformance;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

/**
 * A sidecar that behaves, or misbehaves, in one way.
 *
 * @param name by which it is chosen
 * @param says what the sidecar does, in a line
 * @param laws judged in it
 */
record ConformanceCase(String name, String says, Set<Law> laws, Script script) {
  private static final Set<Law> ALWAYS =
      EnumSet.of(
          Law.EXACTLY_ONCE,
          Law.NUMBERS,
          Law.FRAMES,
          Law.HELLO,
          Law.INSTANCE,
          Law.SERIES,
          Law.PAYLOAD,
          Law.WISH,
          Law.IN_FLIGHT_LIMIT,
          Law.LONGEST_BODY,
          Law.END);

  /** One that judges these laws beside those that every connection is judged by. */
  static ConformanceCase of(String name, String says, Script script, Law... laws) {
    Set<Law> all = EnumSet.copyOf(ALWAYS);
    all.addAll(Arrays.asList(laws));
    return new ConformanceCase(name, says, all, script);
  }

  /** One in which the client delivers nothing. */
  static ConformanceCase apart(String name, String says, Script script, Law... laws) {
    return new ConformanceCase(name, says, EnumSet.copyOf(Arrays.asList(laws)), script);
  }
}
