package io.hdrsidecar.client.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.tck.MeterRegistryCompatibilityKit;
import org.junit.jupiter.api.Test;

/** That a run named after a version of Micrometer has that version on its class path. */
class MicrometerVersionTest {
  @Test
  void classPath_hasTheVersionOfThisRun() {
    String expected = System.getProperty("micrometer.version");
    assertThat(expected).as("set by the build").isNotNull();
    assertThat(MeterRegistry.class.getPackage().getImplementationVersion()).isEqualTo(expected);
    assertThat(MeterRegistryCompatibilityKit.class.getPackage().getImplementationVersion())
        .isEqualTo(expected);
    System.out.println("micrometer " + expected);
  }
}
