package io.hdrsidecar.internal.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.RecordComponent;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** A variable with a mistake in its name is ignored, and one line says so, as without Spring. */
class MistakenVariablesTest {
  private final Logger logger = Logger.getLogger("io.hdrsidecar.client");
  private final List<String> said = new CopyOnWriteArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord logged) {
          if (logged.getMessage().contains("unknown variable")) {
            said.add(logged.getLevel() + " " + logged.getMessage());
          }
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

  private static void start(Map<String, Object> variables) {
    Applications.plain()
        .withInitializer(
            context ->
                context
                    .getEnvironment()
                    .getPropertySources()
                    .replace(
                        StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                        new SystemEnvironmentPropertySource(
                            StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                            variables)))
        .run(context -> assertThat(context).hasNotFailed());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "app=shop"})
  void mistake_isIgnoredWithOneWarning(String labels) {
    start(Map.of("HDR_SIDECAR_ADRESS", "unix:///nowhere", "HDR_SIDECAR_LABELS", labels));
    assertThat(said)
        .containsExactly(
            "WARNING unknown variable HDR_SIDECAR_ADRESS is ignored: did you mean"
                + " HDR_SIDECAR_ADDRESS?");
  }

  /** {@code HDR_SIDECAR_TOKENFILE} is how Boot writes {@code hdr-sidecar.token-file}. */
  @Test
  void propertiesAsBootWritesThem_andVariablesOfOthers_areNoMistakes() {
    Map<String, Object> variables = new HashMap<>();
    variables.put("HDR_SIDECAR_SERVICE_HOST", "10.0.0.1");
    variables.put("HDR_SIDECAR_HTTP_PORT", "9925");
    for (RecordComponent property : HdrSidecarProperties.class.getRecordComponents()) {
      variables.put("HDR_SIDECAR_" + property.getName().toUpperCase(Locale.ROOT), "");
    }
    variables.remove("HDR_SIDECAR_COMMONLABELS"); // Its labels are variables, such as ..._ZONE.
    start(variables);
    assertThat(said).isEmpty();
  }
}
