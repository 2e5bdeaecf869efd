package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.series.Labels;
import io.hdrsidecar.sidecar.memory.HeapShare;

/**
 * The share of ingest, divided, so that no part leaves the others nothing. Of its sixteenths
 * connections have four, series ids two, what clients say of themselves one; two are kept for the
 * instances that are remembered, and three for a spill file being read, if there is a folder for
 * them. The rest is for frames that are not whole, and one of it for those that wait for room.
 *
 * @param whole all of it
 * @param connections sockets and their usual buffers
 * @param ids series ids of connections
 * @param clients what clients say of themselves: common labels and figures
 * @param frames frames that are not whole
 */
record IngestShares(
    HeapShare whole, HeapShare connections, HeapShare ids, HeapShare clients, HeapShare frames) {
  private static final int CONNECTION_PARTS = 4;
  private static final int ID_PARTS = 2;
  private static final int CLIENT_PARTS = 1;
  private static final int INSTANCE_PARTS = 2;
  private static final int SPILL_PARTS = 3;
  private static final int FRAME_PARTS = 3;
  private static final int WAITING_PARTS = 1;
  private static final int PARTS = 16;

  /** An instance that is remembered, and its address. */
  private static final long INSTANCE_BYTES = 448;

  /** With a journal as many as three times the limit may be known after a start. */
  private static final int RESTORED = 3;

  /** An entry of a map and two strings, on top of their characters. */
  private static final long LABEL_BYTES = 136;

  private static final long LABELS_BYTES = 160;

  static IngestShares of(HeapShare whole, boolean withSpillFolder) {
    long part = whole.maxBytes() / PARTS;
    return new IngestShares(
        whole,
        whole.atMost(CONNECTION_PARTS * part),
        whole.atMost(ID_PARTS * part),
        whole.atMost(CLIENT_PARTS * part),
        whole.atMost((FRAME_PARTS + WAITING_PARTS + (withSpillFolder ? 0 : SPILL_PARTS)) * part));
  }

  /** The part of theirs that only frames that wait for room may hold, in the bytes read of them. */
  long waitingBytes() {
    return whole.maxBytes() / PARTS * WAITING_PARTS;
  }

  /** Longest frame for which there is always room once: long arrays cost twice their length. */
  static long longestFrame(long shareBytes) {
    return shareBytes / PARTS * FRAME_PARTS / 2;
  }

  /** The bytes that reading spill files may hold. */
  static long spillBytes(long shareBytes) {
    return shareBytes / PARTS * SPILL_PARTS;
  }

  /** How many instances can be remembered. */
  static int maxInstances(long shareBytes, boolean withJournal) {
    return (int) Math.max(1, shareBytes / PARTS * INSTANCE_PARTS / instanceBytes(withJournal));
  }

  /** The bytes that one of them takes. */
  static long instanceBytes(boolean withJournal) {
    return withJournal ? RESTORED * INSTANCE_BYTES : INSTANCE_BYTES;
  }

  /** The bytes that labels take, in any characters. */
  static long bytesOf(Labels labels) {
    long[] bytes = {LABELS_BYTES};
    labels.forEach(
        (name, value) -> bytes[0] += 2L * (name.length() + value.length()) + LABEL_BYTES);
    return bytes[0];
  }
}
