package io.hdrsidecar.sidecar.statsd;

import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.sidecar.limits.EnumCounters;
import io.hdrsidecar.sidecar.limits.SingleWriterCounter;
import io.hdrsidecar.sidecar.metric.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * What came by StatsD, and what became of it. The thread that reads the sockets writes, but for
 * what the store refuses: the merge context counts that. Any thread reads.
 */
final class StatsdCounters implements ValueChanges {
  private final EnumCounters<StatsdSocket> datagrams = new EnumCounters<>(StatsdSocket.class);
  private final EnumCounters<NotKept> notKept = new EnumCounters<>(NotKept.class);
  private final EnumCounters<RejectReason> lost = new EnumCounters<>(RejectReason.class);
  private final SingleWriterCounter lines = new SingleWriterCounter();
  private final SingleWriterCounter values = new SingleWriterCounter();
  private final SingleWriterCounter negative = new SingleWriterCounter();
  private final SingleWriterCounter tooLarge = new SingleWriterCounter();
  private final SingleWriterCounter rounded = new SingleWriterCounter();
  private final SingleWriterCounter kernelDrops = new SingleWriterCounter();
  private final SingleWriterCounter waits = new SingleWriterCounter();

  /** A datagram, or a frame of a stream, was read. */
  void datagram(StatsdSocket socket) {
    datagrams.of(socket).increment();
  }

  /** A line was looked at. */
  void line() {
    lines.increment();
  }

  /** So many values were counted in series. */
  void values(long more) {
    values.add(more);
  }

  /** A line, or a value of one, was not kept. */
  void notKept(NotKept reason) {
    notKept.of(reason).increment();
  }

  /** The store has refused what so many values had counted. Merge context. */
  void lost(RejectReason reason, long count) {
    lost.of(reason).add(count);
  }

  /** The kernel says that it has dropped so many datagrams since the last look. */
  void kernelDropped(long more) {
    kernelDrops.add(more);
  }

  /** Nothing was read until the store had taken what there was. */
  void waited() {
    waits.increment();
  }

  @Override
  public void negative() {
    negative.increment();
  }

  @Override
  public void tooLarge() {
    tooLarge.increment();
  }

  @Override
  public void rounded() {
    rounded.increment();
  }

  /** Datagrams and frames since start. */
  long datagrams() {
    long[] sum = {0};
    datagrams.forEach((socket, counter) -> sum[0] += counter.getAsLong());
    return sum[0];
  }

  /**
   * All of them.
   *
   * @param known how many names with tags are known at the moment
   * @param plain how many counters and gauges there are
   */
  List<Metric> metrics(LongSupplier known, LongSupplier plain) {
    List<Metric> metrics = new ArrayList<>();
    datagrams.forEach(
        (socket, counter) ->
            metrics.add(
                Metric.counter(
                    "statsd.datagrams",
                    "Datagrams, and frames of streams, that came by StatsD",
                    counter,
                    "socket",
                    socket.label())));
    metrics.add(Metric.counter("statsd.lines", "Lines that came by StatsD", lines::get));
    metrics.add(
        Metric.counter(
            "statsd.values",
            "Values that came by StatsD and were counted, each once whatever its sample rate",
            values::get));
    notKept.forEach(
        (reason, counter) ->
            metrics.add(
                Metric.counter(
                    "statsd.not_kept",
                    "Lines, or values of lines, that came by StatsD and were not kept",
                    counter,
                    "reason",
                    reason.label())));
    lost.forEach(
        (reason, counter) ->
            metrics.add(
                Metric.counter(
                    "statsd.lost.values",
                    "Values, by what they stand for, that the store refused",
                    counter,
                    "reason",
                    reason.label())));
    metrics.add(changed("negative", negative));
    metrics.add(changed("too_large", tooLarge));
    metrics.add(changed("rounded", rounded));
    metrics.add(
        Metric.counter(
            "statsd.kernel.dropped.datagrams",
            "Datagrams over UDP that the kernel dropped, as its receive buffer was full",
            kernelDrops::get));
    metrics.add(
        Metric.counter(
            "statsd.waits",
            "How often nothing was read, as the memory for StatsD was full",
            waits::get));
    metrics.add(
        Metric.gauge("statsd.names", "Names with their tags that are known at the moment", known));
    metrics.add(
        Metric.gauge("statsd.plain", "Counters and gauges that are shown as they are", plain));
    return metrics;
  }

  private static Metric changed(String how, SingleWriterCounter counter) {
    return Metric.counter(
        "statsd.changed.values",
        "Values that were counted as another one: 0, the highest, or the nearest whole number",
        counter::get,
        "how",
        how);
  }
}
