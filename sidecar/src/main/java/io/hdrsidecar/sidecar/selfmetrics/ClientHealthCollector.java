package io.hdrsidecar.sidecar.selfmetrics;

import io.hdrsidecar.internal.wire.ClientFigure;
import io.hdrsidecar.sidecar.receive.ClientFigures;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot.InfoDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;

/**
 * What clients report about themselves, as {@code hdr_sidecar_client_*} with a label for the
 * client, whether each is connected, and as {@code hdr_sidecar_client_info} whose common labels
 * belong to which client.
 */
final class ClientHealthCollector implements MultiCollector {
  private static final String PREFIX = "hdr_sidecar_client";
  private static final String CLIENT = "client";

  /** What Prometheus itself puts before labels that are in its way. */
  private static final String EXPORTED = "exported_";

  private final Supplier<Collection<ClientFigures>> clients;

  ClientHealthCollector(Supplier<Collection<ClientFigures>> clients) {
    this.clients = clients;
  }

  @Override
  public MetricSnapshots collect() {
    List<ClientFigures> known = List.copyOf(clients.get());
    MetricSnapshots.Builder snapshots = MetricSnapshots.builder();
    if (!known.isEmpty()) {
      snapshots.metricSnapshot(info(known)).metricSnapshot(connected(known));
    }
    for (ClientFigure figure : ClientFigure.values()) {
      List<ClientFigures> reporting =
          known.stream().filter(c -> c.figures().containsKey(figure.figure())).toList();
      if (!reporting.isEmpty()) {
        snapshots.metricSnapshot(
            figure.isCounter() ? counter(figure, reporting) : gauge(figure, reporting));
      }
    }
    return snapshots.build();
  }

  private static InfoSnapshot info(List<ClientFigures> clients) {
    InfoSnapshot.Builder info =
        InfoSnapshot.builder().name(PREFIX).help("Always 1; common labels of each client.");
    for (ClientFigures client : clients) {
      info.dataPoint(InfoDataPointSnapshot.builder().labels(withCommonLabels(client)).build());
    }
    return info.build();
  }

  private static Labels withCommonLabels(ClientFigures client) {
    Labels.Builder labels = Labels.builder().label(CLIENT, client.instance().toString());
    client
        .commonLabels()
        .asMap()
        .forEach((name, value) -> labels.label(freeName(client, name), value));
    return labels.build();
  }

  private static String freeName(ClientFigures client, String name) {
    String free = name;
    if (free.equals(CLIENT)) {
      do {
        free = EXPORTED + free;
      } while (client.commonLabels().asMap().containsKey(free));
    }
    return free;
  }

  private static GaugeSnapshot connected(List<ClientFigures> clients) {
    GaugeSnapshot.Builder gauges =
        GaugeSnapshot.builder()
            .name(PREFIX + "_connected")
            .help("1 while the client has a connection, 0 for some minutes after.");
    for (ClientFigures client : clients) {
      gauges.dataPoint(point(client, client.connected() ? 1 : 0));
    }
    return gauges.build();
  }

  private static GaugeSnapshot gauge(ClientFigure figure, List<ClientFigures> clients) {
    GaugeSnapshot.Builder gauges =
        GaugeSnapshot.builder().name(PREFIX + "_" + figure.stem()).help(figure.help());
    for (ClientFigures client : clients) {
      gauges.dataPoint(point(client, value(client, figure)));
    }
    return gauges.build();
  }

  private static GaugeDataPointSnapshot point(ClientFigures client, long value) {
    return GaugeDataPointSnapshot.builder()
        .labels(Labels.of(CLIENT, client.instance().toString()))
        .value((double) value)
        .build();
  }

  private static CounterSnapshot counter(ClientFigure figure, List<ClientFigures> clients) {
    CounterSnapshot.Builder counters =
        CounterSnapshot.builder().name(PREFIX + "_" + figure.stem()).help(figure.help());
    for (ClientFigures client : clients) {
      CounterDataPointSnapshot.Builder point =
          CounterDataPointSnapshot.builder()
              .labels(Labels.of(CLIENT, client.instance().toString()))
              .value((double) Math.max(0, value(client, figure)));
      long startSeconds = value(client, ClientFigure.START_TIME_SECONDS);
      if (isPast(startSeconds)) {
        point.createdTimestampMillis(startSeconds * 1000);
      }
      counters.dataPoint(point.build());
    }
    return counters.build();
  }

  /**
   * Only the client knows when its counters were 0. The first HEALTH that this sidecar saw is
   * later, and later again after a restart of the sidecar: Prometheus would take that for a reset.
   */
  private static boolean isPast(long startSeconds) {
    return startSeconds > 0 && startSeconds <= System.currentTimeMillis() / 1000;
  }

  private static long value(ClientFigures client, ClientFigure figure) {
    return client.figures().getOrDefault(figure.figure(), 0L);
  }
}
