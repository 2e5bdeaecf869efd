package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.internal.wire.IntervalFrame;
import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.sidecar.limits.RefusedException;
import io.hdrsidecar.sidecar.merge.Destination;
import io.hdrsidecar.sidecar.merge.Sender;
import java.nio.ByteBuffer;
import java.util.Map;

/**
 * Where intervals go that have been received, checked, and not been known before. Merge context,
 * unless said otherwise.
 *
 * <p>{@link RefusedException} costs a client one series or interval: it is told, and forgets it.
 * {@link NotNowException} ends its connection and does not settle that: it comes back, here or
 * elsewhere, and sends it again.
 */
public interface IntervalSink {
  /** Most counters of a histogram. */
  int maxCounters();

  /**
   * A client has declared a series.
   *
   * @param definition with all labels
   * @param own those that do not come from where its sidecar runs
   * @return where its intervals go; the caller releases it once no id leads there
   */
  Destination register(SeriesDefinition definition, Labels own)
      throws RefusedException, NotNowException;

  /**
   * Where intervals go now that went there: itself, unless that has ended.
   *
   * @param destination not {@link Destination#isForgotten forgotten}
   */
  Destination renewed(Destination destination) throws RefusedException;

  /**
   * Takes an interval: all of it, with its number, or nothing.
   *
   * @param histogram what the frame's payload says; figures agree with it
   * @param in the buffer that has the frame's body
   */
  void take(
      Sender sender,
      Destination destination,
      DecodedHistogram histogram,
      IntervalFrame frame,
      ByteBuffer in)
      throws RefusedException, NotNowException;

  /** Counts something refused, here or on the way here. */
  void countRejected(RejectReason reason);

  /** The number of refusals since start, by reason. Any thread. */
  Map<RejectReason, Long> rejected();

  /**
   * Whether what is settled holds for longer than a connection. If not, each WELCOME says that
   * nothing is settled, and clients send again what is open: for a server of which there are
   * several, and behind which numbers are compared. Such a server refuses only what follows from a
   * series or interval itself, as each of the others would.
   */
  boolean remembersInstances();
}
