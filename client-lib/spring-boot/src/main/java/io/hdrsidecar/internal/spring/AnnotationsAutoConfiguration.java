package io.hdrsidecar.internal.spring;

import io.hdrsidecar.client.micrometer.HdrSidecarMeterRegistry;
import io.micrometer.core.annotation.Timed;
import io.micrometer.core.aop.MeterTagAnnotationHandler;
import io.micrometer.core.aop.TimedAspect;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.annotation.Observed;
import io.micrometer.observation.aop.ObservedAspect;
import org.aspectj.lang.ProceedingJoinPoint;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;
import org.springframework.util.function.SingletonSupplier;

/**
 * {@code @Timed} and {@code @Observed}, unless the application has the aspects already: its own, or
 * those of Boot's setting. The aspects are made at the first call, as an advisor exists before
 * other beans.
 */
@AutoConfiguration(
    afterName = {
      "io.hdrsidecar.spring.boot3.Boot3MetricsExportAutoConfiguration",
      "io.hdrsidecar.spring.boot4.Boot4MetricsExportAutoConfiguration",
      "org.springframework.boot.actuate.autoconfigure.metrics.MetricsAspectsAutoConfiguration",
      "org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration",
      "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAspectsAutoConfiguration",
      "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration"
    })
@ConditionalOnClass(ProceedingJoinPoint.class)
@ConditionalOnBean(HdrSidecarMeterRegistry.class)
@ConditionalOnProperty(
    name = "management.observations.annotations.enabled",
    havingValue = "true",
    matchIfMissing = true)
public class AnnotationsAutoConfiguration {
  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  @ConditionalOnMissingBean(TimedAspect.class)
  static AnnotatedMethods hdrSidecarTimed(
      ObjectProvider<MeterRegistry> registry, ObjectProvider<MeterTagAnnotationHandler> tags) {
    SingletonSupplier<TimedAspect> aspect =
        SingletonSupplier.of(
            () -> {
              TimedAspect made = new TimedAspect(registry.getObject());
              tags.ifAvailable(made::setMeterTagAnnotationHandler);
              return made;
            });
    return new AnnotatedMethods(
        Timed.class,
        call -> aspect.obtain().timedMethod(call),
        call -> aspect.obtain().timedClass(call));
  }

  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  @ConditionalOnMissingBean(ObservedAspect.class)
  static AnnotatedMethods hdrSidecarObserved(ObjectProvider<ObservationRegistry> registry) {
    SingletonSupplier<ObservedAspect> aspect =
        SingletonSupplier.of(() -> new ObservedAspect(registry.getObject()));
    return new AnnotatedMethods(
        Observed.class,
        call -> aspect.obtain().observeMethod(call),
        call -> aspect.obtain().observeClass(call));
  }
}
