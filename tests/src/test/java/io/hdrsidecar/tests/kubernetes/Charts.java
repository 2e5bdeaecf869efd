package io.hdrsidecar.tests.kubernetes;

import io.hdrsidecar.tests.support.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The Helm charts of this project, as Helm writes them out. */
final class Charts {
  static final String SIDECAR = "hdr-sidecar";
  static final String INJECT = "hdr-sidecar-inject";
  static final String MONITORING = "hdr-sidecar-monitoring";
  static final String FLEET = "hdr-sidecar-fleet";

  static final List<String> ALL = List.of(SIDECAR, INJECT, MONITORING, FLEET);

  /** Labels that charts alone give to objects, besides their name. */
  static final Set<String> LABELS =
      Set.of(
          "helm.sh/chart",
          "app.kubernetes.io/instance",
          "app.kubernetes.io/version",
          "app.kubernetes.io/part-of",
          "app.kubernetes.io/managed-by");

  /** By chart, what makes it render all that it has. */
  private static final Map<String, List<String>> EVERYTHING =
      Map.of(
          SIDECAR,
          List.of(
              "--set=example.enabled=true",
              "--set=networkPolicy.enabled=true",
              "--values=../../examples/shop/sla.yaml"),
          INJECT,
          List.of(
              "--set=certificate.certManager=true",
              "--set=serviceMonitor.enabled=true",
              "--set=prometheusRule.enabled=true"),
          MONITORING,
          List.of(),
          FLEET,
          List.of(
              "--set=topics.enabled=true",
              "--set=podMonitor.enabled=true",
              "--set=prometheusRule.enabled=true"));

  private Charts() {}

  /** All objects that a chart can have, as the release {@code one} in a namespace. */
  static String everything(String chart, String namespace, String... options) throws Exception {
    List<String> command =
        new ArrayList<>(List.of("helm", "template", "one", ".", "--namespace=" + namespace));
    command.addAll(EVERYTHING.getOrDefault(chart, List.of()));
    command.addAll(List.of(options));
    return Tool.run(command, Manifests.FOLDER.resolve("helm").resolve(chart));
  }

  /** The values that a page of docs/ shows first, as a file in this folder. */
  static Path valuesOf(String page, Path folder) throws IOException {
    String text = Files.readString(Path.of("..", "docs", page));
    String shown = text.split("```yaml\n", 2)[1].split("```", 2)[0];
    return Files.writeString(folder.resolve("values.yaml"), shown);
  }

  /** Whether an object is there for {@code helm test} alone. */
  static boolean isTest(Map<String, Object> object) {
    Map<String, Object> metadata = Manifests.map(Manifests.in(object, "metadata"));
    return metadata.get("annotations") instanceof Map<?, ?> annotations
        && "test".equals(annotations.get("helm.sh/hook"));
  }
}
