package io.hdrsidecar.internal.spring;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Whether {@code hdr-sidecar.enabled} is true, read as {@link HdrSidecarProperties} is: with {@code
 * on}, {@code yes} and {@code 1}, which Boot's conditions on a property take for other words.
 */
public final class EnabledCondition implements Condition {
  @Override
  public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
    return Binder.get(context.getEnvironment())
        .bind(HdrSidecarProperties.PREFIX + "enabled", Boolean.class)
        .orElse(true);
  }
}
