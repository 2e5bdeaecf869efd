package io.hdrsidecar.sidecar.statsd;

import io.hdrsidecar.sidecar.plain.RefusedPlainException;
import java.util.Locale;

/**
 * Why a line, or a value of a line, gave no value of a series. The name in lower case is the value
 * of the {@code reason} label.
 */
enum NotKept {
  /** A counter, where none are kept. */
  COUNTER(""),
  GAUGE(""),
  SET(""),
  EVENT(""),
  SERVICE_CHECK(""),
  /** The mapping file says so. */
  DROPPED_BY_MAPPING(""),
  /** The share of the heap is full of what has no values to hand over, such as connections. */
  NO_MEMORY(""),
  /** There are as many counters and gauges as may be. */
  PLAIN_LIMIT(""),
  /** A series, a metric of another type, or one of ours has the name. */
  PLAIN_CONFLICT("a name that no series, no metric of another type and none of ours has"),
  BAD_LINE("name:value|type"),
  BAD_VALUE("a decimal number"),
  BAD_TYPE("a type: h, d, ms, c, g or s"),
  BAD_RATE("a sample rate above 0 and at most 1, such as |@0.1"),
  BAD_NAME("a name of at most 200 characters"),
  BAD_TAGS("at most 32 tags, with at most 1024 characters each"),
  /** Only on a stream: what follows cannot be found. */
  BAD_FRAME("a length of 1 to 65536 in 4 bytes, little endian, and so many bytes"),
  /** The datagram was longer than what is read of one; its last line may be half a line. */
  TRUNCATED("a datagram of at most 65536 bytes");

  private final String expected;

  NotKept(String expected) {
    this.expected = expected;
  }

  /** Of a counter or a gauge that is refused. */
  static NotKept of(RefusedPlainException.Reason reason) {
    return switch (reason) {
      case LIMIT -> PLAIN_LIMIT;
      case CONFLICT -> PLAIN_CONFLICT;
      case NO_MEMORY -> NO_MEMORY;
    };
  }

  /** Value of the {@code reason} label. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What should have come; empty for what was well formed. */
  String expected() {
    return expected;
  }

  /** Whether the sender made a mistake. */
  boolean isMistake() {
    return !expected.isEmpty();
  }
}
