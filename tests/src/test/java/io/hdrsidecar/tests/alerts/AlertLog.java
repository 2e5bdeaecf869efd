package io.hdrsidecar.tests.alerts;

import io.hdrsidecar.tests.support.PrometheusServer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Which alerts have fired when, from the samples that Prometheus writes at each evaluation. */
final class AlertLog {
  /** What has resolved has no sample at the first evaluation at which it is not there. */
  private static final Duration EVALUATION_INTERVAL = Duration.ofSeconds(1);

  private static final String FIRING = "alertstate=\"firing\"";

  private final PrometheusServer prometheus;

  AlertLog(PrometheusServer prometheus) {
    this.prometheus = prometheus;
  }

  /**
   * An alert that is waited for.
   *
   * @param alert its name
   * @param about a label and its value, {@code pod="shop-a"}
   */
  record Expected(String alert, String about) {
    private String selector() {
      return "ALERTS{%s, alertname=\"%s\", %s}".formatted(FIRING, alert, about);
    }
  }

  /** Whether it fires now. */
  boolean fires(Expected expected) throws Exception {
    return !prometheus.result(expected.selector()).isEmpty();
  }

  /** Whether it has fired at some time since then. */
  boolean hasFired(Expected expected, Instant since) throws Exception {
    long millis = Math.max(1, Duration.between(since, Instant.now()).toMillis());
    return !prometheus.result(expected.selector() + "[" + millis + "ms]").isEmpty();
  }

  /**
   * A line for each alert that has fired since trouble began: what it is about, from when to when.
   *
   * @param begun the trouble
   * @param ended the trouble
   */
  String table(Instant begun, Instant ended) throws Exception {
    List<JsonArray> rows = new ArrayList<>();
    long millis = Duration.between(begun, Instant.now()).toMillis();
    String firing = "ALERTS{alertname=~\"Hdr.+\", " + FIRING + "}";
    Set<Object> now = new HashSet<>();
    prometheus.result(firing).forEach(each -> now.add(((JsonObject) each).getValue("metric")));
    JsonArray fired = prometheus.result(firing + "[" + millis + "ms]");
    for (int i = 0; i < fired.size(); i++) {
      JsonObject labels = fired.getJsonObject(i).getJsonObject("metric");
      JsonArray samples = fired.getJsonObject(i).getJsonArray("values");
      Instant first = at(samples.getJsonArray(0));
      Instant resolved = at(samples.getJsonArray(samples.size() - 1)).plus(EVALUATION_INTERVAL);
      rows.add(
          new JsonArray()
              .add(labels.getString("alertname"))
              .add(about(labels))
              .add(labels.getString("severity"))
              .add(clock(first) + after(begun, first))
              .add(now.contains(labels) ? "goes on" : clock(resolved) + after(ended, resolved)));
    }
    String head = line("alert", "about", "severity", "fired (of trouble)", "resolved (of its end)");
    return rows.stream()
        .sorted(Comparator.comparing(row -> row.getString(3)))
        .map(row -> line(row.stream().toArray()))
        .collect(Collectors.joining("\n", head + "\n", "\n"));
  }

  private static String line(Object... cells) {
    return "%-28s %-22s %-9s %-21s %s".formatted(cells);
  }

  private static String about(JsonObject labels) {
    return Stream.of("pod", "job", "long")
        .filter(label -> labels.containsKey(label))
        .filter(label -> !label.equals("job") || !labels.containsKey("pod"))
        .map(label -> label + "=" + labels.getString(label))
        .collect(Collectors.joining(" "));
  }

  private static Instant at(JsonArray sample) {
    return Instant.ofEpochMilli(Math.round(sample.getDouble(0) * 1000));
  }

  private static String clock(Instant time) {
    return LocalTime.ofInstant(time, ZoneOffset.UTC).truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private static String after(Instant from, Instant to) {
    return " (%+d s)".formatted(Math.round(Duration.between(from, to).toMillis() / 1e3));
  }
}
