package io.hdrsidecar.sidecar.api;

import static io.hdrsidecar.sidecar.support.UploadedSidecar.encoded;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import io.hdrsidecar.sidecar.support.EventStream;
import io.hdrsidecar.sidecar.support.UploadedSidecar;
import io.hdrsidecar.sidecar.support.UploadedSidecar.Interval;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

/** Answers of a real sidecar, held against the schemas of the document that it serves. */
@Timeout(value = 90, unit = TimeUnit.SECONDS)
class OpenApiAnswersTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String CALLS = "?series=calls&start=-20m";

  /** Queries with JSON answers: operation, and what is added to its path. */
  private static final List<List<String>> QUERIES =
      List.of(
          List.of("/api/v1/series", ""),
          List.of("/api/v1/series", "?series=nobody"),
          List.of("/api/v1/series", "?series=%7B"),
          List.of("/api/v1/overview", ""),
          List.of("/api/v1/overview", "?series=nobody"),
          List.of("/api/v1/overview", CALLS + "&sort=p99&points=7"),
          List.of("/api/v1/overview", CALLS + "&figures=false"),
          List.of("/api/v1/overview", "?figures=false"),
          List.of("/api/v1/overview", "?window=total&start=-1m"),
          List.of("/api/v1/histogram", "?series=calls"),
          List.of("/api/v1/histogram", "?series=calls&window=1m&buckets=true"),
          List.of("/api/v1/histogram", CALLS + "&buckets=true&expectedInterval=10ms"),
          List.of("/api/v1/histogram", "?series=calls&start=-1s"),
          List.of("/api/v1/histogram", "?series=nobody"),
          List.of("/api/v1/percentiles", CALLS + "&step=1m"),
          List.of("/api/v1/percentiles", CALLS + "&step=1m&expectedInterval=10ms"),
          List.of("/api/v1/percentiles", CALLS + "&step=1ms"),
          List.of("/api/v1/heatmap", CALLS + "&step=1m&buckets=7"),
          List.of("/api/v1/heatmap", "?series=calls&start=-1s&step=1s"),
          List.of("/api/v1/compare", "?a=calls&b=calls&aStart=-20m"),
          List.of("/api/v1/compare", "?a=calls"),
          List.of("/api/v1/sla", "?start=-20m"),
          List.of("/api/v1/sla", "?selector=nobody&limit=100:1s"),
          List.of("/api/v1/sla", "?sla=nobody"),
          List.of("/api/v1/status", ""));

  private static final List<String> PROMETHEUS_FORMS =
      List.of(
          "query?query=calls_seconds_count",
          "query?query=(",
          "query?query=time()",
          "query_range?query=sum(rate(calls_seconds%5B1m%5D))&start=0&end=60&step=15",
          "query_exemplars?query=calls_seconds",
          "labels?start=0",
          "series?match%5B%5D=calls_seconds");

  private static final List<String> PROMETHEUS_QUERIES =
      Stream.concat(
              PROMETHEUS_FORMS.stream(),
              Stream.of("label/route/values?", "metadata?limit=1", "status/buildinfo?"))
          .toList();

  private final UploadedSidecar sidecar;
  private JsonNode document = JSON.createObjectNode();

  OpenApiAnswersTest(@TempDir Path folder) throws Exception {
    Path rules =
        Files.writeString(
            folder.resolve("sla.yaml"),
            "slas: [{name: calls, selector: calls, limits: {50%: 1ms, 99.9%: 500ms, 100%: 2s}}]");
    sidecar = new UploadedSidecar(Map.of("--sla-file", rules.toString()));
  }

  @BeforeEach
  void upload() throws Exception {
    sidecar.upload(
        "name=calls&unit=ns&label.route=" + encoded("/pay"),
        List.of(new Interval(0, 1, 1_000_000, 50_000_000), new Interval(60, 61, 2_000_000)));
    document = JSON.valueToTree(new Yaml().load(sidecar.get("/api/v1/openapi.yaml").body()));
  }

  @AfterEach
  void stop() {
    sidecar.close();
  }

  @Test
  void answers_ofEveryJsonOperation_areAsTheDocumentSays() throws Exception {
    Set<String> answered = new TreeSet<>();
    for (List<String> question : QUERIES) {
      HttpResponse<String> answer = sidecar.get(question.get(0) + question.get(1));
      assertValid("get", question.get(0), answer, answered);
    }
    String api = "/prometheus/api/v1/";
    for (String question : PROMETHEUS_QUERIES) {
      HttpResponse<String> answer = sidecar.get(api + question);
      String path = api + question.substring(0, question.indexOf('?'));
      assertValid("get", path.replace("/route/", "/{name}/"), answer, answered);
    }
    for (String form : PROMETHEUS_FORMS) {
      String path = api + form.substring(0, form.indexOf('?'));
      byte[] body = form.substring(form.indexOf('?') + 1).getBytes(StandardCharsets.US_ASCII);
      assertValid("post", path, sidecar.post(path, body), answered);
    }
    byte[] garbage = {'x', '\n'};
    byte[] nothing = {};
    String target = "/api/v1/intervals?name=calls";
    assertValid("post", "/api/v1/intervals", sidecar.post(target, garbage), answered);
    assertValid("post", "/api/v1/intervals", sidecar.post(target, nothing), answered);
    assertValid("post", "/api/v1/intervals", sidecar.post(target, oneLine()), answered);
    assertValid("post", "/-/reload", sidecar.post("/-/reload", nothing), answered);

    assertThat(answered).containsAll(jsonOperations());
  }

  @Test
  void events_ofALiveStream_areAsTheDocumentSays() throws Exception {
    String lastId = Long.toString(sidecar.origin - 1000);
    String target = "/api/v1/live?series=calls&buckets=7";
    try (EventStream stream = EventStream.open(sidecar.address().resolve(target), lastId)) {
      EventStream.Event edges = stream.next();
      EventStream.Event step = stream.next();

      assertThat(edges.name()).isEqualTo("edges");
      assertThat(schema("#/components/schemas/LiveEdges").validate(JSON.readTree(edges.data())))
          .isEmpty();
      assertThat(step.name()).isEqualTo("step");
      assertThat(schema("#/components/schemas/LiveStep").validate(JSON.readTree(step.data())))
          .isEmpty();
    }
  }

  private byte[] oneLine() throws Exception {
    String log = sidecar.get("/api/v1/histogram?series=calls&format=hlog").body();
    return log.getBytes(StandardCharsets.US_ASCII);
  }

  /** All that answer with JSON when they succeed. */
  private Set<String> jsonOperations() {
    Set<String> found = new TreeSet<>();
    document
        .get("paths")
        .properties()
        .forEach(
            path ->
                path.getValue()
                    .properties()
                    .forEach(
                        operation -> {
                          JsonNode content = operation.getValue().at("/responses/200/content");
                          if (content.has("application/json")) {
                            found.add(operation.getKey() + " " + path.getKey() + " 200");
                          }
                        }));
    assertThat(found).hasSizeGreaterThan(8);
    return found;
  }

  private void assertValid(
      String method, String path, HttpResponse<String> answer, Set<String> answered)
      throws Exception {
    JsonNode responses = document.get("paths").get(path).get(method).get("responses");
    String status = Integer.toString(answer.statusCode());
    JsonNode response = resolved(responses.get(responses.has(status) ? status : "default"));
    JsonNode reference = response.at("/content/application~1json/schema/$ref");

    Set<?> problems = schema(reference.asText()).validate(JSON.readTree(answer.body()));

    assertThat(problems).as(method + " " + answer.uri() + ": " + answer.body()).isEmpty();
    answered.add(method + " " + path + " " + status);
  }

  private JsonNode resolved(JsonNode response) {
    return response.has("$ref")
        ? document.at(response.get("$ref").asText().substring(1))
        : response;
  }

  /** The document, with one of its schemas as the one to hold. */
  private JsonSchema schema(String reference) {
    assertThat(document.at(reference.substring(1)).isObject()).as(reference).isTrue();
    ObjectNode schema = JSON.createObjectNode();
    schema.set("components", document.get("components"));
    schema.put("$ref", reference);
    return JsonSchemaFactory.getInstance(VersionFlag.V202012).getSchema(schema);
  }

  @Test
  void document_refersOnlyToWhatIsInIt() {
    List<JsonNode> references = document.findValues("$ref");

    assertThat(references).hasSizeGreaterThan(50);
    for (JsonNode reference : references) {
      assertThat(document.at(reference.asText().substring(1)).isObject())
          .as(reference.asText())
          .isTrue();
    }
  }

  @Test
  void schema_ofAnAnswerWithAFieldTooMany_isNotHeld() throws Exception {
    ObjectNode status = (ObjectNode) JSON.readTree(sidecar.get("/api/v1/status").body());
    ((ObjectNode) status.get("data")).put("surprise", 1);

    assertThat(schema("#/components/schemas/StatusAnswer").validate(status)).isNotEmpty();
  }
}
