package io.hdrsidecar.internal.wire;

import java.util.Arrays;

/** What a frame says; PROTOCOL.md draws each. The codes are part of the protocol. */
public enum FrameType {
  /** Client to sidecar, first: who is speaking. */
  HELLO(1),
  /** Sidecar to client, the answer to HELLO: what has arrived already, and the limits. */
  WELCOME(2),
  /** Client to sidecar: what a series id stands for on this connection. */
  SERIES(3),
  /** Client to sidecar: what one series recorded in one interval. */
  INTERVAL(4),
  /** Sidecar to client: every interval up to a sequence number is settled. */
  ACK(5),
  /** Sidecar to client: a connection, a series or an interval is refused, and why. */
  REJECT(6),
  /** Client to sidecar, last: nothing more will come from this instance. */
  GOODBYE(7),
  /** Client to sidecar: the client's own figures. */
  HEALTH(8);

  private static final FrameType[] BY_CODE = new FrameType[16];

  static {
    Arrays.stream(values()).forEach(type -> BY_CODE[type.code] = type);
  }

  private final int code;

  FrameType(int code) {
    this.code = code;
  }

  /** The number that stands for it on the wire. */
  public int code() {
    return code;
  }

  static FrameType ofCode(int code) throws MalformedFrameException {
    FrameType type = code < BY_CODE.length ? BY_CODE[code] : null;
    if (type == null) {
      throw new MalformedFrameException(
          RejectReason.UNKNOWN_FRAME, "frame type must be 1.." + values().length + ": " + code);
    }
    return type;
  }
}
