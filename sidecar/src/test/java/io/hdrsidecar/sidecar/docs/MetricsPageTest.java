package io.hdrsidecar.sidecar.docs;

import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.sidecar.Sidecar;
import io.hdrsidecar.sidecar.config.ConfigLoader;
import io.hdrsidecar.testing.GeneratedPage;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The pages list every family that a running sidecar exposes about itself, each on one page. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class MetricsPageTest {
  private static final Pattern HELP = Pattern.compile("(?m)^# HELP (?<name>\\S+) (?<help>.*)$");
  private static final Pattern TYPE = Pattern.compile("(?m)^# TYPE (?<name>\\S+) (?<type>\\S+)$");
  private static final Pattern SAMPLE =
      Pattern.compile("(?m)^(?<name>[a-zA-Z_:][\\w:]*)\\{(?<labels>[^}]*)}");
  private static final Pattern LABEL = Pattern.compile("(?<name>\\w+)=\"");

  /** Families that stand on the page of their topic, by the beginning of their names. */
  private static final Map<String, String> PAGES =
      Map.of(
          "hdr_sidecar_export_", "export.md",
          "hdr_sidecar_otlp_", "otlp.md",
          "hdr_sidecar_statsd_", "statsd.md",
          "hdr_sidecar_upstream_", "upstream.md",
          "hdr_sla_", "sla.md");

  /** What waits for a rule's first verdict, for a client, and for an answer before this page. */
  private static final List<String> NOT_AT_ONCE =
      List.of("hdr_sla_met{", "_client_series{", "_http_request_duration_seconds_count{");

  private final Path folder;

  MetricsPageTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @Test
  void page_families_areThoseOfARunningSidecar() throws Exception {
    try (Sidecar sidecar = Sidecar.start(ConfigLoader.load(everythingOn(), Map.of(), null));
        HdrSidecarClient client = client(sidecar)) {
      client.recorder("checkout").record(1_000);
      String page = "";
      while (!NOT_AT_ONCE.stream().allMatch(page::contains)) {
        page = get(sidecar.httpAddress().resolve("/metrics")); // until the test's time-out
      }
      Set<String> elsewhere = PAGES.keySet();
      new GeneratedPage("metrics.md")
          .assertHas(table(page, name -> elsewhere.stream().noneMatch(name::startsWith)));
      for (Map.Entry<String, String> topic : PAGES.entrySet()) {
        new GeneratedPage(topic.getValue(), "metrics")
            .assertHas(table(page, name -> name.startsWith(topic.getKey())));
      }
    }
  }

  private Map<String, String> everythingOn() throws IOException {
    Path rules = folder.resolve("sla.yaml");
    Files.writeString(
        rules,
        "slas: [{name: a, selector: checkout, limits: {99%: 1s, 100%: 2s}, objective: 99%}]");
    return Map.of(
        "--ingest-port",
        "0",
        "--http-port",
        "0",
        "--journal-directory",
        folder.resolve("journal").toString(),
        "--spill-folder",
        folder.resolve("spill").toString(),
        "--crash-folder",
        folder.resolve("crash").toString(),
        "--upstream-address",
        "unix://" + folder.resolve("nobody"),
        "--statsd-udp-address",
        "127.0.0.1:0",
        "--otlp-address",
        "127.0.0.1:0",
        "--export-otlp-address",
        "http://127.0.0.1:9",
        "--sla-file",
        rules.toString());
  }

  private static HdrSidecarClient client(Sidecar sidecar) {
    return HdrSidecarClient.create(
        ClientConfig.builder()
            .address(sidecar.ingestAddress().toString())
            .interval(Duration.ofMillis(50))
            .shutdownHook(false)
            .build());
  }

  private static String get(URI address) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(address).timeout(Duration.ofSeconds(60)).build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
  }

  private static String table(String page, Predicate<String> isHere) {
    Map<String, String> types = new TreeMap<>();
    TYPE.matcher(page).results().forEach(found -> types.put(found.group(1), found.group(2)));
    Map<String, String> helps = new TreeMap<>();
    HELP.matcher(page).results().forEach(found -> helps.put(found.group(1), found.group(2)));
    StringBuilder rows = new StringBuilder();
    rows.append("| family | type | labels | meaning |\n| --- | --- | --- | --- |\n");
    types.forEach(
        (name, type) -> {
          if (name.matches("(hdr|process)_.*") && isHere.test(name)) {
            rows.append("| `").append(name).append("` | ").append(type).append(" | ");
            rows.append(String.join(", ", labels(page, name))).append(" | ");
            rows.append(GeneratedPage.sentence(helps.getOrDefault(name, ""))).append(" |\n");
          }
        });
    return rows.toString();
  }

  private static Set<String> labels(String page, String family) {
    Set<String> names = new TreeSet<>();
    Matcher sample = SAMPLE.matcher(page);
    while (sample.find()) {
      String name = sample.group("name");
      if (name.equals(family) || name.equals(family + "_count")) {
        LABEL.matcher(sample.group("labels")).results().forEach(l -> names.add(l.group(1)));
      }
    }
    return names;
  }
}
