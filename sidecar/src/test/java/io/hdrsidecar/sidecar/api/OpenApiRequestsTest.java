package io.hdrsidecar.sidecar.api;

import static io.hdrsidecar.sidecar.support.UploadedSidecar.encoded;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import io.hdrsidecar.sidecar.support.EventStream;
import io.hdrsidecar.sidecar.support.UploadedSidecar;
import io.hdrsidecar.sidecar.support.UploadedSidecar.Interval;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.yaml.snakeyaml.Yaml;

/**
 * Requests made from the schemas of the document that a real sidecar serves: what it allows is not
 * refused for its form, what it forbids is, for every operation and each of its parameters. Which
 * text a schema allows is asked of another validator than the one in the sidecar.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class OpenApiRequestsTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Text that schemas may or may not allow. */
  private static final List<String> TEXTS =
      List.of(
          "",
          "0",
          "1",
          "-1",
          "1.5",
          "1e3",
          "1E400",
          "0x10",
          "NaN",
          "true",
          "TRUE",
          "json",
          "total",
          "101",
          "100.0",
          "50,",
          ",50",
          "50;90",
          "10",
          "10s",
          "10 s",
          "s10",
          "-10s",
          "now",
          "Now",
          "yesterday",
          "2026-01-02",
          "2026-01-02T03:04:05Z",
          "2026-01-02 03:04:05",
          "calls",
          "{",
          "9".repeat(30),
          "x".repeat(5000),
          "\u0000",
          "\u00e9",
          "a\nb",
          "calls{a=\"b\"}");

  private final UploadedSidecar sidecar;
  private JsonNode document = JSON.createObjectNode();
  private int refused;
  private int allowed;

  OpenApiRequestsTest() throws Exception {
    sidecar = new UploadedSidecar(Map.of());
  }

  @BeforeEach
  void upload() throws Exception {
    sidecar.upload("name=calls&unit=ns", List.of(new Interval(0, 1, 1_000_000)));
    document = JSON.valueToTree(new Yaml().load(sidecar.get("/api/v1/openapi.yaml").body()));
  }

  @AfterEach
  void stop() {
    sidecar.close();
  }

  /** An operation of the API: its method, its path, its parameters by name. */
  private record Operation(String method, String path, Map<String, JsonNode> parameters) {
    /** A request that the document allows: what is required, from the examples. */
    Map<String, String> least() {
      Map<String, String> least = new LinkedHashMap<>();
      parameters.forEach(
          (name, parameter) -> {
            if (parameter.path("required").asBoolean()) {
              least.put(name, parameter.at("/schema/examples/0").asText());
            }
          });
      return least;
    }
  }

  private List<Operation> operations() {
    List<Operation> operations = new ArrayList<>();
    document
        .get("paths")
        .properties()
        .forEach(
            path ->
                path.getValue()
                    .properties()
                    .forEach(
                        operation -> {
                          if (path.getKey().startsWith("/api/v1/")) {
                            operations.add(
                                new Operation(
                                    operation.getKey(),
                                    path.getKey(),
                                    parameters(operation.getValue())));
                          }
                        }));
    assertThat(operations).hasSizeGreaterThan(10);
    return operations;
  }

  private Map<String, JsonNode> parameters(JsonNode operation) {
    Map<String, JsonNode> parameters = new TreeMap<>();
    for (JsonNode reference : operation.path("parameters")) {
      JsonNode parameter = resolved(reference).deepCopy();
      JsonNode schema = resolved(parameter.get("schema"));
      ((com.fasterxml.jackson.databind.node.ObjectNode) parameter).set("schema", schema);
      if (!schema.path("type").asText().equals("object")) {
        parameters.put(parameter.get("name").asText(), parameter);
      }
    }
    return parameters;
  }

  private JsonNode resolved(JsonNode node) {
    return node.has("$ref") ? document.at(node.get("$ref").asText().substring(1)) : node;
  }

  private static boolean allows(JsonNode schema, String text) throws Exception {
    return JsonSchemaFactory.getInstance(VersionFlag.V202012)
        .getSchema(schema)
        .validate(typed(schema, text))
        .isEmpty();
  }

  /** As OpenAPI reads it: a number if the schema wants one and the text is one in JSON. */
  private static JsonNode typed(JsonNode schema, String text) {
    if (schema.path("type").asText().equals("array")) {
      ArrayNode items = JSON.createArrayNode();
      for (String part : text.split(",", -1)) {
        items.add(typed(schema.get("items"), part.strip()));
      }
      return items;
    }
    boolean plain = List.of("integer", "number", "boolean").contains(schema.path("type").asText());
    try {
      return plain && text.equals(text.strip()) ? JSON.readTree(text) : TextNode.valueOf(text);
    } catch (java.io.IOException notJson) {
      return TextNode.valueOf(text);
    }
  }

  /** As it stands in a query: items of a list with commas between them. */
  private static String text(JsonNode example) {
    if (!example.isArray()) {
      return example.asText();
    }
    List<String> items = new ArrayList<>();
    example.forEach(item -> items.add(item.asText()));
    return String.join(",", items);
  }

  private static List<String> textsFor(JsonNode schema) {
    List<String> texts = new ArrayList<>(TEXTS);
    schema.path("examples").forEach(example -> texts.add(text(example)));
    schema.path("enum").forEach(choice -> texts.add(choice.asText()));
    for (String bound : List.of("minimum", "maximum")) {
      if (schema.path("type").asText().equals("integer")) {
        long at = schema.get(bound).asLong();
        texts.addAll(List.of("" + (at - 1), "" + at, "" + (at + 1)));
      }
    }
    return texts;
  }

  @Test
  void request_isRefusedForItsFormIfAndOnlyIfTheDocumentForbidsIt() throws Exception {
    for (Operation operation : operations()) {
      for (Map.Entry<String, JsonNode> parameter : operation.parameters().entrySet()) {
        JsonNode schema = parameter.getValue().get("schema");
        boolean header = parameter.getValue().get("in").asText().equals("header");
        for (String text : textsFor(schema)) {
          if (!header || text.matches("[!-~]*")) {
            Map<String, String> all = new LinkedHashMap<>(operation.least());
            all.put(parameter.getKey(), text);
            boolean missing = parameter.getValue().path("required").asBoolean() && text.isEmpty();
            check(operation, parameter.getKey(), header, all, allows(schema, text) && !missing);
          }
        }
      }
    }
    assertThat(refused).isGreaterThan(500);
    assertThat(allowed).isGreaterThan(200);
  }

  private void check(
      Operation operation, String name, boolean header, Map<String, String> all, boolean allows)
      throws Exception {
    Answer answer = send(operation, all, header ? name : "");
    String question = operation.path() + " " + name + "=" + all.get(name) + ": " + answer.body();
    if (allows) {
      allowed++;
      assertThat(answer.status()).as(question).isIn(200, 400, 404, 422);
      // What the schema cannot say is refused by whoever reads the value.
      assertThat(answer.body()).as(question).doesNotContain("not a known parameter");
    } else {
      refused++;
      assertThat(answer.status()).as(question).isEqualTo(400);
      JsonObject error = new JsonObject(answer.body());
      assertThat(error.getString("errorType")).as(question).isEqualTo("bad_data");
      assertThat(error.getString("error")).as(question).startsWith(name + ": ");
    }
  }

  @Test
  void examples_ofEveryParameter_areTaken() throws Exception {
    for (Operation operation : operations()) {
      for (Map.Entry<String, JsonNode> parameter : operation.parameters().entrySet()) {
        JsonNode schema = parameter.getValue().get("schema");
        boolean header = parameter.getValue().get("in").asText().equals("header");
        List<String> good = new ArrayList<>();
        schema.path("examples").forEach(example -> good.add(text(example)));
        schema.path("enum").forEach(choice -> good.add(choice.asText()));
        for (String text : good) {
          Map<String, String> all = new LinkedHashMap<>(operation.least());
          all.put(parameter.getKey(), text);
          Answer answer = send(operation, all, header ? parameter.getKey() : "");
          if (!isOrderOfTimes(answer.body())) {
            assertThat(answer.status())
                .as(operation.path() + " " + all + ": " + answer.body())
                .isIn(200, 422);
          }
        }
      }
    }
  }

  /** An end alone may lie before the start that goes with it, and a step may be too short. */
  private static boolean isOrderOfTimes(String body) {
    return body.contains("must be after") || body.contains("step: must be from 1s to 1h");
  }

  @Test
  void request_withWhatIsNotInTheDocument_isRefused() throws Exception {
    for (Operation operation : operations()) {
      Map<String, String> unknown = new LinkedHashMap<>(operation.least());
      unknown.put("surprise", "1");
      assertRefused(operation, query(unknown, ""), "surprise: not a known parameter; known: ");
      for (String name : operation.parameters().keySet()) {
        if (!operation.parameters().get(name).get("in").asText().equals("header")) {
          String twice = query(operation.least(), "") + "&" + name + "=1&" + name + "=1";
          assertRefused(operation, twice, name + ": given more than once");
        }
      }
      for (String name : operation.least().keySet()) {
        Map<String, String> without = new LinkedHashMap<>(operation.least());
        without.remove(name);
        assertRefused(operation, query(without, ""), name + ": required, but missing");
      }
    }
  }

  private void assertRefused(Operation operation, String query, String message) throws Exception {
    String target = operation.path() + "?" + query;
    HttpResponse<String> answer =
        operation.method().equals("post")
            ? sidecar.post(target, new byte[] {'x'})
            : sidecar.get(target);
    assertThat(answer.statusCode()).as(target).isEqualTo(400);
    assertThat(new JsonObject(answer.body()).getString("error")).as(target).startsWith(message);
  }

  private record Answer(int status, String body) {}

  private Answer send(Operation operation, Map<String, String> all, String header)
      throws Exception {
    String target = operation.path() + "?" + query(all, header);
    if (operation.method().equals("post")) {
      HttpResponse<String> answer = sidecar.post(target, "#\n".getBytes(StandardCharsets.US_ASCII));
      boolean noLine = answer.body().contains("no interval line in it");
      return new Answer(noLine ? 200 : answer.statusCode(), answer.body());
    }
    if (operation.path().equals("/api/v1/live")) {
      String id = all.getOrDefault(header, "");
      try (EventStream stream = EventStream.open(sidecar.address().resolve(target), id)) {
        int status = stream.response.statusCode();
        return new Answer(
            status,
            status == 200
                ? ""
                : new String(stream.response.body().readAllBytes(), StandardCharsets.UTF_8));
      }
    }
    HttpResponse<String> answer = sidecar.get(target);
    return new Answer(answer.statusCode(), answer.body());
  }

  private static String query(Map<String, String> all, String except) {
    return all.entrySet().stream()
        .filter(each -> !each.getKey().equals(except))
        .map(each -> each.getKey() + "=" + encoded(each.getValue()))
        .collect(Collectors.joining("&"));
  }
}
