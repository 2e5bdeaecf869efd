package io.hdrsidecar.sidecar.config;

import java.util.Locale;
import java.util.function.Function;

/**
 * One setting: its key and everything that follows from it.
 *
 * @param key as in the YAML file, parts separated by dots: {@code ingest.port}
 * @param defaultText value when nobody sets it
 * @param form unit and range, for people
 * @param description what it does, for people
 * @param parser from text to value; throws IllegalArgumentException with what was wrong
 */
public record Setting<T>(
    String key, String defaultText, String form, String description, Function<String, T> parser) {
  /** Form of the settings that are either on or off. */
  static final String TRUTH = "true or false";

  /** Whether the flag may stand alone, and means true then. */
  public boolean isSwitch() {
    return form.equals(TRUTH);
  }

  /** On the command line: {@code --ingest-port}. */
  public String flag() {
    return "--" + key.replace('.', '-');
  }

  /** In the environment: {@code HDR_SIDECAR_INGEST_PORT}. */
  public String environmentVariable() {
    return Settings.ENVIRONMENT_PREFIX
        + key.replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT);
  }
}
