package io.hdrsidecar.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.client.ClientConfig;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgentArgumentsTest {
  @Test
  void over_ofArguments_putsThemOverTheEnvironment() {
    Map<String, String> environment =
        Map.of("HDR_SIDECAR_ADDRESS", "tcp://a:1", "HDR_SIDECAR_TOKEN", "t", "HOME", "/root");

    assertThat(
            AgentArguments.parse("address=unix:///b,interval=2s,hiccups_delay=30s")
                .over(environment))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "HDR_SIDECAR_ADDRESS", "unix:///b",
                "HDR_SIDECAR_INTERVAL", "2s",
                "HDR_SIDECAR_HICCUPS", "true",
                "HDR_SIDECAR_HICCUPS_DELAY", "30s",
                "HDR_SIDECAR_TOKEN", "t",
                "HOME", "/root"));
  }

  @Test
  void over_ofSeveralLabels_joinsThem() {
    assertThat(
            AgentArguments.parse("labels=app=x,labels=zone=a")
                .over(Map.of("HDR_SIDECAR_LABELS", "app=old")))
        .containsEntry("HDR_SIDECAR_LABELS", "app=x,zone=a");
  }

  @Test
  void over_ofNothing_switchesHiccupsOnUnlessTheEnvironmentSaysOtherwise() {
    assertThat(AgentArguments.parse("").over(Map.of()))
        .containsEntry("HDR_SIDECAR_HICCUPS", "true");
    assertThat(AgentArguments.parse("").over(Map.of("HDR_SIDECAR_HICCUPS", "false")))
        .containsEntry("HDR_SIDECAR_HICCUPS", "false");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "adress=x | argument must be one of address, enabled, interval, labels, "
            + "hiccups, hiccups_resolution, hiccups_delay, token, token_file, "
            + "tls_ca, tls_certificate, tls_key, spill_folder, crash_folder, spill_pickup: adress",
        "address | argument must be name=value: address",
        "token=a,token=b | argument given twice: token",
      })
  void parse_ofAWrongArgument_saysWhatWasExpected(String arguments, String message) {
    assertThatThrownBy(() -> AgentArguments.parse(arguments))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Test
  void over_ofTheFolders_areTakenAsTheClientTakesThem() {
    ClientConfig config =
        ClientConfig.fromEnvironment(
            AgentArguments.parse("spill_folder=/s,crash_folder=/dev/shm/c,spill_pickup=false")
                .over(Map.of()));

    assertThat(config.spillFolder()).contains(Path.of("/s"));
    assertThat(config.crashFolder()).contains(Path.of("/dev/shm/c"));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "interval=abc | argument interval: must be a whole number with a unit, such as 500ms, 10s,"
            + " 1m or 1h: abc; HDR_SIDECAR_HICCUPS: must be true or false: maybe",
        "address=x,token_file=/none | argument address: address must be tcp://host:port,"
            + " tls://host:port or unix:///path (at most 107 characters): x;"
            + " HDR_SIDECAR_HICCUPS: must be true or false: maybe;"
            + " argument token_file: token file does not exist: /none",
        "token=a,token_file=/b | HDR_SIDECAR_HICCUPS: must be true or false: maybe;"
            + " argument token_file: must not be set together with argument token",
        "'' | environment of hdr-sidecar's client:"
            + " HDR_SIDECAR_HICCUPS: must be true or false: maybe",
      })
  void asGiven_ofWrongValues_namesEachWhereItWasGiven(String given, String expected) {
    AgentArguments arguments = AgentArguments.parse(given);

    assertThatThrownBy(
            () ->
                ClientConfig.fromEnvironment(
                    arguments.over(Map.of("HDR_SIDECAR_HICCUPS", "maybe"))))
        .satisfies(
            wrong -> assertThat(arguments.asGiven("" + wrong.getMessage())).isEqualTo(expected));
  }
}
