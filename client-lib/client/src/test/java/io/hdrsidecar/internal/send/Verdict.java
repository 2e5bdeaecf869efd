package io.hdrsidecar.internal.send;

/** What a test's peer does with an interval. */
public enum Verdict {
  /** Merge it and acknowledge. */
  ACKNOWLEDGE,
  /** Merge it and say nothing. */
  MERGE_SILENTLY,
  /** Merge it and close the connection without a word. */
  MERGE_AND_CLOSE,
  /** Close the connection without merging it. */
  CLOSE,
  /** Refuse it. */
  REJECT,
  /** Merge it and answer bytes that are no frame. */
  MERGE_AND_SEND_GARBAGE,
  /** Merge it and acknowledge a number never sent. */
  MERGE_AND_ACKNOWLEDGE_TOO_MUCH
}
