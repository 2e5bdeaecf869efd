package io.hdrsidecar.tests.dashboards;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One of the files Grafana is given. */
record Dashboard(String uid, JsonObject json) {
  /** Of the repository, seen from the module's folder, which Maven runs tests in. */
  static final Path FOLDER = Path.of("../dashboards");

  /** That of gateways and nodes. */
  static final String FLEET = "hdr-sidecar-fleet";

  /** All of them, by name. */
  static List<Dashboard> all() {
    try (Stream<Path> files = Files.list(FOLDER.resolve("grafana"))) {
      return files
          .filter(file -> file.toString().endsWith(".json"))
          .sorted()
          .map(Dashboard::read)
          .toList();
    } catch (IOException e) {
      throw new IllegalStateException("cannot list the dashboards", e);
    }
  }

  /** Those for a Prometheus; the others ask a sidecar itself for what no Prometheus knows. */
  static List<Dashboard> ofPrometheus() {
    return all().stream().filter(each -> !each.uid().equals("hdr-sidecar-distribution")).toList();
  }

  /** Those that a Prometheus answers which scrapes sidecars: without gateways and nodes. */
  static List<Dashboard> ofSidecars() {
    return ofPrometheus().stream().filter(each -> !each.uid().equals(FLEET)).toList();
  }

  /** The one with this address in Grafana. */
  static Dashboard of(String uid) {
    return all().stream().filter(each -> each.uid().equals(uid)).findAny().orElseThrow();
  }

  private static Dashboard read(Path file) {
    try {
      JsonObject json = new JsonObject(Files.readString(file));
      return new Dashboard(json.getString("uid"), json);
    } catch (IOException e) {
      throw new IllegalStateException("cannot read " + file, e);
    }
  }

  /** Everything on the grid, headings included. */
  List<JsonObject> grid() {
    return objects(json.getJsonArray("panels"));
  }

  /** What asks queries. */
  List<Panel> panels() {
    return grid().stream()
        .filter(panel -> !panel.getString("type").equals("row"))
        .map(Panel::new)
        .toList();
  }

  /** The one with this title. */
  Panel panel(String title) {
    return panels().stream().filter(p -> p.title().equals(title)).findAny().orElseThrow();
  }

  /** As they stand at the top, in order. */
  List<JsonObject> variables() {
    return objects(json.getJsonObject("templating").getJsonArray("list"));
  }

  /** Marks on the time axis. */
  List<JsonObject> annotations() {
    return objects(json.getJsonObject("annotations").getJsonArray("list", new JsonArray()));
  }

  private static List<JsonObject> objects(JsonArray array) {
    return array.stream().map(JsonObject.class::cast).toList();
  }

  @Override
  public String toString() {
    return uid;
  }

  /** A panel that asks. */
  record Panel(JsonObject json) {
    String title() {
      return json.getString("title");
    }

    /** Whether it may ask a sidecar itself, in place of the Prometheus. */
    boolean isOfLatencies() {
      return json.getJsonObject("datasource").getString("uid").equals("${latencies}");
    }

    List<Query> queries() {
      return objects(json.getJsonArray("targets")).stream().map(Query::new).toList();
    }

    /** What has to answer: each of its queries, or one of those that have a colour of their own. */
    List<Query> answering() {
      boolean oneAnswers =
          objects(json.getJsonObject("fieldConfig").getJsonArray("overrides")).stream()
              .anyMatch(o -> o.getJsonObject("matcher").getString("id").equals("byFrameRefID"));
      String any = queries().stream().map(Query::expression).collect(Collectors.joining(" or "));
      return oneAnswers
          ? List.of(new Query(queries().get(0).json().copy().put("expr", any)))
          : queries();
    }
  }

  /** One query of a panel. */
  record Query(JsonObject json) {
    String expression() {
      return json.getString("expr");
    }

    /** Its letter in the panel. */
    String refId() {
      return json.getString("refId");
    }

    /** Whether it is asked for one moment instead of a range. */
    boolean isInstant() {
      return json.getBoolean("instant", false);
    }
  }
}
