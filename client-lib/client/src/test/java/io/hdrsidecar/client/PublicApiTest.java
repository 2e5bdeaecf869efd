package io.hdrsidecar.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.record.SeriesRecorder;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What callers see stays hard to misuse, and can grow. */
class PublicApiTest {
  private static Stream<Method> figures() {
    return Stream.of(ClientHealth.class.getDeclaredMethods())
        .filter(method -> Modifier.isPublic(method.getModifiers()))
        .filter(method -> !method.getName().equals("toString"));
  }

  /** Of two longs side by side, the second would be taken for anything but an interval. */
  @Test
  void record_takesOneNumber() {
    assertThat(LatencyRecorder.class.getMethods())
        .filteredOn(method -> method.getName().equals("record"))
        .allSatisfy(
            method ->
                assertThat(Arrays.stream(method.getParameterTypes()).filter(Class::isPrimitive))
                    .hasSizeLessThanOrEqualTo(1));
    assertThat(SeriesRecorder.class.getMethods())
        .noneMatch(method -> method.getName().equals("add"));
  }

  /** Whoever could make one, or take it apart by its components, would break with a new figure. */
  @Test
  void clientHealth_canGrow_asCallersCanOnlyAskForFigures() {
    assertThat(ClientHealth.class.isRecord()).isFalse();
    assertThat(ClientHealth.class).isFinal();
    assertThat(ClientHealth.class.getConstructors()).isEmpty();
    assertThat(figures()).allMatch(figure -> figure.getParameterCount() == 0);
  }

  @Test
  void toString_ofAnyHealth_namesEachFigure() throws Exception {
    ClientConfig config = ClientConfig.builder().enabled(false).shutdownHook(false).build();
    try (HdrSidecarClient client = HdrSidecarClient.create(config)) {
      ClientHealth health = client.health();
      for (Method figure : figures().toList()) {
        assertThat(health.toString()).contains(figure.getName() + "=" + figure.invoke(health));
      }
    }
  }
}
