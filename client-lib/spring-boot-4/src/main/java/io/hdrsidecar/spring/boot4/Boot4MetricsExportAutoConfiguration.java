package io.hdrsidecar.spring.boot4;

import io.hdrsidecar.internal.spring.EnabledCondition;
import io.hdrsidecar.internal.spring.HdrSidecarClientAutoConfiguration;
import io.hdrsidecar.internal.spring.MeterRegistryConfiguration;
import io.micrometer.core.instrument.Clock;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.ConditionalOnEnabledMetricsExport;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;

/** The registry, beside those that Boot has for other systems and in the same order as these. */
@AutoConfiguration(
    before = {
      CompositeMeterRegistryAutoConfiguration.class,
      SimpleMetricsExportAutoConfiguration.class
    },
    after = {MetricsAutoConfiguration.class, HdrSidecarClientAutoConfiguration.class})
@ConditionalOnBean(Clock.class)
@ConditionalOnEnabledMetricsExport("hdr-sidecar")
@Conditional(EnabledCondition.class)
@Import(MeterRegistryConfiguration.class)
class Boot4MetricsExportAutoConfiguration {}
