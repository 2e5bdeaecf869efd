package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.series.Labels;
import io.hdrsidecar.sidecar.memory.HeapShare;

/**
 * The share of ingest, divided, so that no part leaves the others nothing. Of its sixteenths
 * connections have four, series ids two, what clients say of themselves one; two are kept for the
 * instances that are remembered, and four for a spill file being read, if there is a folder for
 * them. The rest is for frames that are not whole, as is what the others do not use.
 *
 * @param whole all of it
 * @param connections sockets and their usual buffers
 * @param ids series ids of connections
 * @param clients what clients say of themselves: common labels and figures
 */
record IngestShares(HeapShare whole, HeapShare connections, HeapShare ids, HeapShare clients) {
  /** An instance that is remembered, and its address. */
  private static final long INSTANCE_BYTES = 448;

  /** With a journal as many as three times the limit may be known after a start. */
  private static final int RESTORED = 3;

  /** An entry of a map and two strings, on top of their characters. */
  private static final long LABEL_BYTES = 136;

  private static final long LABELS_BYTES = 160;

  static IngestShares of(HeapShare whole) {
    long part = whole.maxBytes() / 16;
    return new IngestShares(
        whole, whole.atMost(4 * part), whole.atMost(2 * part), whole.atMost(part));
  }

  /** Longest frame for which there is always room once: long arrays cost twice their length. */
  static long longestFrame(long shareBytes) {
    return shareBytes / 16 * 3 / 2;
  }

  /** What reading spill files may hold. */
  static long spillBytes(long shareBytes) {
    return shareBytes / 16 * 4;
  }

  /** How many instances can be remembered. */
  static int maxInstances(long shareBytes, boolean withJournal) {
    return (int) Math.max(1, shareBytes / 16 * 2 / instanceBytes(withJournal));
  }

  /** What one of them takes. */
  static long instanceBytes(boolean withJournal) {
    return withJournal ? RESTORED * INSTANCE_BYTES : INSTANCE_BYTES;
  }

  /** What labels take, in any characters. */
  static long bytesOf(Labels labels) {
    long[] bytes = {LABELS_BYTES};
    labels.forEach(
        (name, value) -> bytes[0] += 2L * (name.length() + value.length()) + LABEL_BYTES);
    return bytes[0];
  }
}
