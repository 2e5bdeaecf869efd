package io.hdrsidecar.internal.spring;

import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.client.LatencyRecorder;
import io.hdrsidecar.client.micrometer.HdrSidecarNamingConvention;
import io.micrometer.core.instrument.Meter;
import java.lang.annotation.Annotation;
import org.springframework.beans.factory.InjectionPoint;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.DependencyDescriptor;
import org.springframework.util.StringUtils;

/** The recorder that a field or parameter names, by its {@code @Qualifier} or by its own name. */
record NamedRecorder(LatencyRecorder recorder) {
  private static final HdrSidecarNamingConvention CONVENTION = new HdrSidecarNamingConvention();

  static NamedRecorder of(InjectionPoint asking, HdrSidecarClient client) {
    String name = CONVENTION.name(nameOf(asking), Meter.Type.TIMER, null);
    return new NamedRecorder(client.recorder(name));
  }

  private static String nameOf(InjectionPoint asking) {
    for (Annotation annotation : asking.getAnnotations()) {
      if (annotation instanceof Qualifier qualifier && StringUtils.hasText(qualifier.value())) {
        return qualifier.value();
      }
    }
    if (asking instanceof DependencyDescriptor dependency
        && StringUtils.hasText(dependency.getDependencyName())) {
      return dependency.getDependencyName();
    }
    throw new IllegalStateException(
        "A LatencyRecorder is injected by name, and there is none in the class file: put"
            + " @Qualifier(\"name\") on it, or compile with -parameters: "
            + asking.getMember());
  }
}
