package io.hdrsidecar.client.micrometer;

/** A meter whose values go to a series. */
interface SentMeter {
  /**
   * Gives the series up, when the meter is removed. Not when it is closed: Micrometer closes all
   * meters with their registry, and requests may still run through them.
   */
  void release();
}
