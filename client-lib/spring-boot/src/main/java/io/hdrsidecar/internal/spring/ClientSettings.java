package io.hdrsidecar.internal.spring;

import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.series.Labels;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.util.StringUtils;

/** Turns properties into the client's own settings; a wrong one is named as it was written. */
final class ClientSettings {
  private static final String APPLICATION = "application";
  private static final String VARIABLE = "HDR_SIDECAR_";
  private static final String LABELS_VARIABLE = VARIABLE + "LABELS";

  /** The properties, each {@link #uniform}; not by reflection, which a native image has not. */
  static final Set<String> PROPERTIES =
      Set.of(
          "enabled",
          "address",
          "interval",
          "commonlabels",
          "token",
          "tokenfile",
          "tlsca",
          "tlscertificate",
          "tlskey",
          "closetimeout",
          "stalltimeout",
          "maxseries",
          "hiccups",
          "hiccupsresolution",
          "hiccupsdelay",
          "spillfolder",
          "spillpickup",
          "crashfolder",
          "activelongtasktimers");

  private final HdrSidecarProperties properties;
  private final Environment environment;
  private final ClientConfig.Builder builder = ClientConfig.builder();

  ClientSettings(HdrSidecarProperties properties, Environment environment) {
    this.properties = properties;
    this.environment = environment;
  }

  ClientConfig toConfig() {
    boolean sends = properties.enabled() && exports();
    builder.enabled(sends);
    builder.hiccups(sends && properties.hiccups());
    builder.spillPickup(properties.spillPickup());
    set("address", properties.address(), builder::address);
    set("interval", properties.interval(), builder::interval);
    set("close-timeout", properties.closeTimeout(), builder::closeTimeout);
    set("stall-timeout", properties.stallTimeout(), builder::stallTimeout);
    set("max-series", properties.maxSeries(), builder::maxSeries);
    set("hiccups-resolution", properties.hiccupsResolution(), builder::hiccupResolution);
    set("hiccups-delay", properties.hiccupsDelay(), builder::hiccupStartDelay);
    set("spill-folder", properties.spillFolder(), path -> builder.spillFolder(Path.of(path)));
    set("crash-folder", properties.crashFolder(), path -> builder.crashFolder(Path.of(path)));
    setLabels();
    setToken();
    setTls();
    return builder.build();
  }

  /** A test of Spring's switches every registry off; then nothing else is to be sent, either. */
  private boolean exports() {
    boolean byDefault =
        environment.getProperty("management.defaults.metrics.export.enabled", Boolean.class, true);
    return environment.getProperty(
        "management.hdr-sidecar.metrics.export.enabled", Boolean.class, byDefault);
  }

  private void setLabels() {
    Map<String, String> labels = new LinkedHashMap<>();
    // A meter tag must not contradict a common label, and this is how Boot sets one on all meters.
    String application =
        environment.getProperty(
            "management.metrics.tags." + APPLICATION,
            environment.getProperty("spring.application.name", ""));
    labels.put(APPLICATION, application);
    labels.putAll(labelsOfTheVariable());
    labels.putAll(properties.commonLabels());
    set("common-labels", labels, all -> builder.commonLabels(Labels.of(all)));
  }

  /** Says, too, which variables are mistakes. */
  private Map<String, String> labelsOfTheVariable() {
    Map<String, String> variables = unknownVariables();
    variables.put(LABELS_VARIABLE, environment.getProperty(LABELS_VARIABLE, ""));
    if (variables.size() == 1 && variables.get(LABELS_VARIABLE).isBlank()) {
      return Map.of(); // Without the classes that read variables: this is the start of a service.
    }
    return ClientConfig.fromEnvironment(variables).commonLabels().asMap();
  }

  /** Variables of our prefix that give no property a value; without theirs, which nobody reads. */
  private Map<String, String> unknownVariables() {
    Map<String, String> unknown = new HashMap<>();
    if (environment instanceof ConfigurableEnvironment all
        && all.getPropertySources().get(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME)
            instanceof EnumerablePropertySource<?> variables) {
      for (String name : variables.getPropertyNames()) {
        if (name.startsWith(VARIABLE) && !PROPERTIES.contains(uniform(name))) {
          unknown.put(name, "");
        }
      }
    }
    return unknown;
  }

  /**
   * As Boot compares names: {@code TOKEN_FILE}, {@code TOKENFILE} and {@code tokenFile} are one.
   */
  private static String uniform(String name) {
    return name.replace(VARIABLE, "").replace("_", "").toLowerCase(Locale.ROOT);
  }

  private void setToken() {
    if (StringUtils.hasText(properties.token())) {
      builder.token(properties.token());
    } else {
      set("token-file", properties.tokenFile(), file -> builder.tokenFile(Path.of(file)));
    }
  }

  private void setTls() {
    set("tls-ca", properties.tlsCa(), file -> builder.tlsCa(Path.of(file)));
    String certificate = properties.tlsCertificate();
    String key = properties.tlsKey();
    if (StringUtils.hasText(certificate) != StringUtils.hasText(key)) {
      throw new InvalidConfigurationPropertyValueException(
          HdrSidecarProperties.PREFIX + "tls-certificate",
          certificate,
          "must be set together with " + HdrSidecarProperties.PREFIX + "tls-key");
    }
    set("tls-key", key, file -> builder.tlsCertificate(Path.of("" + certificate), Path.of(file)));
  }

  /** An empty text counts as not set: many deployment tools cannot leave a variable out. */
  private static <T> void set(String name, @Nullable T value, Consumer<T> setting) {
    if (value == null || value.toString().isBlank()) {
      return;
    }
    try {
      setting.accept(value);
    } catch (IllegalArgumentException e) {
      throw new InvalidConfigurationPropertyValueException(
          HdrSidecarProperties.PREFIX + name, value, String.valueOf(e.getMessage()));
    }
  }
}
