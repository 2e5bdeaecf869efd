package io.hdrsidecar.sidecar.docs;

import static io.hdrsidecar.testing.GeneratedPage.cell;

import io.hdrsidecar.testing.GeneratedPage;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/**
 * {@code docs/http-api.md} lists every request, as the OpenAPI document that is served does; but
 * not those of Prometheus' API, which {@code docs/promql.md} is about.
 */
class HttpApiPageTest {
  private static final String DOCUMENT = "/io/hdrsidecar/sidecar/api/openapi.yaml";

  @Test
  void page_requests_areThoseOfTheServedDocument() throws IOException {
    StringBuilder page = new StringBuilder();
    try (InputStream in =
        Objects.requireNonNull(HttpApiPageTest.class.getResourceAsStream(DOCUMENT))) {
      Map<?, ?> document = new Yaml().load(in);
      map(document, "paths")
          .forEach(
              (path, methods) -> {
                if (!path.toString().startsWith("/prometheus/")) {
                  ((Map<?, ?>) methods)
                      .forEach((method, it) -> write(page, document, method + " " + path, it));
                }
              });
    }
    new GeneratedPage("http-api.md").assertHas(page.toString());
  }

  private static void write(StringBuilder page, Map<?, ?> document, String line, Object it) {
    Map<?, ?> operation = (Map<?, ?>) it;
    int space = line.indexOf(' ');
    String request = line.substring(0, space).toUpperCase(java.util.Locale.ROOT);
    page.append("### `").append(request).append(line.substring(space)).append("`\n\n");
    page.append(operation.get("summary")).append(".\n\n");
    List<?> parameters = (List<?>) operation.get("parameters");
    if (parameters == null) {
      return;
    }
    page.append("| parameter | default | meaning |\n| --- | --- | --- |\n");
    for (Object parameter : parameters) {
      row(page, resolved(document, (Map<?, ?>) parameter));
    }
    page.append('\n');
  }

  private static void row(StringBuilder page, Map<?, ?> parameter) {
    Map<?, ?> schema = map(parameter, "schema");
    Object unset = schema.get("default");
    Object meaning = parameter.get("description");
    if (meaning == null && schema.get("enum") instanceof List<?> values) {
      meaning = "one of " + String.join(", ", values.stream().map(String::valueOf).toList());
    }
    boolean required = Boolean.TRUE.equals(parameter.get("required"));
    page.append("| `").append(parameter.get("name")).append("` | ");
    page.append(required ? "required" : unset == null ? "" : "`" + unset + "`").append(" | ");
    page.append(meaning == null ? "as above" : cell(meaning.toString())).append(" |\n");
  }

  private static Map<?, ?> resolved(Map<?, ?> document, Map<?, ?> parameter) {
    Object reference = parameter.get("$ref");
    if (reference == null) {
      return parameter;
    }
    Map<?, ?> found = document;
    for (String part : reference.toString().substring(2).split("/", -1)) {
      found = map(found, part);
    }
    return found;
  }

  private static Map<?, ?> map(Map<?, ?> in, String key) {
    return (Map<?, ?>) Objects.requireNonNull(in.get(key), key);
  }
}
