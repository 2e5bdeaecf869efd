package io.hdrsidecar.internal.spill;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Tells this process from others, for all copies of this class in it: an agent has its own, with
 * packages of its own, and so may have each application of a server.
 */
final class ThisProcess {
  static final String ID =
      (String)
          System.getProperties()
              .computeIfAbsent(
                  "io.hdrsidecar.process",
                  absent -> String.format("%016x", ThreadLocalRandom.current().nextLong()));

  private ThisProcess() {}
}
