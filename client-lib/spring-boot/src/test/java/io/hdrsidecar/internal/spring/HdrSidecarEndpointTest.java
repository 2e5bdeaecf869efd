package io.hdrsidecar.internal.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.ClientHealth;
import io.hdrsidecar.client.HdrSidecarClient;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The actuator's endpoint. */
class HdrSidecarEndpointTest {
  @Test
  void health_hasEachFigureOfTheClient() throws Exception {
    ClientConfig config = ClientConfig.builder().enabled(false).shutdownHook(false).build();
    try (HdrSidecarClient client = HdrSidecarClient.create(config)) {
      Map<String, Object> shown = new HdrSidecarEndpoint(client).health();
      ClientHealth health = client.health();
      for (Method figure : figures()) {
        assertThat(shown).containsEntry(figure.getName(), figure.invoke(health));
      }
      assertThat(shown).hasSize(figures().length);
    }
  }

  private static Method[] figures() {
    return Stream.of(ClientHealth.class.getDeclaredMethods())
        .filter(method -> Modifier.isPublic(method.getModifiers()))
        .filter(method -> !method.getName().equals("toString"))
        .toArray(Method[]::new);
  }
}
