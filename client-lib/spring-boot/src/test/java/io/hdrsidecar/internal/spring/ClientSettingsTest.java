package io.hdrsidecar.internal.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.series.Labels;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** From properties and variables to the client's settings. */
class ClientSettingsTest {
  private static ClientConfig config(Map<String, String> properties) {
    return config(properties, Map.of());
  }

  private static ClientConfig config(
      Map<String, String> properties, Map<String, String> variables) {
    StandardEnvironment environment = new StandardEnvironment();
    environment
        .getPropertySources()
        .replace(
            StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
            new SystemEnvironmentPropertySource(
                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                new HashMap<>(variables)));
    environment
        .getPropertySources()
        .addLast(new MapPropertySource("file", new HashMap<>(properties)));
    ConfigurationPropertySources.attach(environment);
    HdrSidecarProperties bound =
        Binder.get(environment).bindOrCreate("hdr-sidecar", HdrSidecarProperties.class);
    return new ClientSettings(bound, environment).toConfig();
  }

  /** A property that is not among them would be called a mistake when a variable sets it. */
  @Test
  void properties_whoseVariablesAreKnown_areAllOfThem() {
    assertThat(ClientSettings.PROPERTIES)
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(HdrSidecarProperties.class.getRecordComponents())
                .map(property -> property.getName().toLowerCase(Locale.ROOT))
                .toList());
  }

  @Test
  void nothingSet_isTheClientsOwnDefault_butForHiccups() {
    assertThat(config(Map.of()).toString())
        .isEqualTo(ClientConfig.builder().hiccups(true).build().toString());
  }

  @Test
  void everythingSet_reachesTheClient(@TempDir Path folder) {
    ClientConfig config =
        config(
            Map.of(
                "hdr-sidecar.address", "tcp://sidecar:1",
                "hdr-sidecar.interval", "500ms",
                "hdr-sidecar.close-timeout", "3s",
                "hdr-sidecar.max-series", "7",
                "hdr-sidecar.hiccups-resolution", "5ms",
                "hdr-sidecar.hiccups-delay", "1m",
                "hdr-sidecar.spill-folder", folder.toString(),
                "hdr-sidecar.crash-folder", folder.resolve("crash").toString(),
                "hdr-sidecar.common-labels.region", "eu"));
    assertThat(config.address()).isEqualTo("tcp://sidecar:1");
    assertThat(config.interval()).isEqualTo(Duration.ofMillis(500));
    assertThat(config.closeTimeout()).isEqualTo(Duration.ofSeconds(3));
    assertThat(config.maxSeries()).isEqualTo(7);
    assertThat(config.hiccups().orElseThrow().resolution()).isEqualTo(Duration.ofMillis(5));
    assertThat(config.hiccups().orElseThrow().startDelay()).isEqualTo(Duration.ofMinutes(1));
    assertThat(config.spillFolder()).contains(folder);
    assertThat(config.crashFolder()).contains(folder.resolve("crash"));
    assertThat(config.commonLabels()).isEqualTo(Labels.of("region", "eu"));
  }

  /** The variables that the webhook and the Helm chart set mean the same to an application. */
  @Test
  void variablesOfTheClient_areUnderstood(@TempDir Path folder) {
    Map<String, String> variables =
        Map.of(
            "HDR_SIDECAR_ADDRESS", "unix:///run/hdr-sidecar/hdr-sidecar.sock",
            "HDR_SIDECAR_INTERVAL", "2s",
            "HDR_SIDECAR_HICCUPS", "false",
            "HDR_SIDECAR_TLS_CA", "",
            "HDR_SIDECAR_TOKEN", "",
            "HDR_SIDECAR_SPILL_FOLDER", folder.toString(),
            "HDR_SIDECAR_CRASH_FOLDER", folder.resolve("crash").toString(),
            "HDR_SIDECAR_LABELS", "app=,namespace=shop,pod=shop-1");
    ClientConfig config = config(Map.of("hdr-sidecar.interval", "9s"), variables);

    assertThat(config.toString()).isEqualTo(ClientConfig.fromEnvironment(variables).toString());
  }

  @ParameterizedTest
  @CsvSource({
    "HDR_SIDECAR_HICCUPS_RESOLUTION, 20ms",
    "HDR_SIDECAR_HICCUPS_DELAY, 5s",
    "HDR_SIDECAR_ENABLED, false"
  })
  void otherVariables_areUnderstood(String variable, String value) {
    Map<String, String> variables =
        Map.of(variable, value, "HDR_SIDECAR_HICCUPS", "" + !variable.endsWith("ENABLED"));
    assertThat(config(Map.of(), variables).toString())
        .isEqualTo(ClientConfig.fromEnvironment(variables).toString());
  }

  /** Deployment tools that cannot leave a variable out set it to an empty text. */
  @Test
  void variables_thatAreEmpty_areNotSet() {
    Map<String, String> variables = new HashMap<>();
    for (RecordComponent property : HdrSidecarProperties.class.getRecordComponents()) {
      if (property.getType() != Map.class) {
        String name = property.getName().replaceAll("([A-Z])", "_$1").toUpperCase(Locale.ROOT);
        variables.put("HDR_SIDECAR_" + name, "");
      }
    }
    assertThat(config(Map.of(), variables).toString()).isEqualTo(config(Map.of()).toString());
  }

  @Test
  void nameOfTheApplication_isALabel_unlessOneIsGiven() {
    Map<String, String> named = Map.of("spring.application.name", "shop");
    assertThat(config(named).commonLabels()).isEqualTo(Labels.of("application", "shop"));
    assertThat(config(named, Map.of("HDR_SIDECAR_LABELS", "application=till")).commonLabels())
        .isEqualTo(Labels.of("application", "till"));
  }

  /** Both would be on each meter, and the client refuses a tag that contradicts a common label. */
  @Test
  void nameOfTheApplication_givenAsATagOfAllMeters_isTheSameLabel() {
    assertThat(
            config(
                    Map.of(
                        "spring.application.name", "shop",
                        "management.metrics.tags.application", "till"))
                .commonLabels())
        .isEqualTo(Labels.of("application", "till"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hdr-sidecar.enabled",
        "management.hdr-sidecar.metrics.export.enabled",
        "management.defaults.metrics.export.enabled"
      })
  void switchedOff_nothingIsSentOrMeasured(String property) {
    ClientConfig config = config(Map.of(property, "false"));
    assertThat(config.enabled()).isFalse();
    assertThat(config.hiccups()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "address, udp://x:1, tcp://",
    "interval, 5ms, must be 10ms to 1h: 5ms",
    "max-series, 0, 1000000",
    "hiccups-resolution, 2s, must be 1ms to 1s: 2s",
    "common-labels.le, x, reserved",
    "token-file, /there/is/none, /there/is/none",
    "tls-certificate, /only/one, hdr-sidecar.tls-key"
  })
  void wrongValue_isNamedAsItWasWritten(String name, String value, String reason) {
    assertThatThrownBy(() -> config(Map.of("hdr-sidecar." + name, value)))
        .isInstanceOfSatisfying(
            InvalidConfigurationPropertyValueException.class,
            problem -> {
              assertThat("hdr-sidecar." + name).startsWith(problem.getName());
              assertThat(problem.getReason()).contains(reason);
            });
  }
}
