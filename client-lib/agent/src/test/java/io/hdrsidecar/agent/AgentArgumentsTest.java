package io.hdrsidecar.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgentArgumentsTest {
  @Test
  void over_ofArguments_putsThemOverTheEnvironment() {
    Map<String, String> environment =
        Map.of("HDR_SIDECAR_ADDRESS", "tcp://a:1", "HDR_SIDECAR_TOKEN", "t", "HOME", "/root");

    assertThat(AgentArguments.over(environment, "address=unix:///b,interval=2s,hiccups_delay=30s"))
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
            AgentArguments.over(
                Map.of("HDR_SIDECAR_LABELS", "app=old"), "labels=app=x,labels=zone=a"))
        .containsEntry("HDR_SIDECAR_LABELS", "app=x,zone=a");
  }

  @Test
  void over_ofNothing_switchesHiccupsOnUnlessTheEnvironmentSaysOtherwise() {
    assertThat(AgentArguments.over(Map.of(), "")).containsEntry("HDR_SIDECAR_HICCUPS", "true");
    assertThat(AgentArguments.over(Map.of("HDR_SIDECAR_HICCUPS", "false"), ""))
        .containsEntry("HDR_SIDECAR_HICCUPS", "false");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "adress=x | argument must be one of address, interval, labels, hiccups, "
            + "hiccups_resolution, hiccups_delay, enabled, token, token_file, "
            + "tls_ca, tls_certificate, tls_key: adress",
        "address | argument must be name=value: address",
        "token=a,token=b | argument given twice: token",
      })
  void over_ofAWrongArgument_saysWhatWasExpected(String arguments, String message) {
    assertThatThrownBy(() -> AgentArguments.over(Map.of(), arguments))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }
}
