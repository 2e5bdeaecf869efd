package io.hdrsidecar.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A variable with a mistake in its name is ignored, and one line says so. */
class MistakenVariablesTest {
  private static final Path DOCS = Path.of(System.getProperty("basedir", "."), "..", "..", "docs");
  private static final Pattern SETTING = Pattern.compile("(?m)^[|] `([a-z0-9.-]+)` *[|]");

  private final Logger logger = Logger.getLogger("io.hdrsidecar.client");
  private final List<String> said = new CopyOnWriteArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord logged) {
          said.add(logged.getLevel() + " " + logged.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void watch() {
    logger.addHandler(handler);
  }

  @AfterEach
  void stop() {
    logger.removeHandler(handler);
  }

  @ParameterizedTest
  @CsvSource({
    "ADRESS, ADDRESS",
    "ADDRES, ADDRESS",
    "ADDRESSES, ADDRESS",
    "INTERAVL, INTERVAL",
    "LABEL, LABELS",
    "TOKENFILE, TOKEN_FILE",
    "TLS_CERT_FICATE, TLS_CERTIFICATE",
    "HICCUP_DELAY, HICCUPS_DELAY",
    "SPILL_FODLER, SPILL_FOLDER",
  })
  void nameThatNearlyIsOne_isIgnoredWithOneWarning(String mistaken, String meant) {
    ClientConfig config = ClientConfig.fromEnvironment(Map.of("HDR_SIDECAR_" + mistaken, "x"));

    assertThat(config.toString()).isEqualTo(ClientConfig.builder().build().toString());
    assertThat(said)
        .containsExactly(
            "WARNING unknown variable HDR_SIDECAR_"
                + mistaken
                + " is ignored: did you mean HDR_SIDECAR_"
                + meant
                + "?");
  }

  /** The sidecar's own, as in a container of both, and what Kubernetes makes for services. */
  @Test
  void namesOfTheSidecar_areNoMistakes() throws IOException {
    Map<String, String> environment = new HashMap<>();
    try (Stream<Path> pages = Files.list(DOCS)) {
      for (Path page : pages.filter(file -> file.toString().endsWith(".md")).toList()) {
        SETTING
            .matcher(Files.readString(page))
            .results()
            .map(row -> row.group(1).toUpperCase(Locale.ROOT).replaceAll("[.-]", "_"))
            .map(name -> "HDR_SIDECAR_" + name)
            .filter(name -> !ClientConfig.variables().contains(name))
            .forEach(name -> environment.put(name, "x"));
      }
    }
    assertThat(environment).hasSizeGreaterThan(60).containsKey("HDR_SIDECAR_HTTP_PORT");

    ClientConfig.fromEnvironment(environment);

    assertThat(said).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"HDR_SIDECAR_SERVICE_HOST", "HDR_SIDECAR_PORT", "ADRESS", "ADDRESS"})
  void namesThatAreOfOthers_areNoMistakes(String name) {
    ClientConfig.fromEnvironment(Map.of(name, "tcp://10.0.0.1:9925"));

    assertThat(said).isEmpty();
  }
}
