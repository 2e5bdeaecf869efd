package io.hdrsidecar.internal.spring;

import io.hdrsidecar.internal.send.TestPeer;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

/** Applications that have nothing but the starter, and all that Boot configures by itself. */
final class Applications {
  private Applications() {}

  /** What {@code @SpringBootApplication} brings. */
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Plain {}

  /** Sends to nobody: no sidecar is there. */
  static ApplicationContextRunner plain() {
    return new ApplicationContextRunner()
        .withUserConfiguration(Plain.class)
        .withPropertyValues(
            "hdr-sidecar.address=tcp://127.0.0.1:1", "hdr-sidecar.close-timeout=0s");
  }

  /** Sends to this peer. */
  static ApplicationContextRunner sendingTo(TestPeer peer) {
    return plain()
        .withPropertyValues(
            "hdr-sidecar.address=" + peer.address(),
            "hdr-sidecar.interval=50ms",
            "hdr-sidecar.close-timeout=20s",
            "hdr-sidecar.hiccups=false");
  }

  /** The full name of one of Boot's auto-configurations, which Boot 4 moved. */
  static String autoConfiguration(String simpleName) {
    for (String name : ImportCandidates.load(AutoConfiguration.class, null)) {
      if (name.endsWith("." + simpleName)) {
        return name;
      }
    }
    throw new IllegalStateException("this Boot has no " + simpleName);
  }
}
