package io.hdrsidecar.tests.explore;

import static io.hdrsidecar.tests.explore.Explorer.link;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.image.ComposeStack;
import io.hdrsidecar.tests.support.Eventually;
import io.hdrsidecar.tests.support.RequiresDocker;
import io.hdrsidecar.tests.support.RequiresPrograms;
import io.hdrsidecar.tests.support.Tool;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What {@code k8s/compose/languages.yaml} describes runs: a pod of four languages, and one page of
 * the explorer. Images of Go, Python and Node are not there to have where these tests must run: the
 * programs of this machine run in empty ones.
 */
@RequiresDocker
@RequiresPrograms({"compose-model", "go", "node", "python3"})
@EnabledOnOs(OS.LINUX)
final class LanguagesComposeIT {
  private static final List<String> LANGUAGES = List.of("java", "go", "python", "node");
  private static final Pattern COUNT =
      Pattern.compile(
          "(?m)^shop_request_seconds_count\\{language=\"(\\w+)\",route=\"/checkout\"} (\\d+)$");

  /** What each program says at its end. */
  private static final Pattern CALLS = Pattern.compile("shop calls=(\\d+)");

  @RegisterExtension static final Chromium CHROMIUM = new Chromium();

  private final HttpClient client = HttpClient.newHttpClient();

  @Test
  void pod_ofFourLanguages_isOnePageAndLosesNothingAtItsEnd() throws Exception {
    ComposeStack stack = ComposeStack.of(Path.of("../k8s/compose/languages.yaml"));
    stack.standIn("golang:1.24", printed("go", "env", "GOROOT"));
    stack.standIn(
        "python:3.13-slim", printed("python3", "-c", "import sys; print(sys.base_prefix)"));
    String node = "path.dirname(path.dirname(process.execPath))";
    stack.standIn("node:24-slim", printed("node", "-p", node));
    long start = System.currentTimeMillis() / 1000 * 1000 - 60_000;
    try {
      stack.start("sidecar", "java", "go", "python", "node");
      String address = stack.address("sidecar", 9925);
      Eventually.holds(
          () ->
              assertThat(counts(address))
                  .as(() -> logs(stack))
                  .containsOnlyKeys(LANGUAGES)
                  .allSatisfy((language, count) -> assertThat(count).isGreaterThan(100)));
      for (String language : LANGUAGES) {
        assertThat(stack.stop(language))
            .as(() -> logs(stack))
            .isEqualTo(language.equals("java") ? 143 : 0);
      }

      long end = System.currentTimeMillis() / 1000 * 1000 + 60_000; // "now" may lag a second
      Map<String, Long> counts = counts(address);
      for (String language : LANGUAGES) {
        Matcher calls = CALLS.matcher(stack.log(language));
        assertThat(calls.find()).as(() -> logs(stack)).isTrue();
        assertThat(counts).containsEntry(language, Long.parseLong(calls.group(1)));
      }
      Explorer explorer = CHROMIUM.explorer(URI.create("http://" + address).getPort());
      explorer.open("");
      for (String language : LANGUAGES) {
        explorer.row("shop_request{language=\"" + language + "\",route=\"/checkout\"}").waitFor();
      }
      explorer.open(
          link("s", "shop_request", "start", Explorer.time(start), "end", Explorer.time(end)));
      explorer.awaitCount(counts.values().stream().mapToLong(Long::longValue).sum());
    } finally {
      stack.remove();
    }
  }

  private static String printed(String... command) throws Exception {
    return Tool.run(List.of(command), Path.of(".")).strip();
  }

  private Map<String, Long> counts(String address) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://" + address + "/metrics")).build();
    Matcher line = COUNT.matcher(client.send(request, BodyHandlers.ofString()).body());
    Map<String, Long> counts = new TreeMap<>();
    while (line.find()) {
      counts.put(line.group(1), Long.parseLong(line.group(2)));
    }
    return counts;
  }

  private static String logs(ComposeStack stack) {
    StringBuilder logs = new StringBuilder();
    for (String language : LANGUAGES) {
      try {
        logs.append(language).append(": ").append(stack.log(language)).append('\n');
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }
    return logs.toString();
  }
}
