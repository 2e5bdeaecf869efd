package io.hdrsidecar.internal.wire;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * Why something was refused. The code travels in REJECT; the name in lower case is the value of the
 * {@code reason} label of the sidecar's counters.
 */
public enum RejectReason {
  BAD_MAGIC(1),
  UNSUPPORTED_VERSION(2),
  BAD_HEADER(3),
  FRAME_TOO_LARGE(4),
  BAD_CRC(5),
  UNKNOWN_FRAME(6),
  UNEXPECTED_FRAME(7),
  BAD_FRAME(8),
  UNKNOWN_SERIES(9),
  BAD_SERIES(10),
  SERIES_CONFLICT(11),
  CONFIGURATION_LIMIT(12),
  BAD_PAYLOAD(13),
  LAYOUT_MISMATCH(14),
  COUNT_MISMATCH(15),
  COUNT_OVERFLOW(16),
  BAD_TIME(17),
  SERIES_LIMIT(18),
  UNAUTHORIZED(19),
  REPLACED(20),
  CONNECTION_LIMIT(21),
  IDLE(22),
  /** A series ended, as no intervals came, so long ago that it must be declared again. */
  SERIES_FORGOTTEN(23),
  /** The memory for counts is used up; windows and label sets have been given up before. */
  MEMORY_LIMIT(24),
  /** A sequence number is too far above the last one settled. */
  SEQUENCE_GAP(25),
  /** As many instances as may be are known, all of them heard of lately. */
  INSTANCE_LIMIT(26);

  private final int code;

  RejectReason(int code) {
    this.code = code;
  }

  /** The number that stands for this reason on the wire. */
  public int code() {
    return code;
  }

  /** Value of the {@code reason} label, such as {@code bad_crc}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The reason with this code, if this version knows it. */
  public static Optional<RejectReason> ofCode(int code) {
    return Arrays.stream(values()).filter(reason -> reason.code == code).findFirst();
  }
}
