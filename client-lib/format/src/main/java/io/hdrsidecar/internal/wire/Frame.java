package io.hdrsidecar.internal.wire;

import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.series.Labels;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The frames that are read whole. INTERVAL, which is frequent, is read into a reused {@link
 * IntervalFrame} instead.
 */
public sealed interface Frame {

  /**
   * First frame of a connection.
   *
   * @param version protocol version the client speaks
   * @param instance what the client process calls itself since it started
   * @param commonLabels labels that every series of this client has in addition to its own
   * @param token proof that the sender may send; empty for none
   * @param resource of a sidecar that hands on what it merged, where it runs; null for a client
   */
  record Hello(
      int version,
      InstanceId instance,
      Labels commonLabels,
      String token,
      @Nullable Labels resource)
      implements Frame {
    /** Of a client. */
    public Hello(int version, InstanceId instance, Labels commonLabels, String token) {
      this(version, instance, commonLabels, token, null);
    }

    /** Without the token, which belongs in no log. */
    @Override
    public String toString() {
      return "Hello[version=" + version + ", instance=" + instance + "]";
    }
  }

  /**
   * Answer to HELLO.
   *
   * @param version protocol version spoken from here on
   * @param lastSequence every interval of this instance up to this number is merged; 0 for none
   * @param maxBodyBytes longest body the sidecar takes
   * @param maxInFlight most intervals a client may have sent without an answer
   * @param deflateLevel how to encode payloads: 0 raw, 1..9 deflated at that level
   * @param path to a sidecar, the ids of those through which its values pass: of the one that
   *     answers, of its upstream, and so on; empty to a client
   */
  record Welcome(
      int version,
      long lastSequence,
      int maxBodyBytes,
      int maxInFlight,
      int deflateLevel,
      List<InstanceId> path)
      implements Frame {
    /** The most sidecars that one value may pass. */
    public static final int MAX_PATH = 8;

    /** Takes a copy of the path. */
    public Welcome {
      path = List.copyOf(path);
    }

    /** To a client. */
    public Welcome(
        int version, long lastSequence, int maxBodyBytes, int maxInFlight, int deflateLevel) {
      this(version, lastSequence, maxBodyBytes, maxInFlight, deflateLevel, List.of());
    }
  }

  /**
   * A series id and what it stands for.
   *
   * @param id chosen by the client; valid on this connection only
   */
  record Series(int id, SeriesDefinition definition) implements Frame {}

  /**
   * Intervals are settled: merged, refused, or known before; the client forgets them.
   *
   * @param sequence the last of them
   */
  record Ack(long sequence) implements Frame {}

  /**
   * Something is refused.
   *
   * @param scope what is refused
   * @param reference the series id or the sequence number; 0 for a connection
   * @param code see {@link RejectReason}; a newer sidecar may send codes unknown here
   * @param message for people
   */
  record Reject(Scope scope, long reference, int code, String message) implements Frame {
    /** What a REJECT refuses. */
    public enum Scope {
      /** The sidecar closes the connection after it. */
      CONNECTION(0),
      /** Intervals of this series id will be refused on this connection. */
      SERIES(1),
      /** This interval was not merged and will never be. */
      INTERVAL(2);

      private final int code;

      Scope(int code) {
        this.code = code;
      }

      /** The number that stands for it on the wire. */
      public int code() {
        return code;
      }

      static Scope ofCode(int code) throws MalformedFrameException {
        for (Scope scope : values()) {
          if (scope.code == code) {
            return scope;
          }
        }
        throw new MalformedFrameException(
            RejectReason.BAD_FRAME, "scope of REJECT must be 0..2: " + code);
      }
    }
  }

  /** Orderly end. */
  record Goodbye() implements Frame {}

  /**
   * Figures of the client, counted since it started; exposed as {@code hdr_sidecar_client_*}.
   *
   * @param figures at most 64 names, as in a metric without prefix, and values
   */
  record Health(Map<String, Long> figures) implements Frame {
    static final int MAX_FIGURES = 64;
    static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,63}");
  }
}
