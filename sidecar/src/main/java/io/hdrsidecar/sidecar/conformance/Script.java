package io.hdrsidecar.sidecar.conformance;

import java.io.IOException;

/** What the sidecar of a case does, and what it has the client record. */
@FunctionalInterface
interface Script {
  /**
   * Plays it to the end of the client.
   *
   * @throws CaseEndException when the client does not do what the script waits for
   */
  void play(CaseStage stage) throws IOException, InterruptedException;
}
