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

  /** Its name is a hash, which is not reckoned out for each of its figures. */
  private record Named(ClientFigures figures, String name, Labels labels) {
    static Named of(ClientFigures figures) {
      String name = figures.instance().toString();
      return new Named(figures, name, Labels.of(CLIENT, name));
    }

    boolean tells(ClientFigure figure) {
      return figures.figures().containsKey(figure.figure());
    }

    long value(ClientFigure figure) {
      return figures.figures().getOrDefault(figure.figure(), 0L);
    }
  }

  private final Supplier<Collection<ClientFigures>> clients;

  ClientHealthCollector(Supplier<Collection<ClientFigures>> clients) {
    this.clients = clients;
  }

  @Override
  public MetricSnapshots collect() {
    List<Named> known = clients.get().stream().map(Named::of).toList();
    MetricSnapshots.Builder snapshots = MetricSnapshots.builder();
    if (!known.isEmpty()) {
      snapshots.metricSnapshot(info(known)).metricSnapshot(connected(known));
    }
    for (ClientFigure figure : ClientFigure.values()) {
      List<Named> reporting = known.stream().filter(client -> client.tells(figure)).toList();
      if (!reporting.isEmpty()) {
        snapshots.metricSnapshot(
            figure.isCounter() ? counter(figure, reporting) : gauge(figure, reporting));
      }
    }
    return snapshots.build();
  }

  private static InfoSnapshot info(List<Named> clients) {
    InfoSnapshot.Builder info =
        InfoSnapshot.builder().name(PREFIX).help("Always 1; common labels of each client.");
    for (Named client : clients) {
      info.dataPoint(InfoDataPointSnapshot.builder().labels(withCommonLabels(client)).build());
    }
    return info.build();
  }

  private static Labels withCommonLabels(Named client) {
    Labels.Builder labels = Labels.builder().label(CLIENT, client.name());
    client
        .figures()
        .commonLabels()
        .asMap()
        .forEach((name, value) -> labels.label(freeName(client.figures(), name), value));
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

  private static GaugeSnapshot connected(List<Named> clients) {
    GaugeSnapshot.Builder gauges =
        GaugeSnapshot.builder()
            .name(PREFIX + "_connected")
            .help("1 while the client has a connection, 0 for some minutes after.");
    for (Named client : clients) {
      gauges.dataPoint(point(client, client.figures().connected() ? 1 : 0));
    }
    return gauges.build();
  }

  private static GaugeSnapshot gauge(ClientFigure figure, List<Named> clients) {
    GaugeSnapshot.Builder gauges =
        GaugeSnapshot.builder().name(PREFIX + "_" + figure.stem()).help(figure.help());
    for (Named client : clients) {
      gauges.dataPoint(point(client, client.value(figure)));
    }
    return gauges.build();
  }

  private static GaugeDataPointSnapshot point(Named client, long value) {
    return GaugeDataPointSnapshot.builder().labels(client.labels()).value((double) value).build();
  }

  private static CounterSnapshot counter(ClientFigure figure, List<Named> clients) {
    CounterSnapshot.Builder counters =
        CounterSnapshot.builder().name(PREFIX + "_" + figure.stem()).help(figure.help());
    for (Named client : clients) {
      CounterDataPointSnapshot.Builder point =
          CounterDataPointSnapshot.builder()
              .labels(client.labels())
              .value((double) Math.max(0, client.value(figure)));
      long startSeconds = client.value(ClientFigure.START_TIME_SECONDS);
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
}
