package io.hdrsidecar.tests.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.yaml.snakeyaml.Yaml;

/** Objects of charts and of kustomize, so that they can be compared. */
final class RenderedObjects {
  private RenderedObjects() {}

  /** Asserts that both have the same objects, and says which. */
  static void assertSame(Map<String, Object> chart, Map<String, Object> kustomized) {
    assertThat(chart.keySet()).isEqualTo(kustomized.keySet());
    System.out.println("helm template = kustomize: " + chart.keySet());
    chart.forEach((name, object) -> assertThat(object).as(name).isEqualTo(kustomized.get(name)));
  }

  /**
   * Without what is empty, which says nothing, and without what Helm alone has: labels of charts,
   * pods of {@code helm test}. Rules as what they say and not as their text.
   */
  static Map<String, Object> byName(List<Map<String, Object>> objects) {
    Map<String, Object> byName = new TreeMap<>();
    for (Map<String, Object> object : objects) {
      if (Charts.isTest(object)) {
        continue;
      }
      Map<String, Object> clean = Manifests.map(withoutEmpty(withoutNameLabel(object)));
      if ("ConfigMap".equals(object.get("kind"))) {
        clean.computeIfPresent("data", (key, data) -> read(Manifests.map(data)));
      }
      String name = object.get("kind") + " " + Manifests.in(object, "metadata", "name");
      assertThat(byName.put(name, clean)).as("second " + name).isNull();
    }
    return byName;
  }

  private static Map<String, Object> read(Map<String, Object> files) {
    Map<String, Object> read = new TreeMap<>();
    files.forEach((file, text) -> read.put(file, new Yaml().load(String.valueOf(text))));
    return read;
  }

  /** The chart's in a chart; elsewhere only objects have it that something selects by it. */
  private static Map<String, Object> withoutNameLabel(Map<String, Object> object) {
    Map<String, Object> metadata = Manifests.map(Manifests.in(object, "metadata"));
    if (metadata.get("labels") instanceof Map<?, ?> labels) {
      labels.remove("app.kubernetes.io/name");
    }
    return object;
  }

  private static Object withoutEmpty(Object value) {
    if (value instanceof Map<?, ?> map) {
      Map<String, Object> clean = new TreeMap<>();
      map.forEach(
          (key, entry) -> {
            Object cleaned = entry == null ? Map.of() : withoutEmpty(entry);
            if (!isEmpty(cleaned) && !Charts.LABELS.contains(key)) {
              clean.put(String.valueOf(key), cleaned);
            }
          });
      return clean;
    }
    return value instanceof List<?> list
        ? list.stream().map(RenderedObjects::withoutEmpty).toList()
        : value;
  }

  private static boolean isEmpty(Object value) {
    return (value instanceof Map<?, ?> map && map.isEmpty())
        || (value instanceof Collection<?> list && list.isEmpty());
  }
}
